SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT 'a)' AS x;
SELECT a FROM (VALUES (1)) AS t(a) WHERE 'q)' = 'q)';
SELECT '(x)[ERROR] boo (y)' AS x,
 a FROM (VALUES (1)) AS t(a);
SELECT '(x)[INFO] boo' AS x,
 a FROM (VALUES (1)) AS t(a);
SET 'my.key' = '(x)[ERROR] boo (y)';
SELECT 'f(x)+---+' AS b,
 a FROM (VALUES (1)) AS t(a);
SELECT '(x)Empty set' AS b,
 a FROM (VALUES (1)) AS t(a);
SELECT '(x)Empty set
' AS b,
 a FROM (VALUES (1)) AS t(a);
SELECT 'Flink SQL> (x)
Flink SQL> (y)
> (z)
(x)[ERROR] Could not execute SQL statement. Reason:
done.
[INFO] a' AS b,
 a FROM (VALUES (1)) AS t(a);
SELECT ARRAY[1, 2] AS b;
SELECT 'x)+---+
+---+
| a |
+---+
| 1 |
+---+
1 row in set
(y)' AS b,
 a FROM (VALUES (1)) AS t(a);
SELECT '(x)[ERROR] boo', a FROM (VALUES (1)) AS t(a) WHERE a > CAST('[ERROR]' AS INT);
