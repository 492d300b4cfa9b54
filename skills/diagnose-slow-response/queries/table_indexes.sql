-- description: Indexes of one table, column by column, with estimated cardinality. Tells whether a filter or a sort of a slow statement has an index to use.
-- target: reader
-- temporal: live
-- row_limit: 60
-- timeout_ms: 5000
-- parameters:
--   table_name:
--     type: string
--     bind: model
--     max_bytes: 64
--     description: Name of the table, without its schema

SELECT s.table_schema AS table_schema,
       s.table_name AS table_name,
       s.index_name AS index_name,
       s.seq_in_index AS position_in_index,
       s.column_name AS column_name,
       s.non_unique AS non_unique,
       s.cardinality AS cardinality
FROM information_schema.statistics s
WHERE s.table_name = :table_name
  AND s.table_schema NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema')
ORDER BY s.table_schema, s.index_name, s.seq_in_index
LIMIT 60
