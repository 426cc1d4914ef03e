INSERT INTO one_number SELECT user_id, COUNT(*) FROM orders GROUP BY user_id, TUMBLE(ts, INTERVAL '1' MINUTE)
