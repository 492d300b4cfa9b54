-- description: Sessions that hold row locks others wait for now, one row per blocker, with the age of its transaction and its last statement. blocking_command=Sleep means idle inside an open transaction. No row = no lock wait now.
-- target: writer
-- temporal: live
-- row_limit: 20
-- timeout_ms: 5000

SELECT b.trx_mysql_thread_id AS blocking_pid,
       MAX(p.user) AS blocking_user,
       MAX(p.host) AS blocking_host,
       MAX(p.command) AS blocking_command,
       MAX(TIMESTAMPDIFF(SECOND, b.trx_started, NOW())) AS blocking_trx_seconds,
       MAX(b.trx_rows_locked) AS rows_locked,
       MAX(b.trx_rows_modified) AS rows_modified,
       COUNT(DISTINCT w.requesting_engine_transaction_id) AS waiting_sessions,
       MAX(TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW())) AS longest_wait_seconds,
       MAX(l.object_name) AS locked_table,
       MAX(l.index_name) AS locked_index,
       LEFT(MAX(s.sql_text), 300) AS blocking_last_statement
FROM performance_schema.data_lock_waits w
JOIN performance_schema.data_locks l ON l.engine_lock_id = w.requesting_engine_lock_id
JOIN information_schema.innodb_trx r ON r.trx_id = w.requesting_engine_transaction_id
JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_engine_transaction_id
LEFT JOIN information_schema.processlist p ON p.id = b.trx_mysql_thread_id
LEFT JOIN performance_schema.threads h ON h.processlist_id = b.trx_mysql_thread_id
LEFT JOIN performance_schema.events_statements_current s
       ON s.thread_id = h.thread_id AND s.nesting_event_level = 0
WHERE b.trx_state <> 'LOCK WAIT'
GROUP BY b.trx_mysql_thread_id
ORDER BY waiting_sessions DESC
LIMIT 20
