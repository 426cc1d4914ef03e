SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.dml-sync' = 'true';
SET 'parallelism.default' = '2';
CREATE TABLE bare (n BIGINT, names BIGINT) WITH ('connector' = 'print');
INSERT INTO bare SELECT n, COUNT(*) FROM (SELECT name, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('c'), ('d'), ('a'), ('b'), ('a'), ('e'), ('a'), ('e')) AS t(name) GROUP BY name) GROUP BY n;
