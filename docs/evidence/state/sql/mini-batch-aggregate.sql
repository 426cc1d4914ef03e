SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '1 s';
SET 'table.exec.mini-batch.size' = '100';
INSERT INTO one_number SELECT user_id, COUNT(*) FROM orders GROUP BY user_id
