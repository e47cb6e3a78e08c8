-- Alternatives, constraints, confidence and limits: each rule decides alone.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
SET jit = off;
TRUNCATE gpu_machines, gpu_measurements;
\i test/regress/plan_of.sql

-- A model of round figures: 8 heads, 2 KV heads; 10 GiB of weights at 16 bits and no cache to
-- speak of: 13.00 GiB on one GPU, 7.00 on each of two, 4.00 of four, 2.50 of eight.
BEGIN;
INSERT INTO gpu_models (model, params, layers, attention_heads, kv_heads, head_dim, hidden_size, vocab_size, unquantized_params)
VALUES ('test/round', 5368709120, 1, 8, 2, 1, 64, 64, 0);
CREATE FUNCTION pg_temp.fleet(VARIADIC machines jsonb[]) RETURNS bigint LANGUAGE sql AS $$
    DELETE FROM gpu_machines;
    INSERT INTO gpu_machines
    SELECT r.* FROM unnest(machines) AS j,
           jsonb_populate_record(NULL::gpu_machines, '{"tier": "secure", "country": "DE", "gpu_name": "GPU", "gpu_count": 1, "gpu_memory_gib": 24,
               "memory_source": "datacenter", "price_per_hour": 1, "available": true, "interruptible": false}' || j) AS r;
    SELECT count(*) FROM gpu_machines;
$$;

-- Confidence: high, and each step down alone; low is the floor.
SELECT pg_temp.fleet('{"machine_id": "a data centre, one GPU"}',
                     '{"machine_id": "b two GPUs", "gpu_count": 2, "gpu_memory_gib": 12}',
                     '{"machine_id": "c datasheet", "memory_source": "datasheet"}',
                     '{"machine_id": "d provider", "memory_source": "provider"}',
                     '{"machine_id": "e unknown source", "memory_source": null}',
                     '{"machine_id": "f tight", "gpu_memory_gib": 14}',
                     '{"machine_id": "g not quite tight", "gpu_memory_gib": 14.5}',
                     '{"machine_id": "h two steps", "memory_source": "datasheet", "gpu_memory_gib": 14}',
                     '{"machine_id": "i three steps", "memory_source": "provider", "gpu_count": 2, "gpu_memory_gib": 7.5}');
SELECT machine_id, gpus_used, round(free_gib_per_gpu::numeric, 2) AS free, confidence, limits FROM recommend_machines('test/round', ctx => 1);
SELECT machine_id, confidence FROM recommend_machines('test/round', ctx => 1, bits => 8) LIMIT 1;
SELECT machine_id, confidence FROM recommend_machines('test/round', ctx => 1, task => 'finetune') LIMIT 1;
SELECT machine_id, confidence FROM recommend_machines('test/round', ctx => 1, task => 'finetune', bits => 4) LIMIT 1;
SELECT machine_id, confidence FROM recommend_machines('openai/whisper-tiny') LIMIT 1;
SELECT machine_id, confidence FROM recommend_machines('stable-diffusion-v1-5/stable-diffusion-v1-5') LIMIT 1;
SELECT machine_id, confidence FROM recommend_machines(memory_gib => 10) LIMIT 1;
SELECT machine_id, confidence FROM recommend_machines(memory_gib => 10, bits => 4) LIMIT 1;

-- A margin smaller than the unquantized part counts as tight: 8 bits need 7 GiB; 4 GiB stay at 16.
UPDATE gpu_models SET unquantized_params = 4294967296 WHERE model = 'test/round';
SELECT pg_temp.fleet('{"machine_id": "a less free", "gpu_memory_gib": 10.9}', '{"machine_id": "b as much", "gpu_memory_gib": 11.1}');
SELECT machine_id, confidence, limits FROM recommend_machines('test/round', ctx => 1, bits => 8);
UPDATE gpu_models SET unquantized_params = 0 WHERE model = 'test/round';

-- Limits: each sentence alone.
SELECT pg_temp.fleet('{"machine_id": "a booking", "max_booking_hours": 24}', '{"machine_id": "b booking", "max_booking_hours": 1}',
                     '{"machine_id": "c interruptible", "interruptible": true}', '{"machine_id": "d community", "tier": "community"}',
                     '{"machine_id": "e KV heads repeated", "gpu_count": 4, "gpu_memory_gib": 6}',
                     '{"machine_id": "f KV heads whole", "gpu_count": 2, "gpu_memory_gib": 12}');
SELECT machine_id, gpus_used, limits, interruptible, max_booking_hours FROM recommend_machines('test/round', ctx => 1);
SELECT limits FROM recommend_machines('stable-diffusion-v1-5/stable-diffusion-v1-5') LIMIT 1;

-- Alternatives: each preference broken alone, and both; never outside the countries, never what is
-- not available, does not fit or lacks a figure.
SELECT pg_temp.fleet('{"machine_id": "keeps all", "price_per_hour": 0.5}',
                     '{"machine_id": "over price", "price_per_hour": 1.25}',
                     '{"machine_id": "other tier", "price_per_hour": 0.2, "tier": "community"}',
                     '{"machine_id": "both", "price_per_hour": 2, "tier": "community"}',
                     '{"machine_id": "abroad", "price_per_hour": 2, "country": "US"}',
                     '{"machine_id": "nowhere", "price_per_hour": 2, "country": null}',
                     '{"machine_id": "too small", "price_per_hour": 2, "gpu_memory_gib": 12}',
                     '{"machine_id": "gone", "price_per_hour": 2, "available": false}',
                     '{"machine_id": "no price", "price_per_hour": null, "tier": "community"}',
                     '{"machine_id": "no memory", "gpu_memory_gib": null, "tier": "community"}');
SELECT alternative, bits, machines, machine_id, gain FROM recommend_alternatives('test/round', ctx => 1, max_price => 1, tier => 'secure', countries => '{DE}');
SELECT alternative, bits, machines, machine_id, gain FROM recommend_alternatives('test/round', ctx => 1, max_price => 1, countries => '{DE}');
SELECT alternative, bits, machines, machine_id, gain FROM recommend_alternatives('test/round', ctx => 1, tier => 'community', countries => '{DE}');
SELECT count(*) AS without_preferences FROM recommend_alternatives('test/round', ctx => 1, countries => '{DE}') WHERE alternative <> 'lower_precision';

-- Lower precisions: one row for each that opens more machines or a cheaper one.
SELECT pg_temp.fleet('{"machine_id": "fits 16", "price_per_hour": 3}', '{"machine_id": "fits 8", "gpu_memory_gib": 8, "price_per_hour": 1}',
                     '{"machine_id": "fits 4", "gpu_memory_gib": 5, "price_per_hour": 0.5}', '{"machine_id": "fits 4, dear", "gpu_memory_gib": 5, "price_per_hour": 5}',
                     '{"machine_id": "fits 4, abroad", "gpu_memory_gib": 5, "price_per_hour": 0.1, "country": "US"}');
SELECT alternative, bits, machines, machine_id, gpus_used, round(needed_gib_per_gpu::numeric, 2) AS needed, confidence, gain FROM recommend_alternatives('test/round', ctx => 1, countries => '{DE}');
SELECT alternative, bits, machines, machine_id, gain FROM recommend_alternatives('test/round', ctx => 1, bits => 8, countries => '{DE}');
SELECT alternative, bits, machines, machine_id, gain FROM recommend_alternatives('test/round', ctx => 1, bits => 4, countries => '{DE}');
SELECT alternative, bits, machines, machine_id, gain FROM recommend_alternatives('test/round', ctx => 1, max_price => 0.5, countries => '{DE}');
SELECT count(*) AS notebook FROM recommend_alternatives(memory_gib => 6, countries => '{DE}');
-- A precision that opens nothing has no row.
SELECT pg_temp.fleet('{"machine_id": "fits all"}');
SELECT count(*) AS nothing_to_gain FROM recommend_alternatives('test/round', ctx => 1);
-- A measured speed of the lower precision, and of no other.
SELECT pg_temp.fleet('{"machine_id": "fits 8", "gpu_memory_gib": 8}');
INSERT INTO gpu_measurements VALUES ('fits 8', 'test/round', 16, 16, 'tokens/s', '2026-01-01'), ('fits 8', 'test/round', 8, 8, 'tokens/s', '2026-01-01');
SELECT bits, measured_speed, measured_unit FROM recommend_alternatives('test/round', ctx => 1);
SELECT measured_speed FROM recommend_machines('test/round', ctx => 1, bits => 8);
SELECT measured_speed FROM recommend_machines('test/round', ctx => 1, bits => 4, task => 'finetune');

-- Constraints: each one takes a machine away, and one pass counts them.
SELECT pg_temp.fleet('{"machine_id": "1 not available", "available": false}', '{"machine_id": "2 no price", "price_per_hour": null}',
                     '{"machine_id": "2 no memory", "gpu_memory_gib": null}', '{"machine_id": "3 too small", "gpu_memory_gib": 12}',
                     '{"machine_id": "4 abroad", "country": "US"}', '{"machine_id": "5 other tier", "tier": "community"}',
                     '{"machine_id": "6 over price", "price_per_hour": 3}', '{"machine_id": "7 left"}');
SELECT * FROM recommend_constraints('test/round', ctx => 1, budget => 50, max_price => 2.5, tier => 'secure', countries => '{FR,DE}');
SELECT * FROM recommend_constraints('test/round', ctx => 1);
-- Where none is left: which single preference brings how many back, and which precision.
SELECT constraint_name, machines_left, advice FROM recommend_constraints('test/round', ctx => 1, max_price => 0.5, tier => 'secure', countries => '{DE}') WHERE advice IS NOT NULL;
SELECT constraint_name, machines_left, advice FROM recommend_constraints('test/round', ctx => 1, max_price => 2, tier => 'community', countries => '{US}') WHERE advice IS NOT NULL;
SELECT constraint_name, machines_left, advice FROM recommend_constraints('test/round', ctx => 1, max_price => 2, tier => 'secure', countries => '{JP}') WHERE advice IS NOT NULL;
SELECT constraint_name, machines_left, advice FROM recommend_constraints('test/round', ctx => 1, max_price => 0.5, tier => 'community', countries => '{JP}') WHERE advice IS NOT NULL;
SELECT constraint_name, machines_left, advice FROM recommend_constraints('meta-llama/Llama-3.1-405B', max_price => 2) WHERE advice IS NOT NULL;
SELECT pg_temp.fleet('{"machine_id": "fits 8", "gpu_memory_gib": 8}', '{"machine_id": "fits 4", "gpu_memory_gib": 5}');
SELECT constraint_name, machines_left, advice FROM recommend_constraints('test/round', ctx => 1) WHERE advice IS NOT NULL;
SELECT constraint_name, value, machines_left, advice FROM recommend_constraints('moonshotai/Kimi-K2.5') WHERE "position" BETWEEN 3 AND 5;
SELECT pg_temp.fleet(VARIADIC '{}');
SELECT constraint_name, machines_left, advice FROM recommend_constraints('test/round', ctx => 1);
SELECT * FROM pg_temp.plan_of($$SELECT constraint_name, machines_left FROM recommend_constraints('test/round', ctx => 1)$$);

-- The document: its keys, and nothing but documented nulls.
SELECT pg_temp.fleet('{"machine_id": "a"}', '{"machine_id": "b", "tier": "community", "price_per_hour": 2}');
CREATE TEMP TABLE doc AS SELECT launch_by_workload('test/round', ctx => 1, max_price => 1, tier => 'secure', budget => 10) AS d;
SELECT jsonb_object_keys(d) FROM doc ORDER BY 1;
SELECT jsonb_object_keys(d -> 'gpu_memory_needed') FROM doc ORDER BY 1;
SELECT string_agg(k, ', ' ORDER BY k) FROM doc, jsonb_object_keys(d #> '{recommended,0}') AS k;
SELECT string_agg(k, ', ' ORDER BY k) FROM doc, jsonb_object_keys(d #> '{alternatives,0}') AS k;
SELECT string_agg(k, ', ' ORDER BY k) FROM doc, jsonb_object_keys(d #> '{constraints,0}') AS k;
SELECT string_agg(k, ', ' ORDER BY k) FROM doc, jsonb_object_keys(d #> '{gpu_memory_needed,items,0}') AS k;
SELECT string_agg(DISTINCT k, ', ') AS nulls_of_a_machine FROM doc, jsonb_each(d #> '{recommended,0}') AS e (k, v) WHERE v = 'null';
SELECT jsonb_typeof(d #> '{recommended,0,price_per_hour}') AS price, jsonb_typeof(d #> '{gpu_memory_needed,total_bytes}') AS bytes, jsonb_typeof(d #> '{recommended,0,limits}') AS limits FROM doc;
SELECT launch_by_workload('test/round', ctx => 1, countries => '{JP}') -> 'recommended' AS empty;
SELECT jsonb_array_length(launch_by_workload('test/round', ctx => 1, max_machines => 1) -> 'recommended') AS one,
       jsonb_array_length(launch_by_workload('test/round', ctx => 1, max_machines => 0) -> 'recommended') AS zero;
SELECT d #> '{gpu_memory_needed,total_gib}' AS unknown, d #> '{gpu_memory_needed,workload}' AS workload, d -> 'recommended' AS recommended FROM launch_by_workload('moonshotai/Kimi-K2.5') AS d;
SAVEPOINT a; SELECT launch_by_workload('test/round', max_machines => -1); ROLLBACK TO a;
SELECT launch_by_workload('test/round', max_machines => NULL); ROLLBACK TO a;
SELECT launch_by_workload('test/round', tier => 'x'); ROLLBACK TO a;
SELECT launch_by_workload(); ROLLBACK TO a;

-- Verdicts.
SELECT gpu_fit_verdict(n, c, g) FROM gpu_need('test/round', ctx => 1) AS n, (VALUES (1, 24), (1, 12), (2, 12), (3, 6.5), (4, 6), (7, 3.5), (8, 3), (64, 1)) AS m (c, g);
SELECT gpu_fit_verdict(gpu_need('llama-3.1-70b', bits => 16), 12, 4), gpu_fit_verdict(gpu_need(NULL, memory_gib => 24), 4, 16), gpu_fit_verdict(gpu_need('test/round', 4, 1, 1, 'finetune'), 2, 2);
SELECT gpu_fit_verdict(NULL, 1, 24) IS NULL AS no_need, gpu_fit_verdict(gpu_need('test/round', ctx => 1), NULL, 24) IS NULL AS no_count, gpu_fit_verdict(gpu_need('test/round', ctx => 1), 1, NULL) IS NULL AS no_memory;
SELECT gpu_fit_verdict(gpu_need('test/round', ctx => 1), c, g) FROM (VALUES (0, 24.0::float8), (-1, 24), (1, 'NaN'), (1, 'infinity'), (1, 0), (9223372036854775807, 1)) AS m (c, g);
ROLLBACK;
