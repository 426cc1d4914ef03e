-- Tables that never end, so that a job keeps running while its savepoint is taken.
SET 'execution.runtime-mode' = 'streaming';
CREATE TABLE orders (
  order_id INT, user_id INT, currency INT, amount INT, ts TIMESTAMP(3), pt AS PROCTIME(),
  WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
) WITH (
  'connector' = 'datagen', 'rows-per-second' = '40',
  'fields.order_id.min' = '1', 'fields.order_id.max' = '500',
  'fields.user_id.min' = '1', 'fields.user_id.max' = '20',
  'fields.currency.min' = '1', 'fields.currency.max' = '5',
  'fields.amount.min' = '1', 'fields.amount.max' = '1000'
);
CREATE TABLE shipments (
  shipment_id INT, order_id INT, ts TIMESTAMP(3), pt AS PROCTIME(),
  WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
) WITH (
  'connector' = 'datagen', 'rows-per-second' = '40',
  'fields.shipment_id.min' = '1', 'fields.shipment_id.max' = '1000',
  'fields.order_id.min' = '1', 'fields.order_id.max' = '500'
);
CREATE TABLE users (
  user_id INT, tier INT, PRIMARY KEY (user_id) NOT ENFORCED
) WITH (
  'connector' = 'datagen', 'rows-per-second' = '5',
  'fields.user_id.min' = '1', 'fields.user_id.max' = '20',
  'fields.tier.min' = '1', 'fields.tier.max' = '3'
);
CREATE TABLE rates (
  currency INT, rate INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '2' SECOND, PRIMARY KEY (currency) NOT ENFORCED
) WITH (
  'connector' = 'datagen', 'rows-per-second' = '10',
  'fields.currency.min' = '1', 'fields.currency.max' = '5',
  'fields.rate.min' = '1', 'fields.rate.max' = '100'
);
CREATE TABLE changes (
  user_id INT, tier INT, PRIMARY KEY (user_id) NOT ENFORCED
) WITH (
  'connector' = 'filesystem', 'path' = 'file:///tmp/flinkread-changes', 'format' = 'debezium-json',
  'source.monitor-interval' = '1 s'
);
CREATE TABLE two_columns (a INT, b INT) WITH ('connector' = 'blackhole');
CREATE TABLE one_number (a INT, n BIGINT) WITH ('connector' = 'blackhole');
CREATE TABLE keyed_by_b (a INT, b INT, PRIMARY KEY (b) NOT ENFORCED) WITH ('connector' = 'blackhole');
