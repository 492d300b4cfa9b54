-- description: Orders of the tenant created in the window, by state, with the oldest and newest of each. Compare with payments_by_state to see which side is stuck.
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
--   tenant_id:
--     type: string
--     bind: caller
--     max_bytes: 64

SELECT o.status AS status,
       COUNT(*) AS order_count,
       SUM(o.amount_cents) AS amount_cents,
       MIN(o.created_at) AS oldest,
       MAX(o.created_at) AS newest
FROM orders o
WHERE o.tenant_id = :tenant_id
  AND o.created_at >= :window_from
  AND o.created_at < :window_to
GROUP BY o.status
ORDER BY order_count DESC
LIMIT 20
