-- description: How often each index was read and written since server start. index_name=NO_INDEX with many reads = scans of the table; reads of 0 with many writes = an index that only costs.
-- target: writer
-- temporal: live
-- row_limit: 40
-- timeout_ms: 5000

SELECT u.object_schema AS table_schema,
       u.object_name AS table_name,
       COALESCE(u.index_name, 'NO_INDEX') AS index_name,
       u.count_fetch AS row_reads,
       u.count_insert + u.count_update + u.count_delete AS row_writes
FROM performance_schema.table_io_waits_summary_by_index_usage u
WHERE u.object_schema NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema')
ORDER BY u.count_fetch DESC
LIMIT 40
