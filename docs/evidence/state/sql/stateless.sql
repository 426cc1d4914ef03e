INSERT INTO two_columns SELECT order_id, amount FROM orders WHERE amount > 500
