-- The other way round: the longest context and the most requests that a machine holds.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never

-- As a user types it.
SELECT gpu_max_context('llama-3.1-8b', gpu_memory_gib => 24) AS on_24, gpu_max_context('llama-3.1-8b', gpu_memory_gib => 16) AS on_16,
       gpu_max_context('llama-3.1-8b', conc => 8, gpu_memory_gib => 24) AS for_8, gpu_max_context('llama-3.1-8b', bits => 4, gpu_memory_gib => 24) AS at_4_bits,
       gpu_max_context('llama-3.1-8b', gpu_count => 2, gpu_memory_gib => 24) AS on_2x24;
SELECT gpu_max_concurrency('llama-3.1-8b', gpu_memory_gib => 24) AS on_24, gpu_max_concurrency('llama-3.1-8b', gpu_memory_gib => 16) AS on_16,
       gpu_max_concurrency('llama-3.1-8b', ctx => 131072, gpu_memory_gib => 24) AS of_131072, gpu_max_concurrency('llama-3.1-8b', bits => 4, gpu_memory_gib => 24) AS at_4_bits,
       gpu_max_concurrency('llama-3.1-8b', gpu_count => 2, gpu_memory_gib => 24) AS on_2x24;
-- To the token: the need at the answer fits, the need at one more does not.
SELECT c, round(gpu_memory_needed('llama-3.1-8b', ctx => c)::numeric, 6) AS gib, gpu_fits(gpu_need('llama-3.1-8b', ctx => c), 1, 24) AS fits
  FROM gpu_max_context('llama-3.1-8b', gpu_memory_gib => 24) AS best, generate_series(best, best + 1) AS c;
-- A GPU of just the need's size holds that workload and no more; one a byte smaller, one less.
SELECT gpu_max_context('llama-3.1-8b', gpu_memory_gib => 20990613914 / 1073741824.0), gpu_max_context('llama-3.1-8b', gpu_memory_gib => 20990613913 / 1073741824.0),
       gpu_max_concurrency('llama-3.1-8b', gpu_memory_gib => 20990613914 / 1073741824.0), gpu_max_concurrency('llama-3.1-8b', gpu_memory_gib => 20990613913 / 1073741824.0);
-- 4 of 6 GPUs are used: 64 attention heads do not divide by 6 or 5.
SELECT gpu_max_context('llama-3.1-70b', gpu_count => 4, gpu_memory_gib => 48) AS on_4, gpu_max_context('llama-3.1-70b', gpu_count => 6, gpu_memory_gib => 48) AS on_6,
       gpu_max_concurrency('llama-3.1-70b', gpu_count => 4, gpu_memory_gib => 48) AS reqs_on_4, gpu_max_concurrency('llama-3.1-70b', gpu_count => 6, gpu_memory_gib => 48) AS reqs_on_6;
-- Fine-tuning: the sequence length, never above the model's longest context, and the batch size; more GPUs do not help.
SELECT gpu_max_context('llama-3.1-8b', conc => 2, gpu_memory_gib => 80, task => 'finetune') AS lora, gpu_max_context('llama-3.1-8b', 4, 2, 1, 80, 'finetune') AS qlora,
       gpu_max_context('llama-3.1-8b', 4, 2, 8, 80, 'finetune') AS on_8, gpu_max_concurrency('llama-3.1-8b', ctx => 2048, gpu_memory_gib => 80, task => 'finetune') AS batch,
       gpu_max_context('llama-3.1-8b', gpu_memory_gib => 100000, task => 'finetune') AS longest;
-- A fine-tuning may stretch the context, so a ctx that no run may have still has a batch size.
SELECT gpu_max_concurrency('llama-3.1-8b', ctx => 131073, gpu_memory_gib => 1000, task => 'finetune') AS batch;
-- Speech: conc is the audio streams. ctx changes nothing, up to the model's longest.
SELECT gpu_max_concurrency('openai/whisper-large-v3', gpu_memory_gib => 24) AS streams, gpu_max_concurrency('openai/whisper-large-v3', ctx => 1, gpu_memory_gib => 24) AS whatever_ctx,
       gpu_max_concurrency('openai/whisper-large-v3', ctx => 1000000, gpu_memory_gib => 24) AS any_ctx,
       gpu_max_context('openai/whisper-large-v3', gpu_memory_gib => 24) AS longest, gpu_max_context('openai/whisper-large-v3', gpu_memory_gib => 4) AS not_one;
-- Sliding windows, a latent cache, recurrent states.
SELECT m AS model, gpu_max_context(m, 8, 1, 8, 96) AS max_context, gpu_max_concurrency(m, 8, 8192, 8, 96) AS max_concurrency
  FROM unnest(ARRAY['google/gemma-3-27b-it', 'mistralai/Mistral-7B-v0.1', 'deepseek-ai/DeepSeek-V3', 'ai21labs/AI21-Jamba-Mini-1.5']) WITH ORDINALITY AS t (m, o) ORDER BY o;
-- What no figure bounds has no largest: a recurrent model of unknown longest context takes any; images know neither figure.
SELECT gpu_max_context('state-spaces/mamba-2.8b-hf', gpu_memory_gib => 24) AS mamba_ctx, gpu_max_concurrency('state-spaces/mamba-2.8b-hf', gpu_memory_gib => 24) AS mamba_requests,
       gpu_max_context('black-forest-labs/FLUX.1-dev', gpu_memory_gib => 80) AS image_ctx, gpu_max_concurrency('black-forest-labs/FLUX.1-dev', gpu_memory_gib => 80) AS image_conc;
-- Where the longest context is not known, memory alone bounds it; on a machine that holds everything, the 2^63 - 1 bytes of a need.
SELECT gpu_max_context('EleutherAI/pythia-14m', gpu_memory_gib => 24), gpu_max_context('EleutherAI/pythia-14m', gpu_memory_gib => 1e14), gpu_max_concurrency('EleutherAI/pythia-14m', gpu_memory_gib => 1e14);

-- The row forms, for joins with the catalogue: the largest open models on one 24 GiB GPU with 32,768 tokens at 4 bits.
SELECT m.model, gpu_model_max_context(m, 4, 1, 1, 24) AS max_context, gpu_model_max_concurrency(m, 4, 32768, 1, 24) AS requests
  FROM gpu_models AS m
 WHERE m.kind = 'language' AND m.max_context >= 32768 AND gpu_model_max_context(m, 4, gpu_memory_gib => 24) >= 32768
 ORDER BY m.params DESC, 1 LIMIT 5;
SELECT count(*) AS compared, count(*) FILTER (WHERE gpu_max_context(model, 8, 2, 2, 24) IS DISTINCT FROM gpu_model_max_context(m, 8, 2, 2, 24)
        OR gpu_max_concurrency(model, 8, 64, 2, 24) IS DISTINCT FROM gpu_model_max_concurrency(m, 8, 64, 2, 24)) AS different
  FROM gpu_models AS m WHERE max_context IS NULL OR max_context >= 64;

-- Exact inverses, for every model, on many machines, in every precision and task: the answer fits and one more does not, unless the
-- answer is the model's longest context; no answer only where not even 1 fits, or where nothing bounds it.
CREATE TEMP VIEW asked AS
SELECT m, m.max_context, task, bits, gpu_count, gpu_memory_gib
  FROM gpu_models AS m, unnest(ARRAY['usual', 'finetune']) AS task, unnest(ARRAY[16, 8, 4]) AS bits,
       unnest(ARRAY[1, 2, 3, 4, 8]) AS gpu_count, unnest(ARRAY[3, 12, 23.69, 24, 79.65, 141, 1e5]::double precision[]) AS gpu_memory_gib
 WHERE task = 'usual' OR m.kind = 'language';
CREATE FUNCTION pg_temp.fits(a asked, ctx bigint, conc bigint) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN gpu_fits(gpu_model_need(a.m, a.bits, ctx, conc, nullif(a.task, 'usual')), a.gpu_count, a.gpu_memory_gib);
SELECT task, count(*) AS asked, count(best) AS answers, count(*) FILTER (WHERE best = max_context) AS longest,
       count(*) FILTER (WHERE CASE WHEN best IS NULL THEN pg_temp.fits(a, 1, 3) AND (max_context IS NOT NULL OR NOT pg_temp.fits(a, 9223372036854775807, 3))
                                   WHEN best < 1 OR best > max_context OR pg_temp.fits(a, best, 3) IS NOT TRUE THEN true
                                   WHEN best = max_context THEN false
                                   ELSE pg_temp.fits(a, best + 1, 3) END) AS wrong
  FROM asked AS a, LATERAL (SELECT gpu_model_max_context(m, bits, 3, gpu_count, gpu_memory_gib, nullif(task, 'usual')) AS best OFFSET 0) AS b
 GROUP BY task ORDER BY task;
SELECT task, count(*) AS asked, count(best) AS answers,
       count(*) FILTER (WHERE CASE WHEN best IS NULL THEN pg_temp.fits(a, ctx, 1) AND NOT pg_temp.fits(a, ctx, 9223372036854775807)
                                   WHEN best < 1 OR pg_temp.fits(a, ctx, best) IS NOT TRUE THEN true
                                   ELSE pg_temp.fits(a, ctx, best + 1) END) AS wrong
  FROM asked AS a, LATERAL (SELECT least(2048, max_context) AS ctx) AS c,
       LATERAL (SELECT gpu_model_max_concurrency(m, bits, ctx, gpu_count, gpu_memory_gib, nullif(task, 'usual')) AS best OFFSET 0) AS b
 GROUP BY task ORDER BY task;

-- A missing value gives NULL, and so does a memory or count that is no measure.
SELECT gpu_max_context(NULL, gpu_memory_gib => 24), gpu_max_context('llama-3.1-8b'), gpu_max_context('llama-3.1-8b', gpu_count => NULL, gpu_memory_gib => 24),
       gpu_max_context('llama-3.1-8b', bits => NULL, gpu_memory_gib => 24), gpu_max_context('llama-3.1-8b', conc => NULL, gpu_memory_gib => 24);
SELECT gpu_max_concurrency(NULL, gpu_memory_gib => 24), gpu_max_concurrency('llama-3.1-8b'), gpu_max_concurrency('llama-3.1-8b', gpu_count => NULL, gpu_memory_gib => 24),
       gpu_max_concurrency('llama-3.1-8b', bits => NULL, gpu_memory_gib => 24), gpu_max_concurrency('llama-3.1-8b', ctx => NULL, gpu_memory_gib => 24);
SELECT gpu_model_max_context(NULL, gpu_memory_gib => 24), gpu_model_max_concurrency(NULL, gpu_memory_gib => 24),
       gpu_model_max_context(m), gpu_model_max_concurrency(m)
  FROM gpu_models AS m WHERE model = 'meta-llama/Llama-3.1-8B';
SELECT count(*) AS asked, count(gpu_max_context('llama-3.1-8b', gpu_count => c, gpu_memory_gib => g)) AS contexts, count(gpu_max_concurrency('llama-3.1-8b', gpu_count => c, gpu_memory_gib => g)) AS requests
  FROM unnest(ARRAY[0, -1, 1, 9223372036854775807]) AS c, unnest(ARRAY['NaN', 'infinity', '-infinity', 0, -24, 1e308]::double precision[]) AS g;
-- A model that lacks a figure; figures beyond all bounds fit nowhere, and are no error here.
SELECT gpu_model_max_context(m, gpu_memory_gib => 24), gpu_model_max_concurrency(m, gpu_memory_gib => 24)
  FROM jsonb_populate_record(NULL::gpu_models, '{"model": "me/a", "kind": "language", "params": 1000}') AS m;
SELECT gpu_max_context('llama-3.1-8b', conc => 9223372036854775807, gpu_memory_gib => 1e14) AS context, gpu_max_concurrency('llama-3.1-8b', ctx => 9223372036854775807, gpu_memory_gib => 1e14, task => 'finetune') AS batch,
       gpu_model_max_context(m, gpu_memory_gib => 1e14) AS too_large
  FROM jsonb_populate_record(NULL::gpu_models, '{"model": "me/a", "kind": "language", "params": 9223372036854775807, "layers": 1, "kv_heads": 1, "head_dim": 1}') AS m;

-- A wrong argument is the error that gpu_need() gives, whatever the machine.
SELECT gpu_max_context('llama-3.1-8', gpu_memory_gib => 24);
SELECT gpu_max_context('llama-3.1-8b', bits => 5, gpu_memory_gib => 24);
SELECT gpu_max_context('llama-3.1-8b', conc => 0, gpu_memory_gib => 24);
SELECT gpu_max_context('llama-3.1-8b', task => 'train', gpu_memory_gib => 24);
SELECT gpu_max_context('llama-3.1-8b', task => 'notebook', gpu_memory_gib => 24);
SELECT gpu_max_context('llama-3.1-8b', bits => 5);
SELECT gpu_max_concurrency('no-such-model-at-all', gpu_memory_gib => 24);
SELECT gpu_max_concurrency('llama-3.1-8b', bits => 5, gpu_memory_gib => 24);
SELECT gpu_max_concurrency('llama-3.1-8b', ctx => 0, gpu_memory_gib => 24);
SELECT gpu_max_concurrency('llama-3.1-8b', ctx => 131073, gpu_memory_gib => 24);
SELECT gpu_max_concurrency('openai/whisper-large-v3', task => 'finetune', gpu_memory_gib => 24);
SELECT gpu_max_concurrency('llama-3.1-8b', ctx => 131073);
SELECT gpu_model_max_context(jsonb_populate_record(NULL::gpu_models, '{"model": "me/a", "kind": "language", "params": -1}'), gpu_memory_gib => 24);
\set VERBOSITY sqlstate
SELECT gpu_max_context('llama-3.1-8b', bits => 5, gpu_memory_gib => 24);
SELECT gpu_max_concurrency('llama-3.1-8b', ctx => 131073, gpu_memory_gib => 24);
