-- The views for dashboards: what BI tools see, and that the figures are the recommender's own.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
TRUNCATE gpu_machines, gpu_measurements;
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour, available) VALUES
    ('m1', 'secure',    'DE', 'L4',        1,  24, 'datasheet',  0.50, true),
    ('m2', 'secure',    'DE', 'L4',        1,  24, 'datasheet',  0.40, true),
    ('m3', 'secure',    'DE', 'L4',        4,  24, 'datasheet',  2.00, true),
    ('m4', 'community', 'FR', 'RTX 4090',  1,  24, 'provider',   0.40, true),
    ('m5', 'secure',    'US', 'H100 SXM',  8,  80, 'datacenter', 20,   true),
    ('m6', 'secure',    'US', 'H100 SXM',  8,  80, 'datacenter', 10,   false),
    ('m7', 'secure',    NULL, NULL,        1, NULL, NULL,        0.01, true),
    ('m8', 'community', 'FR', 'RTX 4090',  2,  24, 'provider',   NULL, true);

-- As somebody types it.
SELECT model, bits, context_tokens, round(needed_gib::numeric, 2) AS needed_gib, machines_that_fit, cheapest_price_per_hour, cheapest_machine_id,
       cheapest_gpus_used, longest_context_tokens, most_requests
  FROM gpu_model_fit WHERE model IN ('meta-llama/Llama-3.1-8B', 'meta-llama/Llama-3.1-405B', 'openai/whisper-large-v3', 'black-forest-labs/FLUX.1-dev', 'EleutherAI/pythia-160m', 'moonshotai/Kimi-K2.5')
 ORDER BY model, bits DESC;
SELECT * FROM gpu_fleet_summary ORDER BY summary_id;
SELECT model, bits, round(needed_gib::numeric, 2) AS needed_gib, round(short_gib::numeric, 2) AS short_gib, nearest_machine_id, nearest_gpu_count, verdict
  FROM gpu_fleet_gaps WHERE model IN ('meta-llama/Llama-3.1-405B', 'deepseek-ai/DeepSeek-V3', 'Qwen/Qwen-Image') ORDER BY model, bits DESC;

-- Plain types, a comment on each column, a unique first column.
SELECT c.relname, a.attname, format_type(a.atttypid, NULL) AS type
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
 WHERE c.relname IN ('gpu_model_fit', 'gpu_fleet_summary', 'gpu_fleet_gaps') ORDER BY c.relname, a.attnum;
SELECT count(*) AS not_plain FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
 WHERE c.relname IN ('gpu_model_fit', 'gpu_fleet_summary', 'gpu_fleet_gaps') AND (col_description(c.oid, a.attnum) IS NULL
        OR a.atttypid NOT IN ('text'::regtype, 'double precision'::regtype, 'numeric'::regtype, 'boolean'::regtype, 'integer'::regtype));
SELECT count(*) = count(DISTINCT fit_id) AS fits, (SELECT count(*) = count(DISTINCT summary_id) FROM gpu_fleet_summary) AS summaries,
       (SELECT count(*) = count(DISTINCT fit_id) FROM gpu_fleet_gaps) AS gaps, count(*) = 3 * (SELECT count(*) FROM gpu_models) AS every_model
  FROM gpu_model_fit;

-- The figures are the recommender's.
SELECT count(*) AS compared,
       count(*) FILTER (WHERE (f.machines_that_fit, f.cheapest_machine_id, f.cheapest_price_per_hour_exact, f.cheapest_gpus_used)
                              IS DISTINCT FROM (r.machines::integer, r.ids[1], r.prices[1], r.gpus[1])) AS different
  FROM gpu_model_fit AS f
 CROSS JOIN LATERAL (SELECT count(*) AS machines, array_agg(m.machine_id) AS ids, array_agg(m.price_per_hour) AS prices, array_agg(m.gpus_used) AS gpus
                       FROM recommend_machines(f.model, f.bits, coalesce(f.context_tokens, 1)) AS m) AS r
 WHERE f.needed_gib IS NOT NULL AND length(f.model) % 5 = 0;
SELECT count(*) AS compared, count(*) FILTER (WHERE (f.longest_context_tokens, f.most_requests) IS DISTINCT FROM
           (CASE f.kind WHEN 'language' THEN gpu_max_context(f.model, f.bits, 1, m.gpu_count, m.gpu_memory_gib) END,
            gpu_max_concurrency(f.model, f.bits, coalesce(f.context_tokens, 1), m.gpu_count, m.gpu_memory_gib))) AS different
  FROM gpu_model_fit AS f JOIN gpu_machines AS m ON m.machine_id = f.cheapest_machine_id
 WHERE length(f.model) % 5 = 0;
-- What is missing from one is in the other.
SELECT count(*) FILTER (WHERE f.machines_that_fit = 0) AS without_a_machine, count(g.fit_id) AS gaps, count(*) FILTER (WHERE (f.machines_that_fit = 0) <> (g.fit_id IS NOT NULL)) AS wrong,
       count(*) FILTER (WHERE g.short_gib <= 0 OR g.verdict NOT LIKE 'Does not fit: %') AS odd
  FROM gpu_model_fit AS f LEFT JOIN gpu_fleet_gaps AS g USING (fit_id);
-- The nearest machine is the one that lacks the least.
SELECT count(*) AS compared, count(*) FILTER (WHERE g.short_gib <> least.short_gib) AS wrong
  FROM gpu_fleet_gaps AS g
 CROSS JOIN LATERAL (SELECT min(k * (gpu_need_gib(n.need, k) / k - m.gpu_memory_gib)) AS short_gib
                       FROM (SELECT gpu_need(g.model, g.bits, coalesce(g.context_tokens, 1)) AS need) AS n, gpu_machines AS m, LATERAL (
                            SELECT max(k) AS k FROM generate_series(1, m.gpu_count) AS k WHERE gpu_need_gib(n.need, k) IS NOT NULL) AS k
                      WHERE m.available AND m.price_per_hour IS NOT NULL AND m.gpu_memory_gib IS NOT NULL) AS least
 WHERE length(g.model) % 3 = 0;

-- A condition on the model reaches the catalogue; and a column that nobody selects costs nothing.
\i test/regress/plan_of.sql
SELECT * FROM pg_temp.plan_of($$SELECT machines_that_fit, cheapest_machine_id FROM gpu_model_fit WHERE model = 'meta-llama/Llama-3.1-8B' AND bits = 8$$, 'VERBOSE', '(on public\.gpu_models|Index Cond: .*model|gpu_model_max)');

-- An empty fleet: every model is short, of no machine.
BEGIN;
TRUNCATE gpu_machines;
SELECT count(*) AS gaps, count(short_gib) AS short, count(nearest_machine_id) AS machines FROM gpu_fleet_gaps;
SELECT count(*) AS models, sum(machines_that_fit) AS fits, count(cheapest_machine_id) AS machines FROM gpu_model_fit;
SELECT count(*) FROM gpu_fleet_summary;
ROLLBACK;

-- A fleet of one's own has them too, with the rights of whoever asks.
CREATE SCHEMA views_own;
CREATE TABLE views_own.fleet AS TABLE gpu_machines;
ALTER TABLE views_own.fleet ALTER gpu_count TYPE bigint, ADD owner text NOT NULL DEFAULT 'nobody';
SELECT gpu_advisor_use_fleet('views_own.fleet');
SELECT (SELECT count(*) FROM (TABLE views_own.gpu_model_fit EXCEPT TABLE gpu_model_fit) AS d) AS fit,
       (SELECT count(*) FROM (TABLE views_own.gpu_fleet_summary EXCEPT TABLE gpu_fleet_summary) AS d) AS summary,
       (SELECT count(*) FROM (TABLE views_own.gpu_fleet_gaps EXCEPT TABLE gpu_fleet_gaps) AS d) AS gaps;
-- Called again it replaces them; what it did not make it leaves alone.
SELECT gpu_advisor_use_fleet('views_own.fleet');
CREATE SCHEMA views_taken;
CREATE TABLE views_taken.gpu_fleet_gaps (fit_id text);
SELECT gpu_advisor_use_fleet('views_own.fleet', 'views_taken');
\set VERBOSITY default
CREATE ROLE regress_gpu_viewer;
GRANT USAGE ON SCHEMA views_own TO regress_gpu_viewer;
GRANT SELECT ON views_own.gpu_model_fit, views_own.gpu_fleet_summary, views_own.gpu_fleet_gaps TO regress_gpu_viewer;
SET ROLE regress_gpu_viewer;
SELECT count(*) FROM gpu_fleet_summary;
SELECT count(*) FROM views_own.gpu_fleet_summary;
RESET ROLE;
GRANT SELECT ON views_own.fleet TO regress_gpu_viewer;
ALTER TABLE views_own.fleet ENABLE ROW LEVEL SECURITY;
CREATE POLICY in_france ON views_own.fleet TO regress_gpu_viewer USING (country = 'FR');
SET ROLE regress_gpu_viewer;
SELECT summary_id, machines FROM views_own.gpu_fleet_summary;
SELECT machines_that_fit FROM views_own.gpu_model_fit WHERE model = 'meta-llama/Llama-3.1-8B' AND bits = 16;
SELECT nearest_machine_id FROM views_own.gpu_fleet_gaps WHERE model = 'meta-llama/Llama-3.1-405B' AND bits = 16;
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA views_own, views_taken CASCADE;
RESET client_min_messages;
DROP ROLE regress_gpu_viewer;
TRUNCATE gpu_machines;
