INSERT INTO two_columns SELECT o.user_id, s.shipment_id FROM orders o LEFT JOIN shipments s
ON o.order_id = s.order_id AND s.ts BETWEEN o.ts - INTERVAL '10' MINUTE AND o.ts + INTERVAL '2' HOUR
