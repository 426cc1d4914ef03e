INSERT INTO two_columns SELECT order_id, user_id FROM orders WHERE order_id IN (SELECT order_id FROM shipments)
