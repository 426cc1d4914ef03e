SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT u.tier, COUNT(*) AS orders, SUM(o.amount) AS amount
FROM users AS u
JOIN orders AS o ON o.user_id = u.user_id
GROUP BY u.tier;
