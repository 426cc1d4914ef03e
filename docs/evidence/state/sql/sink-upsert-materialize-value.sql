SET 'table.exec.sink.require-on-conflict' = 'false';
SET 'table.exec.sink.upsert-materialize-strategy.type' = 'VALUE';
INSERT INTO keyed_by_b SELECT user_id, CAST(COUNT(*) AS INT) FROM orders GROUP BY user_id
