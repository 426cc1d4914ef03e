SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT u.tier, COUNT(*) AS orders, SUM(o.amount) AS amount
FROM orders AS o
LEFT JOIN users AS u ON o.user_id = u.user_id
GROUP BY u.tier;
