SET 'execution.runtime-mode' = 'streaming';
COMPILE PLAN 'file:///lab/joins/regular-plan.json' FOR INSERT INTO regular_sink
SELECT u.tier, COUNT(*) AS orders, SUM(o.amount) AS amount
FROM users AS u
JOIN orders AS o ON o.user_id = u.user_id
GROUP BY u.tier;
COMPILE PLAN 'file:///lab/joins/interval-plan.json' FOR INSERT INTO interval_sink
SELECT o.order_id, s.ship_id, TIMESTAMPDIFF(SECOND, o.order_time, s.ship_time) AS delay_s
FROM shipments AS s
JOIN orders AS o
  ON o.order_id = s.order_id
 AND s.ship_time BETWEEN o.order_time AND o.order_time + INTERVAL '2' HOUR;
