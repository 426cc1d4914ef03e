SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '60 s';
SET 'table.exec.mini-batch.size' = '100000';
SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT o.currency, COUNT(*) AS orders, SUM(o.amount * r.rate) AS total_krw
FROM orders AS o
JOIN rates_v AS r ON o.currency = r.currency
GROUP BY o.currency;
