INSERT INTO two_columns SELECT o.user_id, s.shipment_id FROM orders o JOIN shipments s ON o.order_id = s.order_id
