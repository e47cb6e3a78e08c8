-- What the planner makes of the recommender. No costs and no times: only the shape of the plans.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
TRUNCATE gpu_machines, gpu_measurements;
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour)
SELECT 'm' || lpad(i::text, 6, '0'), CASE i % 3 WHEN 0 THEN 'community' ELSE 'secure' END, (ARRAY['DE', 'US', 'FR', NULL])[1 + i % 4],
       'GPU', 1 << (i % 4), (ARRAY[16, 24, 48, 80])[1 + i % 4], 'datacenter', 0.1 + (i * 7919 % 20000) / 1000.0
  FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE gpu_machines;
SET max_parallel_workers_per_gather = 0;
\i test/regress/plan_of.sql

-- Inlined: no Function Scan. The need is computed once, in the CTE; the price index gives the
-- order and the bound; LIMIT stops it.
SELECT * FROM pg_temp.plan_of($$SELECT machine_id, price_per_hour FROM recommend_machines('meta-llama/Llama-3.1-8B', max_price => 2, countries => '{DE,FR}', tier => 'secure') LIMIT 10$$);

-- Only as many machines are read as it takes: here every second one fits.
CREATE FUNCTION pg_temp.rows_read(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    plan json;
    node json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
    SELECT n INTO node
      FROM (WITH RECURSIVE nodes (n) AS (
                SELECT plan -> 0 -> 'Plan'
                UNION ALL
                SELECT c FROM nodes, json_array_elements(n -> 'Plans') AS c)
            SELECT n FROM nodes) AS t
     WHERE n ->> 'Relation Name' = 'gpu_machines';
    RETURN (node ->> 'Actual Rows')::numeric + coalesce((node ->> 'Rows Removed by Filter')::numeric, 0);
END
$$;
SELECT pg_temp.rows_read($$SELECT * FROM recommend_machines('meta-llama/Llama-3.1-8B') LIMIT 10$$) BETWEEN 10 AND 30 AS reads_a_few;
SELECT pg_temp.rows_read($$SELECT * FROM recommend_machines('meta-llama/Llama-3.1-8B') ORDER BY price_per_hour LIMIT 10$$) BETWEEN 10 AND 30 AS reads_a_few_too;

-- Columns that nobody selects are not computed.
SELECT * FROM pg_temp.plan_of($$SELECT machine_id, confidence FROM recommend_machines('meta-llama/Llama-3.1-8B') LIMIT 10$$, 'VERBOSE');

-- A condition on the outside reaches the table and its primary key.
SELECT * FROM pg_temp.plan_of($$SELECT machine_id, price_per_hour, why FROM recommend_machines('meta-llama/Llama-3.1-8B') WHERE machine_id = 'm000007'$$);
SELECT * FROM pg_temp.plan_of($$SELECT machine_id, country FROM recommend_machines('meta-llama/Llama-3.1-8B') WHERE country = 'DE' AND price_per_hour > 1 LIMIT 5$$);

-- A prepared statement with a generic plan keeps the index.
PREPARE cheapest (text, double precision, text, text[]) AS
    SELECT machine_id, price_per_hour FROM recommend_machines($1, max_price => $2, tier => $3, countries => $4) LIMIT 10;
SET plan_cache_mode = force_generic_plan;
SELECT * FROM pg_temp.plan_of($$EXECUTE cheapest ('llama-3.1-8B', 2, 'secure', '{EU}')$$);
SELECT * FROM pg_temp.plan_of($$EXECUTE cheapest ('llama-3.1-8B', NULL, 'both', NULL)$$, 'ANALYZE');
RESET plan_cache_mode;

-- A need that is not known reads no machine at all.
SELECT * FROM pg_temp.plan_of($$SELECT machine_id FROM recommend_machines('moonshotai/Kimi-K2.5') LIMIT 10$$, 'ANALYZE');

-- Scalar functions in a query of one's own: the need is an InitPlan, computed once.
SELECT * FROM pg_temp.plan_of($$SELECT count(*) FROM gpu_machines AS m WHERE gpu_fits((SELECT gpu_need('llama-3.1-8B', 8)), m.gpu_count, m.gpu_memory_gib)$$);
-- Over a fleet that is worth it the test is shared out among workers.
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 10;
SELECT * FROM pg_temp.plan_of($$SELECT count(*) FROM gpu_machines AS m WHERE gpu_fits((SELECT gpu_need('llama-3.1-8B', 8)), m.gpu_count, m.gpu_memory_gib)$$);
RESET parallel_setup_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

-- The whole answer counts in passes over the fleet, and fetches no more machines than it names and passes by.
CREATE FUNCTION pg_temp.fetched() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relid = 'gpu_machines'::regclass$$;
BEGIN;
SELECT pg_temp.fetched() AS before \gset
SELECT jsonb_array_length(launch_by_workload('meta-llama/Llama-3.1-8B', max_price => 5, tier => 'secure', countries => '{DE,FR}') -> 'recommended');
SELECT pg_temp.fetched() - :before BETWEEN 20 AND 300 AS fetches_a_few;
COMMIT;
TRUNCATE gpu_machines;
