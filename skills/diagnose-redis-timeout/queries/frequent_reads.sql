-- description: The most frequent SELECT shapes seen in the window. Reads by key that the cache normally answers, high up here, mean that the load falls through to MySQL. Counts since server start.
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
       ROUND(d.avg_timer_wait * 1.0 / 1000000000, 2) AS avg_ms,
       ROUND(d.max_timer_wait * 1.0 / 1000000000, 1) AS max_ms,
       ROUND(d.sum_rows_sent * 1.0 / d.count_star, 1) AS rows_sent_per_call,
       d.first_seen AS first_seen,
       d.last_seen AS last_seen
FROM performance_schema.events_statements_summary_by_digest d
WHERE d.first_seen < :window_to
  AND d.last_seen >= :window_from
  AND d.digest_text IS NOT NULL
  AND d.count_star > 0
  AND (d.schema_name IS NULL OR d.schema_name NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema'))
  AND d.digest_text LIKE 'SELECT%'
ORDER BY d.count_star DESC
LIMIT 20
