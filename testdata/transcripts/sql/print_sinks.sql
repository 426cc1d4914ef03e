SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.dml-sync' = 'true';
CREATE TABLE orders (id INT, s STRING) WITH ('connector' = 'print', 'print-identifier' = 'orders');
CREATE TABLE totals (s STRING, n BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'totals', 'standard-error' = 'false');
CREATE VIEW v AS SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, 'c'), (5, 'a'), (6, 'b')) AS t(id, s);
BEGIN STATEMENT SET;
INSERT INTO orders SELECT id, s FROM v;
INSERT INTO totals SELECT s, COUNT(*) FROM v GROUP BY s;
END;
