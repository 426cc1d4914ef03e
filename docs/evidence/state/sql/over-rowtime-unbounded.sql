INSERT INTO one_number SELECT user_id, COUNT(*) OVER (PARTITION BY user_id ORDER BY ts) FROM orders
