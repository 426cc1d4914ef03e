SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
-- a comment;
SELECT a FROM (VALUES (1)) AS t(a);
SELECT a -- the a;
 FROM (VALUES (2)) AS t(a);
/* block;
 */ SELECT a FROM (VALUES (3)) AS t(a);
SELECT 4 AS four;
