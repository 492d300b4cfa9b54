-- description: Connections of the server now against its limit. server_limit=NEAR_LIMIT means the server itself runs out; BELOW_LIMIT with a full client pool means the pool or its users are the narrow place. Refusals count since server start.
-- target: writer
-- temporal: live
-- row_limit: 1
-- timeout_ms: 5000

WITH server_limits AS (
  SELECT CAST(variable_value AS UNSIGNED) AS max_connections
  FROM performance_schema.global_variables
  WHERE variable_name = 'max_connections'
), counters AS (
  SELECT MAX(CASE WHEN g.variable_name = 'Threads_connected' THEN CAST(g.variable_value AS UNSIGNED) END) AS threads_connected,
         MAX(CASE WHEN g.variable_name = 'Threads_running' THEN CAST(g.variable_value AS UNSIGNED) END) AS threads_running,
         MAX(CASE WHEN g.variable_name = 'Max_used_connections' THEN CAST(g.variable_value AS UNSIGNED) END) AS max_used_connections,
         MAX(CASE WHEN g.variable_name = 'Aborted_connects' THEN CAST(g.variable_value AS UNSIGNED) END) AS aborted_connects,
         MAX(CASE WHEN g.variable_name = 'Connection_errors_max_connections' THEN CAST(g.variable_value AS UNSIGNED) END) AS refused_at_limit
  FROM performance_schema.global_status g
  WHERE g.variable_name IN ('Threads_connected', 'Threads_running', 'Max_used_connections', 'Aborted_connects', 'Connection_errors_max_connections')
)
SELECT n.threads_connected AS threads_connected,
       c.max_connections AS max_connections,
       ROUND(100.0 * n.threads_connected / c.max_connections, 1) AS used_percent,
       CASE WHEN n.threads_connected >= 0.9 * c.max_connections THEN 'NEAR_LIMIT' ELSE 'BELOW_LIMIT' END AS server_limit,
       n.threads_running AS threads_running,
       n.max_used_connections AS max_used_connections,
       n.aborted_connects AS aborted_connects,
       n.refused_at_limit AS refused_at_limit
FROM counters n
JOIN server_limits c ON c.max_connections > 0
