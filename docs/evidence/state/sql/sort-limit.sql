INSERT INTO two_columns SELECT user_id, amount FROM orders ORDER BY amount DESC LIMIT 5
