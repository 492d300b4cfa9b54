-- description: Transactions open for at least min_seconds now, oldest first, with user, rows locked and last statement. Old, many rows and command=Sleep points at work between two statements (remote call, file).
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
--     default: 60
--     description: Least age of the transaction in seconds

SELECT t.trx_mysql_thread_id AS pid,
       p.user AS user_name,
       p.host AS client,
       p.command AS command,
       t.trx_state AS trx_state,
       t.trx_started AS trx_started,
       TIMESTAMPDIFF(SECOND, t.trx_started, NOW()) AS trx_seconds,
       t.trx_rows_locked AS rows_locked,
       t.trx_rows_modified AS rows_modified,
       t.trx_isolation_level AS isolation_level,
       LEFT(s.sql_text, 300) AS last_statement
FROM information_schema.innodb_trx t
LEFT JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
LEFT JOIN performance_schema.threads h ON h.processlist_id = t.trx_mysql_thread_id
LEFT JOIN performance_schema.events_statements_current s
       ON s.thread_id = h.thread_id AND s.nesting_event_level = 0
WHERE TIMESTAMPDIFF(SECOND, t.trx_started, NOW()) >= :min_seconds
ORDER BY trx_seconds DESC
LIMIT 20
