SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.allow-latency' = '1 s';
SET 'table.exec.mini-batch.size' = '100';
SET 'table.optimizer.distinct-agg.split.enabled' = 'true';
INSERT INTO one_number SELECT user_id, COUNT(DISTINCT currency) FROM orders GROUP BY user_id
