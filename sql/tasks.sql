-- Every task, item by item, and the answers that agree with each other over the whole catalogue.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
SET jit = off;
TRUNCATE gpu_machines;

-- Items, formulas and assumptions of each task.
\x on
SELECT item, formula, bytes, assumption FROM gpu_memory_items('meta-llama/Llama-3.1-8B', bits => 16, ctx => 2048, task => 'finetune');
SELECT item, formula, bytes, assumption FROM gpu_memory_items('deepseek-ai/DeepSeek-V2-Lite', bits => 8, ctx => 4096, task => 'finetune') WHERE item IN ('weights', 'adapters');
SELECT item, formula, bytes, assumption FROM gpu_memory_items('deepseek-ai/DeepSeek-V3', bits => 4, ctx => 4096, task => 'finetune') WHERE item IN ('weights', 'adapters');
SELECT item, formula, bytes, assumption FROM gpu_memory_items('Qwen/Qwen3-30B-A3B', bits => 4, ctx => 4096, task => 'finetune') WHERE item = 'activations';
SELECT item, formula, bytes, assumption FROM gpu_memory_items('stabilityai/stable-diffusion-xl-base-1.0', bits => 4);
SELECT item, formula, bytes, assumption FROM gpu_memory_items('openai/whisper-large-v3-turbo', bits => 8, conc => 2);
SELECT item, formula, bytes, assumption FROM gpu_memory_items(memory_gib => 22.5);
SELECT item, formula, bytes, assumption FROM gpu_memory_items('meta-llama/Llama-3.1-8B', bits => 4) WHERE item = 'weights';
-- Where a figure is missing, each item says which.
SELECT item, formula, bytes FROM gpu_memory_items('Qwen/Qwen-Image');
SELECT item, formula, bytes FROM gpu_memory_items('google/gemma-4-E2B-it', task => 'finetune') WHERE item = 'adapters';
SELECT item, formula, bytes FROM gpu_memory_items('mistralai/Mistral-Small-4-119B-2603', task => 'finetune');
\x off

-- Every model at every precision and task: items, total, need, text form and the jsonb say the same.
CREATE TEMP TABLE answers AS
SELECT m.model, m.kind, t.task, b.bits, c.ctx, gpu_model_need(m, b.bits, c.ctx, 3, t.task) AS from_row
  FROM gpu_models AS m, unnest(ARRAY[16, 8, 4]) AS b (bits), unnest(ARRAY['run', 'finetune', 'image']) AS t (task),
       LATERAL (SELECT least(4096, m.max_context)) AS c (ctx)
 WHERE CASE m.kind WHEN 'language' THEN t.task IN ('run', 'finetune') WHEN 'speech' THEN t.task = 'run' ELSE t.task = 'image' END;
SELECT kind, task, count(*) AS answers, count(from_row) AS known FROM answers GROUP BY kind, task ORDER BY kind, task;
SELECT count(*) AS compared,
       count(*) FILTER (WHERE i.bytes IS DISTINCT FROM total) AS items_differ,
       count(*) FILTER (WHERE gpu_need_gib(n) IS DISTINCT FROM gib) AS needs_differ,
       count(*) FILTER (WHERE n::text IS DISTINCT FROM from_row::text) AS rows_differ,
       count(*) FILTER (WHERE gpu_memory_needed(model, bits, ctx, 3, task) IS DISTINCT FROM gib) AS functions_differ,
       count(*) FILTER (WHERE (from_row IS NULL) <> i.some_unknown) AS unknown_differ
  FROM answers AS a
 CROSS JOIN LATERAL (SELECT gpu_need(a.model, a.bits, a.ctx, 3, a.task) AS n OFFSET 0) AS n
 CROSS JOIN LATERAL (SELECT CASE WHEN bool_and(i.bytes IS NOT NULL) THEN sum(i.bytes) END AS bytes, bool_or(i.bytes IS NULL) AS some_unknown
                       FROM gpu_memory_items(a.model, a.bits, a.ctx, 3, a.task) AS i) AS i
 CROSS JOIN LATERAL (SELECT (n::text::jsonb ->> 'total_bytes')::bigint AS total) AS t
 CROSS JOIN LATERAL (SELECT total / 1073741824.0::double precision AS gib) AS g;
-- On several GPUs, too.
SELECT count(*) AS compared, count(*) FILTER (WHERE i.bytes::double precision / 1073741824 IS DISTINCT FROM gpu_need_gib(a.from_row, g)) AS differ
  FROM answers AS a, unnest(ARRAY[2, 4, 8]) AS g
 CROSS JOIN LATERAL (SELECT sum(i.bytes) AS bytes FROM gpu_memory_items(a.model, a.bits, a.ctx, 3, a.task, gpus => g) AS i) AS i
 WHERE a.task = 'run' AND a.kind = 'language' AND a.bits = 8 AND gpu_need_gib(a.from_row, g) IS NOT NULL;

-- The jsonb, the rows and the scalar functions, over a fleet.
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour)
SELECT format('%sx%s', c, g), CASE WHEN c % 2 = 0 THEN 'secure' ELSE 'community' END, 'DE', 'GPU', c, g, 'datacenter', c * g / 100.0
  FROM unnest(ARRAY[1, 2, 4, 8]) AS c, unnest(ARRAY[8, 16, 24, 48, 80, 141]) AS g;
ANALYZE gpu_machines;
CREATE TEMP TABLE documents AS
SELECT a.*, launch_by_workload(a.model, a.bits, a.ctx, 3, a.task, max_price => 4, tier => 'secure', max_machines => 3) AS doc
  FROM answers AS a WHERE a.bits = 8;
SELECT count(*) AS documents,
       count(*) FILTER (WHERE doc #>> '{gpu_memory_needed,total_bytes}' IS DISTINCT FROM from_row::text::jsonb ->> 'total_bytes') AS totals_differ,
       count(*) FILTER (WHERE (doc #>> '{gpu_memory_needed,total_gib}')::double precision IS DISTINCT FROM gpu_need_gib(from_row)) AS gib_differ,
       count(*) FILTER (WHERE (SELECT jsonb_agg(r.machine_id) FROM (SELECT machine_id FROM recommend_machines(d.model, d.bits, d.ctx, 3, d.task, max_price => 4, tier => 'secure') LIMIT 3) AS r)
                              IS DISTINCT FROM (SELECT jsonb_agg(r -> 'machine_id') FROM jsonb_array_elements(doc -> 'recommended') AS r)) AS machines_differ,
       count(*) FILTER (WHERE (SELECT count(*) FROM gpu_machines AS g WHERE g.tier = 'secure' AND g.price_per_hour <= 4 AND gpu_fits(d.from_row, g.gpu_count, g.gpu_memory_gib))
                              IS DISTINCT FROM (doc #>> '{constraints,6,machines_left}')::bigint) AS counts_differ,
       count(*) FILTER (WHERE EXISTS (SELECT FROM jsonb_array_elements(doc -> 'recommended') AS r
                                       WHERE (r ->> 'gpus_used')::bigint IS DISTINCT FROM gpus_needed(d.from_row, (r ->> 'gpu_count')::bigint, (r ->> 'gpu_memory_gib')::double precision)
                                          OR (r ->> 'needed_gib_per_gpu')::double precision * (r ->> 'gpus_used')::bigint IS DISTINCT FROM gpu_need_gib(d.from_row, (r ->> 'gpus_used')::bigint))) AS gpus_differ
  FROM documents AS d;

-- One's own image pipeline: the sums in gpu_models follow the networks.
BEGIN;
INSERT INTO gpu_models (model, kind) VALUES ('me/pipeline', 'image');
INSERT INTO gpu_model_networks (model, network, params, position, quantized)
VALUES ('me/pipeline', 'denoiser', 1001, 1, true), ('me/pipeline', 'denoiser_2', 1001, 2, true), ('me/pipeline', 'vae', 11, 3, false);
SELECT params, unquantized_params FROM gpu_models WHERE model = 'me/pipeline';
SELECT item, bytes FROM gpu_memory_items('me/pipeline', bits => 4) WHERE item LIKE 'weights%';
SELECT sum(bytes) = gpu_memory_needed('me/pipeline', bits => 4) * 1073741824 AS same FROM gpu_memory_items('me/pipeline', bits => 4);
UPDATE gpu_model_networks SET params = NULL WHERE network = 'vae' AND model = 'me/pipeline';
SELECT params, unquantized_params, gpu_memory_needed('me/pipeline') FROM gpu_models WHERE model = 'me/pipeline';
DELETE FROM gpu_model_networks WHERE model = 'me/pipeline' AND network <> 'denoiser';
SELECT params, unquantized_params FROM gpu_models WHERE model = 'me/pipeline';
-- The sums follow the networks, whatever is set, and a pipeline with networks stays one.
UPDATE gpu_models SET params = 5000 WHERE model = 'me/pipeline';
SELECT params, unquantized_params FROM gpu_models WHERE model = 'me/pipeline';
SAVEPOINT wrong;
UPDATE gpu_models SET kind = 'language' WHERE model = 'me/pipeline';
ROLLBACK TO wrong;
-- A pipeline goes with its networks.
DELETE FROM gpu_models WHERE model = 'me/pipeline';
SELECT count(*) FROM gpu_model_networks WHERE model = 'me/pipeline';
INSERT INTO gpu_model_networks (model, network, params, position) VALUES ('meta-llama/Llama-3.1-8B', 'denoiser', 1, 1);
ROLLBACK;
-- A shipped pipeline, changed and changed back.
BEGIN;
UPDATE gpu_model_networks SET params = params + 1 WHERE model = 'black-forest-labs/FLUX.1-dev' AND network = 'vae';
SELECT own, licence IS NOT NULL AS licence FROM gpu_models WHERE model = 'black-forest-labs/FLUX.1-dev';
DELETE FROM gpu_model_networks WHERE own;
SELECT own FROM gpu_models WHERE model = 'black-forest-labs/FLUX.1-dev';
SELECT count(*), bool_or(own) FROM gpu_model_networks WHERE model = 'black-forest-labs/FLUX.1-dev';
COMMIT;
TRUNCATE gpu_machines;
