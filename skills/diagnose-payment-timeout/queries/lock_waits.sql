-- description: Each session that waits for a row lock now, what it waits for (table, index, mode) and the pid of the session in its way. No row = no lock wait now.
-- target: writer
-- temporal: live
-- row_limit: 30
-- timeout_ms: 5000

SELECT r.trx_mysql_thread_id AS waiting_pid,
       p.user AS waiting_user,
       TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) AS wait_seconds,
       l.object_name AS locked_table,
       l.index_name AS locked_index,
       l.lock_mode AS wanted_lock,
       l.lock_data AS locked_record,
       b.trx_mysql_thread_id AS blocking_pid,
       b.trx_state AS blocking_trx_state,
       LEFT(r.trx_query, 240) AS waiting_statement
FROM performance_schema.data_lock_waits w
JOIN performance_schema.data_locks l ON l.engine_lock_id = w.requesting_engine_lock_id
JOIN information_schema.innodb_trx r ON r.trx_id = w.requesting_engine_transaction_id
JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_engine_transaction_id
LEFT JOIN information_schema.processlist p ON p.id = r.trx_mysql_thread_id
ORDER BY wait_seconds DESC
LIMIT 30
