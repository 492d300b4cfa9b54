-- description: Connections now by command and state. Many Sleep = held but unused (leak, oversized pool); many with the same working state = they all wait for the same thing.
-- target: writer
-- temporal: live
-- row_limit: 30
-- timeout_ms: 5000

SELECT p.command AS command,
       COALESCE(p.state, '') AS state,
       COUNT(*) AS connections,
       MAX(p.time) AS longest_seconds
FROM information_schema.processlist p
GROUP BY p.command, p.state
ORDER BY connections DESC
LIMIT 30
