INSERT INTO one_number SELECT MIN(n), COUNT(*) FROM (SELECT user_id, CAST(COUNT(*) AS INT) AS n FROM orders GROUP BY user_id)
