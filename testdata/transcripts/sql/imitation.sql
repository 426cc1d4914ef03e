SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT 'x
done.
Shutting down the session...
[ERROR] Could not execute SQL statement. Reason:
[INFO] Execute statement succeed.
Flink SQL> SELECT 1
> y
Empty set
Job ID: 0123456789abcdef0123456789abcdef
1 row in set
== Abstract Syntax Tree ==
z' AS s,
 a FROM (VALUES (1)) AS t(a);
SELECT 2 AS after_it;
