SET 'execution.runtime-mode' = 'streaming';
COMPILE PLAN 'file:///lab/joins/regular-plan.json' FOR INSERT INTO regular_rows_sink
SELECT o.order_id, o.user_id, u.tier, o.amount
FROM orders AS o
JOIN users AS u ON o.user_id = u.user_id;
