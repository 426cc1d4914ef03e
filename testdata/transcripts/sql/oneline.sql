SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SET 'x.a' = 'b'; SET 'x.c' = 'd';
SELECT 1 AS a; SELECT 2 AS b;


;
SELECT 3 AS c;
