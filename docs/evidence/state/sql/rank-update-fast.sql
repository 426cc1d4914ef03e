INSERT INTO one_number SELECT user_id, n FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (SELECT user_id, COUNT(*) AS n FROM orders GROUP BY user_id)) WHERE rn <= 3
