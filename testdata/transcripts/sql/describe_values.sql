SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.display.max-column-width' = '60';
SET 'sql-client.display.max-column-width' = '60';
SET 'table.local-time-zone' = 'UTC';
CREATE VIEW v AS SELECT
  id, CAST(f AS BOOLEAN) AS flag, CAST(d AS DECIMAL(20, 6)) AS amount, CAST(x AS DOUBLE) AS ratio, s AS name,
  CAST(s AS BYTES) AS octets, CAST(ts AS TIMESTAMP(3)) AS at_time, CAST(CAST(ts AS TIMESTAMP(3)) AS TIMESTAMP_LTZ(3)) AS at_instant,
  CAST(CAST(ts AS TIMESTAMP(3)) AS DATE) AS on_day, CAST(CAST(ts AS TIMESTAMP(3)) AS TIME) AS at_clock,
  ARRAY[id, CAST(NULL AS INT)] AS numbers, ARRAY[s, 'a, b'] AS words, MAP['k', id] AS by_name, MAP[id, s] AS by_id, MAP['a=b', 'c, d=e'] AS loose,
  CAST(ROW(id, s, d) AS ROW<i INT, s STRING, d DECIMAL(20, 6)>) AS nested
FROM (VALUES
  (1, 'true', '12345678901234.500000', 'NaN', 'ab', '2026-03-01 12:34:56.789'),
  (2, 'false', '0', 'Infinity', 'NULL', '2026-03-01 12:34:56'),
  (3, CAST(NULL AS STRING), '-0.000001', '-1.5E300', 'a long, long name that is longer than sixty characters, and so is cut', '1970-01-01 00:00:00.1'),
  (CAST(NULL AS INT), 'true', CAST(NULL AS STRING), CAST(NULL AS STRING), CAST(NULL AS STRING), CAST(NULL AS STRING))) AS t(id, f, d, x, s, ts);
DESCRIBE v;
SELECT * FROM v;
SELECT id, name FROM v;
SELECT CAST(id AS STRING) AS id, name FROM v;
CREATE VIEW w AS SELECT name, id FROM v;
DESC w;
SELECT * FROM w;
SELECT name, COUNT(*) AS id FROM w GROUP BY name;
SET 'execution.runtime-mode' = 'batch';
SELECT * FROM v;
SELECT INTERVAL '1 02:03:04.005' DAY TO SECOND AS long_time, INTERVAL '1-2' YEAR TO MONTH AS months, CAST('0' AS DECIMAL(38, 18)) AS zero;
