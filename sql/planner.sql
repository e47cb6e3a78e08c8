-- What the planner knows of a fit: how many machines pass, and where the few are that hold a large need.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
TRUNCATE gpu_machines, gpu_measurements;
\set QUIET on
\o /dev/null
\i examples/fleet/load.sql
\o
\set ON_ERROR_STOP off
VACUUM ANALYZE gpu_machines;

-- The estimate is within a factor of 3 of the truth on the real fleet, from 4 to 600 GiB, on any split.
CREATE FUNCTION pg_temp.estimate(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END
$$;
CREATE FUNCTION pg_temp.truth(need gpu_need) RETURNS numeric LANGUAGE sql AS
    'SELECT count(*) FROM gpu_machines AS m WHERE gpu_fits(need, m.gpu_count, m.gpu_memory_gib)';
CREATE TEMP TABLE compared AS
SELECT q.gib, pg_temp.estimate(format('SELECT FROM gpu_machines AS m WHERE gpu_fits(%s, m.gpu_count, m.gpu_memory_gib)', q.need)) AS estimate,
       pg_temp.truth(q.value) AS truth
  FROM (SELECT format('(SELECT gpu_need(%L, %s, %s))', m.model, b.bits, least(m.max_context, 4096)) AS need,
               gpu_model_need(m, b.bits, least(m.max_context, 4096)) AS value,
               gpu_need_gib(gpu_model_need(m, b.bits, least(m.max_context, 4096))) AS gib
          FROM gpu_models AS m, (VALUES (16), (8), (4)) AS b (bits)
         WHERE m.kind = 'language' AND m.params % 3 = 0
        UNION ALL
        SELECT format('(SELECT gpu_need(NULL, memory_gib => %s))', g), gpu_need(NULL, memory_gib => g), g
          FROM generate_series(4, 600, 12) AS g) AS q
 WHERE q.gib BETWEEN 4 AND 600;
SELECT count(*) > 300 AS many_needs, min(gib) < 5 AS from_small, max(gib) > 500 AS to_large,
       count(*) FILTER (WHERE estimate > 3 * greatest(truth, 1) OR 3 * estimate < truth) AS beyond_a_factor_of_3
  FROM compared;
-- A constant, a need in a CTE and a parameter are seen through; where nothing is known, a third is assumed.
SELECT count(*) AS machines FROM gpu_machines \gset
SELECT pg_temp.truth(gpu_need(NULL, memory_gib => 100)) AS truth \gset
SELECT q.need, q.estimate BETWEEN :truth / 3.0 AND :truth * 3.0 AS near, q.estimate BETWEEN :machines / 3 - 1 AND :machines / 3 + 1 AS a_third
  FROM (SELECT w.need, pg_temp.estimate(format('WITH w AS MATERIALIZED (SELECT gpu_need(NULL, memory_gib => 100) AS need) SELECT FROM gpu_machines AS m WHERE gpu_fits(%s, m.gpu_count, m.gpu_memory_gib)', w.need)) AS estimate
          FROM (VALUES ('gpu_need(NULL, memory_gib => 100)'), ('(SELECT gpu_need(NULL, memory_gib => 100))'), ('(SELECT w.need FROM w)'),
                       ('(SELECT gpu_need(NULL, memory_gib => 100 + 0 * random()))')) AS w (need)) AS q;
-- A need that is not known fits nowhere.
SELECT pg_temp.estimate($$SELECT FROM gpu_machines AS m WHERE gpu_fits((SELECT gpu_need('moonshotai/Kimi-K2.5', 16)), m.gpu_count, m.gpu_memory_gib)$$);
-- The recommender's rows follow.
SELECT r.estimate BETWEEN r.truth / 3.0 AND r.truth * 3.0 AS near
  FROM (SELECT pg_temp.estimate($$SELECT * FROM recommend_machines('llama-3.3-70b-instruct', ctx => 8192)$$) AS estimate,
               (SELECT count(*) FROM recommend_machines('llama-3.3-70b-instruct', ctx => 8192)) AS truth) AS r;

-- Few machines are large: the index on the capacity or on one GPU's memory finds them, and their prices are sorted.
TRUNCATE gpu_machines;
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour)
SELECT 'm' || lpad(i::text, 6, '0'), 'secure', 'DE', 'GPU', CASE WHEN i % 5000 = 1 THEN 64 ELSE 1 << (i % 4) END, CASE WHEN i % 5000 = 0 THEN 192 WHEN i % 5000 = 1 THEN 80 ELSE (ARRAY[16, 24, 48, 80])[1 + i % 4] END,
       'datacenter', 0.1 + (i * 7919 % 20000) / 1000.0
  FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE gpu_machines;
SET max_parallel_workers_per_gather = 0;
\i test/regress/plan_of.sql
\set scans '(Index Scan|Seq Scan|Bitmap|Sort Key|One-Time)'
SELECT * FROM pg_temp.plan_of('SELECT machine_id FROM recommend_machines(NULL, memory_gib => 100) LIMIT 10', 'ANALYZE', :'scans');
SELECT * FROM pg_temp.plan_of($$SELECT machine_id FROM recommend_machines('mistralai/Mistral-Large-Instruct-2411', 16, 100000, 12) LIMIT 10$$, 'ANALYZE', :'scans');
SELECT * FROM pg_temp.plan_of('SELECT machine_id FROM recommend_machines(NULL, memory_gib => 20) LIMIT 10', 'ANALYZE', :'scans');
-- What no machine holds reads none: not with the need at hand, and not in a generic plan.
SELECT * FROM pg_temp.plan_of('SELECT machine_id FROM recommend_machines(NULL, memory_gib => 100000) LIMIT 10', 'ANALYZE', :'scans');
PREPARE generic (double precision) AS SELECT machine_id FROM recommend_machines(NULL, memory_gib => $1) LIMIT 10;
SET plan_cache_mode = force_generic_plan;
SELECT * FROM pg_temp.plan_of('EXECUTE generic (100000)', 'ANALYZE', :'scans');
SELECT * FROM pg_temp.plan_of('EXECUTE generic (20)', 'ANALYZE', :'scans');
RESET plan_cache_mode;
-- The answer is the same with and without the index.
CREATE TEMP TABLE with_index AS SELECT g, r.machine_id FROM generate_series(10, 200, 5) AS g, LATERAL (SELECT machine_id FROM recommend_machines(NULL, memory_gib => g) LIMIT 7) AS r;
BEGIN;
DROP INDEX gpu_machines_capacity;
SELECT count(*) FROM ((TABLE with_index EXCEPT SELECT g, r.machine_id FROM generate_series(10, 200, 5) AS g, LATERAL (SELECT machine_id FROM recommend_machines(NULL, memory_gib => g) LIMIT 7) AS r)
                      UNION ALL
                      (SELECT g, r.machine_id FROM generate_series(10, 200, 5) AS g, LATERAL (SELECT machine_id FROM recommend_machines(NULL, memory_gib => g) LIMIT 7) AS r EXCEPT TABLE with_index)) AS d;
ROLLBACK;
SELECT count(*) FROM with_index;

-- A fleet of one's own has the one-time filter where it has the index.
CREATE SCHEMA planner_fleet;
CREATE TABLE planner_fleet.fleet AS TABLE gpu_machines;
SELECT gpu_advisor_use_fleet('planner_fleet.fleet');
SELECT count(*) FROM pg_temp.plan_of('SELECT machine_id FROM planner_fleet.recommend_machines(NULL, memory_gib => 20) LIMIT 1') AS p WHERE p ~ 'One-Time.*>=';
CREATE INDEX ON planner_fleet.fleet ((gpu_count * gpu_memory_gib));
ANALYZE planner_fleet.fleet;
SELECT gpu_advisor_use_fleet('planner_fleet.fleet');
SELECT count(*) FROM pg_temp.plan_of('SELECT machine_id FROM planner_fleet.recommend_machines(NULL, memory_gib => 20) LIMIT 1') AS p WHERE p ~ 'One-Time.*>=';

-- A distributed fleet: functions in PL/pgSQL that answer the same, with at most max_machines machines.
CREATE SCHEMA planner_spread;
CREATE TABLE planner_spread.fleet AS TABLE gpu_machines;
SELECT gpu_advisor_use_fleet('planner_spread.fleet', distributed => true);
INSERT INTO gpu_measurements VALUES ('m000004', 'meta-llama/Llama-3.1-8B', 16, 71, 'tokens/s', '2026-01-01');
SELECT p.proname, l.lanname, pg_get_function_result(p.oid) AS result, pg_get_function_arguments(p.oid) ~ 'max_machines' AS limited
  FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang WHERE p.pronamespace = 'planner_spread'::regnamespace ORDER BY p.proname;
CREATE TEMP TABLE asked (n, model, bits, ctx, conc, task, memory_gib, budget, max_price, tier, countries, max_machines) AS VALUES
    (1, 'meta-llama/Llama-3.1-8B', 16::bigint, 4096::bigint, 1::bigint, NULL, NULL::double precision, 10::double precision, 2::double precision, 'secure', '{EU}'::text[], 20::bigint),
    (2, 'llama-3.1-8b', 16, 8192, 4, NULL, NULL, NULL, 0.3, 'both', NULL, 5),
    (3, 'llama-3.3-70b-instruct', 16, 4096, 1, NULL, NULL, NULL, 5, 'community', '{DE,US}', 50),
    (4, 'llama-3.3-70b-instruct', 8, 4096, 1, NULL, NULL, NULL, 3, 'secure', NULL, 3),
    (5, 'llama-3.1-8b', 4, 4096, 1, 'finetune', NULL, NULL, NULL, 'both', NULL, 1),
    (6, NULL, 16, 4096, 1, NULL, 40, 7.5, 1, 'secure', '{FR}', 20),
    (7, NULL, 16, 4096, 1, NULL, 90000, NULL, NULL, 'both', NULL, 20),
    (8, 'moonshotai/Kimi-K2.5', 16, 4096, 1, NULL, NULL, NULL, NULL, 'both', NULL, 20),
    (9, 'llama-3.1-8b', 16, 4096, 1, NULL, NULL, NULL, NULL, 'both', NULL, 0);
SELECT a.n, jsonb_array_length(here -> 'recommended') AS recommended, jsonb_array_length(here -> 'alternatives') AS alternatives,
       here IS NOT DISTINCT FROM there AS same,
       (SELECT count(*) FROM planner_spread.recommend_machines(a.model, a.bits, a.ctx, a.conc, a.task, a.memory_gib, a.budget, a.max_price, a.tier, a.countries, a.max_machines)) AS listed
  FROM asked AS a
 CROSS JOIN LATERAL (SELECT launch_by_workload(a.model, a.bits, a.ctx, a.conc, a.task, a.memory_gib, a.budget, a.max_price, a.tier, a.countries, a.max_machines) AS here,
                            planner_spread.launch_by_workload(a.model, a.bits, a.ctx, a.conc, a.task, a.memory_gib, a.budget, a.max_price, a.tier, a.countries, a.max_machines) AS there) AS b
 ORDER BY a.n;
SELECT machine_id, measured_speed, measured_unit FROM planner_spread.recommend_machines('llama-3.1-8b', max_machines => 20000) WHERE measured_speed IS NOT NULL;
\set VERBOSITY terse
SELECT count(*) FROM planner_spread.recommend_machines('llama-3.1-8b', max_machines => -1);
SELECT count(*) FROM planner_spread.recommend_machines('llama-3.1-8b', tier => 'gold');
\set VERBOSITY default
-- Both kinds in one place: the later call replaces the earlier.
SELECT gpu_advisor_use_fleet('planner_spread.fleet', distributed => false);
SELECT count(*) FROM pg_proc WHERE pronamespace = 'planner_spread'::regnamespace AND proname = 'recommend_machines';
-- So it does in a schema with an awkward name, and leaves functions of other people's alone.
CREATE SCHEMA "planner (a text, b";
CREATE FUNCTION "planner (a text, b".recommend_machines(text) RETURNS text LANGUAGE sql RETURN $1;
SELECT gpu_advisor_use_fleet('planner_spread.fleet', 'planner (a text, b', true);
SELECT gpu_advisor_use_fleet('planner_spread.fleet', 'planner (a text, b', false);
SELECT proname, pronargs FROM pg_proc WHERE pronamespace = '"planner (a text, b"'::regnamespace ORDER BY 1, 2;
SET client_min_messages = warning;
DROP SCHEMA planner_fleet, planner_spread, "planner (a text, b" CASCADE;
RESET client_min_messages;
TRUNCATE gpu_machines, gpu_measurements;
