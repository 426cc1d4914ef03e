INSERT INTO one_number SELECT user_id, COUNT(DISTINCT currency) FROM TABLE(SESSION(TABLE orders PARTITION BY user_id, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY user_id, window_start, window_end
