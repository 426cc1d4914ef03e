INSERT INTO two_columns SELECT o.order_id, o.amount * r.rate FROM orders o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.currency = r.currency
