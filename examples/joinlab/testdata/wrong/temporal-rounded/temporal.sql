SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT o.order_id, o.currency, r.rate, ROUND(o.amount * r.rate, 2) AS amount_krw
FROM orders AS o
JOIN rates_v FOR SYSTEM_TIME AS OF o.order_time AS r
  ON o.currency = r.currency;
