INSERT INTO two_columns SELECT user_id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY pt) AS rn FROM orders) WHERE rn <= 3
