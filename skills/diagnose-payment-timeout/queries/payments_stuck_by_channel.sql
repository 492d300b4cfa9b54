-- description: Payments of the tenant still PROCESSING after min_age_seconds, by channel. concentration=ONE_CHANNEL (80 percent or more) points at that channel, SPREAD at something all channels share.
-- target: reader
-- temporal: windowed
-- row_limit: 20
-- timeout_ms: 5000
-- parameters:
--   lookback_minutes:
--     type: integer
--     bind: model
--     min: 1
--     max: 1440
--     default: 60
--     description: Minutes before as_of
--   min_age_seconds:
--     type: integer
--     bind: model
--     min: 0
--     max: 3600
--     default: 60
--     description: Younger payments count as still under way
--   tenant_id:
--     type: string
--     bind: caller
--     max_bytes: 64

WITH stuck AS (
  SELECT p.channel AS channel,
         COUNT(*) AS stuck_count,
         MIN(p.created_at) AS oldest,
         MAX(p.created_at) AS newest
  FROM payments p
  WHERE p.tenant_id = :tenant_id
    AND p.status = 'PROCESSING'
    AND p.created_at >= :window_from
    AND p.created_at < DATE_SUB(:window_to, INTERVAL :min_age_seconds SECOND)
  GROUP BY p.channel
), total AS (
  SELECT SUM(s.stuck_count) AS all_stuck FROM stuck s
)
SELECT s.channel AS channel,
       s.stuck_count AS stuck_count,
       ROUND(100.0 * s.stuck_count / t.all_stuck, 1) AS share_percent,
       CASE WHEN s.stuck_count >= 0.8 * t.all_stuck THEN 'ONE_CHANNEL' ELSE 'SPREAD' END AS concentration,
       s.oldest AS oldest,
       s.newest AS newest
FROM stuck s
JOIN total t ON t.all_stuck > 0
ORDER BY s.stuck_count DESC
LIMIT 20
