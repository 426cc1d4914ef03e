-- Blank lines and comments before a statement, and what its echo ends in.
SET 'pipeline.name' = 'a]b';

SET 'pipeline.max-parallelism' = '128';


CREATE TABLE t (
  a INT,

  `b]c` ARRAY<STRING>
) WITH (
  'connector' = 'datagen'
);
/* a comment
   with (brackets) */
CREATE VIEW v AS SELECT a, b[1] AS x FROM (SELECT a, `b]c` AS b FROM t);

SHOW TABLES;
SET 'a{b}' = 'c';

-- no bracket here
SHOW CATALOGS;
EXPLAIN SELECT a FROM t;
DROP TABLE IF EXISTS
  nothing;


SELECT ARRAY['x'] FROM
  missing;
