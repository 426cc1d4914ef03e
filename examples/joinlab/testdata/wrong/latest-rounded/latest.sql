SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT o.currency, COUNT(*) AS orders, SUM(ROUND(o.amount * r.rate, 2)) AS total_krw
FROM orders AS o
JOIN rates_v AS r ON o.currency = r.currency
GROUP BY o.currency;
