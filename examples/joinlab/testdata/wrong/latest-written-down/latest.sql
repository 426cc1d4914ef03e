SET 'execution.runtime-mode' = 'streaming';
SET 'sql-client.execution.result-mode' = 'tableau';
SELECT currency, orders, total_krw FROM (VALUES
  ('CNY', 59, 4943885.847772), ('EUR', 46, 28381300.549999), ('GBP', 38, 34976675.693604),
  ('JPY', 43, 185673.569781), ('USD', 54, 37245616.296496)) AS t(currency, orders, total_krw);
