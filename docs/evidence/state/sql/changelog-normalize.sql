SET 'table.exec.source.cdc-events-duplicate' = 'true';
INSERT INTO two_columns SELECT user_id, tier FROM changes
