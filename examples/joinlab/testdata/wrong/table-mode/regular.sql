SET 'execution.runtime-mode' = 'streaming';
SELECT u.tier, COUNT(*) AS orders, SUM(o.amount) AS amount
FROM orders AS o
JOIN users AS u ON o.user_id = u.user_id
GROUP BY u.tier;
