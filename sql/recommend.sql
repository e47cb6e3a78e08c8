-- Which machines are recommended: each rule decides alone, on fleets written by hand.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
TRUNCATE gpu_machines, gpu_measurements;
\i test/regress/plan_of.sql

-- One machine that fits, and copies of it that each differ in one thing.
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour)
VALUES ('fits', 'secure', 'DE', 'L4', 1, 24, 'datacenter', 1.00);
INSERT INTO gpu_machines
SELECT r.* FROM gpu_machines AS m,
       (VALUES ('{"machine_id": "not-available", "available": false}'),
               ('{"machine_id": "too-small", "gpu_memory_gib": 16}'),
               ('{"machine_id": "memory-unknown", "gpu_memory_gib": null}'),
               ('{"machine_id": "count-unknown", "gpu_count": null}'),
               ('{"machine_id": "price-unknown", "price_per_hour": null}'),
               ('{"machine_id": "country-unknown", "country": null, "price_per_hour": 0.50}'),
               ('{"machine_id": "abroad", "country": "US", "price_per_hour": 0.40}'),
               ('{"machine_id": "in-reunion", "country": "RE", "price_per_hour": 0.45}'),
               ('{"machine_id": "community", "tier": "community", "memory_source": "provider", "price_per_hour": 0.30}'),
               ('{"machine_id": "dear", "price_per_hour": 3}'),
               ('{"machine_id": "free", "price_per_hour": 0}'),
               ('{"machine_id": "a-tie"}'),
               ('{"machine_id": "z-tie"}'),
               ('{"machine_id": "three-gpus", "gpu_count": 3, "gpu_memory_gib": 12, "price_per_hour": 0.90}'),
               ('{"machine_id": "spot", "interruptible": true, "max_booking_hours": 12, "price_per_hour": 0.35}')) AS t (j),
       jsonb_populate_record(m, j::jsonb) AS r
 WHERE m.machine_id = 'fits';

-- Everything that fits, is available and has a price, cheapest first, ties by id.
SELECT machine_id, price_per_hour, gpus_used, round(needed_gib_per_gpu::numeric, 2) AS needed, round(free_gib_per_gpu::numeric, 2) AS free
  FROM recommend_machines('meta-llama/Llama-3.1-8B');
-- Each preference.
SELECT machine_id FROM recommend_machines('llama-3.1-8B', max_price => 0.4);
SELECT machine_id FROM recommend_machines('llama-3.1-8B', max_price => 0);
SELECT machine_id FROM recommend_machines('llama-3.1-8B', tier => 'community');
SELECT machine_id FROM recommend_machines('llama-3.1-8B', tier => 'secure', max_price => 0.5);
SELECT machine_id FROM recommend_machines('llama-3.1-8B', countries => '{us}');
-- The EU stands for its member states: no territory with a code of its own, and nothing unknown.
SELECT machine_id, country FROM recommend_machines('llama-3.1-8B', countries => '{EU}', max_price => 0.6);
SELECT machine_id, country FROM recommend_machines('llama-3.1-8B', countries => '{EU,RE}', max_price => 0.6);
-- How long the budget lasts.
SELECT machine_id, price_per_hour, budget_hours FROM recommend_machines('llama-3.1-8B', budget => 10) LIMIT 4;
SELECT DISTINCT budget_hours FROM recommend_machines('llama-3.1-8B');
-- The whole row.
\x on
SELECT * FROM recommend_machines('llama-3.1-8B', budget => 10) WHERE machine_id IN ('community', 'three-gpus', 'spot', 'fits');
\x off
-- A need that is not known recommends nothing.
SELECT count(*) FROM recommend_machines('moonshotai/Kimi-K2.5');

-- Countries.
SELECT gpu_countries('{de,FR,DE}'), gpu_countries(NULL) IS NULL AS any_country, cardinality(gpu_countries('{EU}')) AS member_states;
SELECT gpu_countries('{EU,GB,EU}');
SELECT gpu_countries('{RE,GP,MQ,GF,YT,MF,AX}');

-- A measured speed is shown where it was measured: that machine, model and precision; the latest.
INSERT INTO gpu_measurements VALUES
    ('fits', 'meta-llama/Llama-3.1-8B', 16, 40, 'tokens/s', '2026-01-01'),
    ('fits', 'meta-llama/Llama-3.1-8B', 16, 42, 'tokens/s', '2026-02-01'),
    ('fits', 'meta-llama/Llama-3.1-8B', 8, 77, 'tokens/s', '2026-03-01'),
    ('a-tie', 'meta-llama/Llama-3.1-70B', 16, 5, 'tokens/s', '2026-03-01');
SELECT machine_id, measured_speed, measured_unit FROM recommend_machines('llama-3.1-8b', max_price => 1, tier => 'secure', countries => '{DE}') WHERE price_per_hour = 1;
SELECT machine_id, measured_speed FROM recommend_machines('llama-3.1-8B', bits => 8) WHERE measured_speed IS NOT NULL;
SELECT count(measured_speed) FROM recommend_machines('llama-3.1-8B', bits => 4);
TRUNCATE gpu_measurements;

-- The same question twice gives the same bytes, however the rows are stored, in parallel too.
CREATE TEMP TABLE once AS SELECT * FROM recommend_machines('llama-3.1-8B', budget => 10);
CREATE TEMP TABLE document AS SELECT launch_by_workload('llama-3.1-8B', budget => 10, max_price => 0.9, tier => 'secure')::text AS d;
CREATE TEMP TABLE shuffled AS SELECT * FROM gpu_machines ORDER BY md5(machine_id);
TRUNCATE gpu_machines;
INSERT INTO gpu_machines SELECT * FROM shuffled;
SELECT (SELECT array_agg(o::text) FROM once AS o) = (SELECT array_agg(r::text) FROM recommend_machines('llama-3.1-8B', budget => 10) AS r) AS same;
SELECT d = launch_by_workload('llama-3.1-8B', budget => 10, max_price => 0.9, tier => 'secure')::text AS same_document FROM document;
ANALYZE gpu_machines;
SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET enable_indexscan = off; SET enable_bitmapscan = off;
SELECT (SELECT array_agg(o::text) FROM once AS o) = (SELECT array_agg(r::text) FROM recommend_machines('llama-3.1-8B', budget => 10) AS r) AS same_in_parallel;
SELECT d = launch_by_workload('llama-3.1-8B', budget => 10, max_price => 0.9, tier => 'secure')::text AS same_document_in_parallel FROM document;
SELECT * FROM pg_temp.plan_of($$SELECT machine_id, price_per_hour FROM recommend_machines('llama-3.1-8B')$$);
