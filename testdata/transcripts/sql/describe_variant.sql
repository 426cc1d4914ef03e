SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.display.max-column-width' = '80';
CREATE VIEW v AS SELECT id, PARSE_JSON(s) AS v, ARRAY[PARSE_JSON(s), PARSE_JSON('"x, \"y\""')] AS vs FROM (VALUES
  (1, '{"a": [1, 2.50, null], "b": "x, y"}'), (2, '"text"'), (3, '12.50'), (4, 'null'), (5, 'true')) AS t(id, s);
DESCRIBE v;
SELECT * FROM v;
