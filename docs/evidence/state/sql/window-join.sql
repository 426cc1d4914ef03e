INSERT INTO two_columns SELECT l.user_id, r.shipment_id
FROM (SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) l
JOIN (SELECT * FROM TABLE(TUMBLE(TABLE shipments, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) r
ON l.order_id = r.order_id AND l.window_start = r.window_start AND l.window_end = r.window_end
