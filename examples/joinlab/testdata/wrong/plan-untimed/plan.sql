SET 'execution.runtime-mode' = 'streaming';
COMPILE PLAN 'file:///lab/joins/interval-plan.json' FOR INSERT INTO interval_sink
SELECT o.order_id, s.ship_id, TIMESTAMPDIFF(SECOND, o.order_time, s.ship_time) AS delay_s
FROM orders AS o
JOIN shipments AS s
  ON o.order_id = s.order_id;
