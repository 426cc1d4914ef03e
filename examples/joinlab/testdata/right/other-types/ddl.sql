CREATE TABLE users (
  user_id STRING,
  tier STRING,
  signup_time TIMESTAMP(3)
) WITH ('connector' = 'filesystem', 'path' = 'file:///lab/joins/joins_users.csv', 'format' = 'csv');
CREATE TABLE orders (
  order_id STRING,
  user_id STRING,
  currency STRING,
  amount DECIMAL(12, 4),
  order_time TIMESTAMP(0),
  WATERMARK FOR order_time AS order_time
) WITH ('connector' = 'filesystem', 'path' = 'file:///lab/joins/joins_orders.csv', 'format' = 'csv');
CREATE TABLE shipments (
  ship_id STRING,
  order_id STRING,
  ship_time TIMESTAMP(0),
  WATERMARK FOR ship_time AS ship_time
) WITH ('connector' = 'filesystem', 'path' = 'file:///lab/joins/joins_shipments.csv', 'format' = 'csv');
CREATE TABLE rates (
  currency STRING,
  rate DECIMAL(12, 6),
  update_time TIMESTAMP(0),
  WATERMARK FOR update_time AS update_time
) WITH ('connector' = 'filesystem', 'path' = 'file:///lab/joins/joins_rates.csv', 'format' = 'csv');
CREATE VIEW rates_v AS
SELECT currency, rate, update_time FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY update_time DESC) AS rn FROM rates
) WHERE rn = 1;
CREATE TABLE regular_sink (tier STRING, orders BIGINT, amount DECIMAL(38, 2)) WITH ('connector' = 'blackhole');
CREATE TABLE regular_rows_sink (order_id STRING, user_id STRING, tier STRING, amount DECIMAL(10, 2)) WITH ('connector' = 'blackhole');
CREATE TABLE interval_sink (order_id STRING, ship_id STRING, delay_s INT) WITH ('connector' = 'blackhole');
CREATE TABLE temporal_sink (order_id STRING, currency STRING, rate DECIMAL(10, 4), amount_krw DECIMAL(20, 6)) WITH ('connector' = 'blackhole');
