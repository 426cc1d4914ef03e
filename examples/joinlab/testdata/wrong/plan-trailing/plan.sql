SET 'execution.runtime-mode' = 'streaming';
COMPILE PLAN '/lab/joins/regular-plan.json' FOR INSERT INTO regular_sink
SELECT u.tier, COUNT(*) AS orders, SUM(o.amount) AS amount
FROM orders AS o
LEFT JOIN users AS u ON o.user_id = u.user_id
LEFT JOIN shipments AS s ON o.order_id = s.order_id
GROUP BY u.tier;
