-- description: Payments of the tenant created in the window, by state, with the oldest and newest of each. PROCESSING that does not shrink means confirmation is stuck.
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

SELECT p.status AS status,
       COUNT(*) AS payment_count,
       SUM(p.amount_cents) AS amount_cents,
       MIN(p.created_at) AS oldest,
       MAX(p.created_at) AS newest
FROM payments p
WHERE p.tenant_id = :tenant_id
  AND p.created_at >= :window_from
  AND p.created_at < :window_to
GROUP BY p.status
ORDER BY payment_count DESC
LIMIT 20
