-- description: Statement shapes seen in the window that put temporary tables on disk or sort in several passes, as large GROUP BY, ORDER BY or DISTINCT do. Counts since server start.
-- target: writer
-- temporal: windowed
-- row_limit: 20
-- timeout_ms: 8000
-- parameters:
--   lookback_minutes:
--     type: integer
--     bind: model
--     min: 1
--     max: 10080
--     default: 60
--     description: Minutes before as_of

SELECT LEFT(d.digest_text, 300) AS statement,
       d.count_star AS calls,
       d.sum_created_tmp_disk_tables AS disk_tables,
       d.sum_created_tmp_tables AS temp_tables,
       d.sum_sort_merge_passes AS sort_merge_passes,
       ROUND(d.avg_timer_wait * 1.0 / 1000000000, 1) AS avg_ms,
       d.last_seen AS last_seen
FROM performance_schema.events_statements_summary_by_digest d
WHERE d.first_seen < :window_to
  AND d.last_seen >= :window_from
  AND d.digest_text IS NOT NULL
  AND d.count_star > 0
  AND (d.schema_name IS NULL OR d.schema_name NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema'))
  AND d.sum_created_tmp_disk_tables > 0
ORDER BY d.sum_created_tmp_disk_tables DESC
LIMIT 20
