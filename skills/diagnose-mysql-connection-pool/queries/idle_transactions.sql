-- description: Sessions asleep now for at least min_idle_seconds with a transaction still open, with their last statement. Such a session keeps its connection and its locks; many of one user point at a leak or a remote call inside a transaction.
-- target: writer
-- temporal: live
-- row_limit: 20
-- timeout_ms: 5000
-- parameters:
--   min_idle_seconds:
--     type: integer
--     bind: model
--     min: 1
--     max: 86400
--     default: 10
--     description: Least idle time in seconds

SELECT t.trx_mysql_thread_id AS pid,
       p.user AS user_name,
       p.host AS client,
       p.time AS idle_seconds,
       TIMESTAMPDIFF(SECOND, t.trx_started, NOW()) AS trx_seconds,
       t.trx_rows_locked AS rows_locked,
       LEFT(s.sql_text, 300) AS last_statement
FROM information_schema.innodb_trx t
JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
LEFT JOIN performance_schema.threads h ON h.processlist_id = t.trx_mysql_thread_id
LEFT JOIN performance_schema.events_statements_current s
       ON s.thread_id = h.thread_id AND s.nesting_event_level = 0
WHERE p.command = 'Sleep'
  AND p.time >= :min_idle_seconds
ORDER BY idle_seconds DESC
LIMIT 20
