SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.dml-sync' = 'true';
SET 'parallelism.default' = '2';
CREATE TABLE named (name STRING, n BIGINT) WITH ('connector' = 'print', 'print-identifier' = '[FEAT-15M]');
INSERT INTO named SELECT name, COUNT(*) FROM (VALUES ('a'), ('b'), ('c'), ('d'), ('a'), ('b'), ('a'), ('d, e'), ('a'), ('d, e')) AS t(name) GROUP BY name;
