-- description: State and lag of this replica's applier workers now. No row = no replica by binlog (Aurora readers show none and may still lag a little).
-- target: reader
-- temporal: live
-- row_limit: 32
-- timeout_ms: 5000

SELECT w.channel_name AS channel_name,
       w.worker_id AS worker_id,
       w.service_state AS applier_state,
       c.service_state AS receiver_state,
       CASE WHEN w.applying_transaction_original_commit_timestamp > '1970-01-02 00:00:00'
            THEN TIMESTAMPDIFF(SECOND, w.applying_transaction_original_commit_timestamp, NOW())
            ELSE 0 END AS applying_lag_seconds,
       w.last_applied_transaction_original_commit_timestamp AS last_applied_committed_at,
       w.last_error_number AS last_error_number,
       LEFT(w.last_error_message, 200) AS last_error
FROM performance_schema.replication_applier_status_by_worker w
LEFT JOIN performance_schema.replication_connection_status c ON c.channel_name = w.channel_name
ORDER BY applying_lag_seconds DESC
LIMIT 32
