INSERT INTO two_columns SELECT o.order_id, u.tier FROM orders o LEFT JOIN users u ON o.user_id = u.user_id
