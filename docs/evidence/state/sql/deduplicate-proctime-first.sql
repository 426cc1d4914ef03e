INSERT INTO two_columns SELECT order_id, user_id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY pt ASC) AS rn FROM orders) WHERE rn = 1
