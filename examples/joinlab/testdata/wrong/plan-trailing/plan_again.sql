SET 'execution.runtime-mode' = 'streaming';
SET 'table.plan.force-recompile' = 'true';
COMPILE PLAN '/lab/joins/regular-plan.json' FOR INSERT INTO regular_sink
SELECT u.tier, COUNT(*) AS orders, SUM(o.amount) AS amount
FROM orders AS o
JOIN users AS u ON o.user_id = u.user_id
GROUP BY u.tier;
