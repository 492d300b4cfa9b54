-- description: The largest tables with rows (an estimate), data and index size in MiB. A scan of a large table explains a slow statement; a small one does not.
-- target: reader
-- temporal: live
-- row_limit: 20
-- timeout_ms: 8000

SELECT t.table_schema AS table_schema,
       t.table_name AS table_name,
       t.engine AS engine,
       t.table_rows AS estimated_rows,
       ROUND(t.data_length / 1048576.0, 1) AS data_mib,
       ROUND(t.index_length / 1048576.0, 1) AS index_mib
FROM information_schema.tables t
WHERE t.table_type = 'BASE TABLE'
  AND t.table_schema NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema')
ORDER BY data_mib DESC
LIMIT 20
