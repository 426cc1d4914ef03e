SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT o.order_id, o.order_time
FROM orders AS o
WHERE NOT EXISTS (
  SELECT 1 FROM shipments AS s
  WHERE s.order_id = o.order_id
    AND s.ship_time BETWEEN o.order_time AND o.order_time + INTERVAL '2' HOUR);
