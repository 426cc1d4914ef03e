SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.dml-sync' = 'true';
CREATE TABLE named (id INT, s STRING) WITH ('connector' = 'print', 'print-identifier' = 'out');
INSERT INTO named VALUES (1, 'a'), (2, 'b, c'), (3, 'x]'), (4, 'null'), (5, CAST(NULL AS STRING)), (6, ''), (7, '金, 額'), (8, U&'two\000alines'), (9, U&'ends]\000abut, goes on'), (10, '], +I[11, b'), (12, U&'fake\000aout> +I[13, row]'), (14, U&'\000a\000ablank lines'), (CAST(NULL AS INT), 'id is null'), (15, '[[{(');
