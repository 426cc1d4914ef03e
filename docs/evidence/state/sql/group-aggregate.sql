INSERT INTO one_number SELECT user_id, SUM(amount) + COUNT(DISTINCT currency) FROM orders GROUP BY user_id
