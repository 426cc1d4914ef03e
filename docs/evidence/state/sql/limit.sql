INSERT INTO two_columns SELECT user_id, amount FROM orders LIMIT 5
