INSERT INTO two_columns SELECT o.user_id, s.shipment_id FROM orders o JOIN shipments s
ON o.order_id = s.order_id AND s.pt BETWEEN o.pt - INTERVAL '1' MINUTE AND o.pt + INTERVAL '1' MINUTE
