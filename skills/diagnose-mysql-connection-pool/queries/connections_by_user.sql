-- description: Connections now by database user and client address, how many of them sleep and how many run longer than ten seconds. Tells which service or pod holds them.
-- target: writer
-- temporal: live
-- row_limit: 30
-- timeout_ms: 5000

WITH sessions AS (
  SELECT p.user AS user_name,
         CASE WHEN LOCATE(':', p.host) > 0 THEN LEFT(p.host, LOCATE(':', p.host) - 1) ELSE p.host END AS client,
         CASE WHEN p.command = 'Sleep' THEN 1 ELSE 0 END AS sleeping,
         CASE WHEN p.command <> 'Sleep' AND p.time > 10 THEN 1 ELSE 0 END AS long_running,
         p.time AS seconds
  FROM information_schema.processlist p
  WHERE p.command NOT IN ('Daemon', 'Binlog Dump', 'Binlog Dump GTID')
)
SELECT s.user_name AS user_name,
       s.client AS client,
       COUNT(*) AS connections,
       SUM(s.sleeping) AS sleeping,
       SUM(s.long_running) AS long_running,
       MAX(s.seconds) AS longest_seconds
FROM sessions s
GROUP BY s.user_name, s.client
ORDER BY connections DESC
LIMIT 30
