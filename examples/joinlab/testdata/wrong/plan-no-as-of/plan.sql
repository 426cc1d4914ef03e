SET 'execution.runtime-mode' = 'streaming';
COMPILE PLAN '/lab/joins/temporal-plan.json' FOR INSERT INTO temporal_sink
SELECT o.order_id, o.currency, r.rate, o.amount * r.rate AS amount_krw
FROM orders AS o
JOIN rates_v AS r
  ON o.currency = r.currency;
