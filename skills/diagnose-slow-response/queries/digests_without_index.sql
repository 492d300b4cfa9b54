-- description: Statement shapes seen in the window that ran without an index or without a good one, by rows examined. Small tables do that harmlessly, so look at rows_examined_per_call. Counts since server start.
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
       d.sum_no_index_used AS calls_without_index,
       d.sum_no_good_index_used AS calls_without_good_index,
       ROUND(d.sum_rows_examined * 1.0 / d.count_star, 1) AS rows_examined_per_call,
       ROUND(d.sum_rows_sent * 1.0 / d.count_star, 1) AS rows_sent_per_call,
       ROUND(d.avg_timer_wait * 1.0 / 1000000000, 1) AS avg_ms,
       d.first_seen AS first_seen,
       d.last_seen AS last_seen
FROM performance_schema.events_statements_summary_by_digest d
WHERE d.first_seen < :window_to
  AND d.last_seen >= :window_from
  AND d.digest_text IS NOT NULL
  AND d.count_star > 0
  AND (d.schema_name IS NULL OR d.schema_name NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema'))
  AND (d.sum_no_index_used > 0 OR d.sum_no_good_index_used > 0)
ORDER BY d.sum_rows_examined DESC
LIMIT 20
