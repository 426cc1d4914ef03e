SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
CREATE VIEW v AS SELECT * FROM (VALUES
  (1, 'ab', TRUE, ARRAY['x', CAST(NULL AS STRING)], ROW(1, 'q'), x'6162'),
  (2, 'null', FALSE, ARRAY['y', 'NULL'], ROW(2, 'r, s'), x'00'),
  (CAST(NULL AS INT), CAST(NULL AS STRING), CAST(NULL AS BOOLEAN), ARRAY['z', 'w'], ROW(3, CAST(NULL AS STRING)), x'ff')) AS t(id, name, flag, tags, pair, octets);
DESCRIBE v;
SELECT * FROM v;
CREATE VIEW w AS SELECT id, name FROM v;
SELECT * FROM w;
DESCRIBE w;
SELECT id, name FROM v;
SELECT * FROM default_catalog.`default_database`.w;
