SET 'execution.runtime-mode' = 'batch';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT o.currency, COUNT(*) AS orders, SUM(o.amount * r.rate) AS total_krw
FROM orders AS o
JOIN rates_v AS r ON o.currency = r.currency
GROUP BY o.currency;
