INSERT INTO two_columns SELECT o.user_id, u.user_id FROM orders o FULL OUTER JOIN users u ON o.amount = u.tier
