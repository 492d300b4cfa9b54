-- description: Statements that have been running for at least min_seconds now, longest first, with state and text. updating or a row lock state points at locks, Sending data or executing at slow SQL. No row = nothing slow runs now.
-- target: writer
-- temporal: live
-- row_limit: 20
-- timeout_ms: 5000
-- parameters:
--   min_seconds:
--     type: integer
--     bind: model
--     min: 1
--     max: 86400
--     default: 3
--     description: Least running time in seconds

SELECT p.id AS pid,
       p.user AS user_name,
       p.host AS client,
       p.db AS schema_name,
       p.time AS running_seconds,
       p.state AS state,
       LEFT(p.info, 400) AS running_statement
FROM information_schema.processlist p
WHERE p.command NOT IN ('Sleep', 'Daemon', 'Binlog Dump', 'Binlog Dump GTID')
  AND p.info IS NOT NULL
  AND p.time >= :min_seconds
ORDER BY p.time DESC
LIMIT 20
