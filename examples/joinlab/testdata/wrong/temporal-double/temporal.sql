SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT o.order_id, o.currency, r.rate, CAST(o.amount AS DOUBLE) * CAST(r.rate AS DOUBLE) AS amount_krw
FROM orders AS o
JOIN rates_v FOR SYSTEM_TIME AS OF o.order_time AS r
  ON o.currency = r.currency;
