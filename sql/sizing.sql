-- What a model needs: the worked example, every worked case, names, missing figures.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir

-- The worked example: Llama 3.1 8B, 16 bits, 4,096 tokens, 1 request.
SELECT gpu_memory_needed('meta-llama/Llama-3.1-8B', 16, 4096, 1);
SELECT round(gpu_memory_needed('meta-llama/Llama-3.1-8B', 4, 4096, 1)::numeric, 2) AS at_4_bits;
SELECT "position", item, formula, bytes, round(gib::numeric, 2) AS gib, assumption
  FROM gpu_memory_items('meta-llama/Llama-3.1-8B', bits => 16, ctx => 4096, conc => 1);
SELECT sum(bytes) AS total, sum(gib) = gpu_memory_needed('meta-llama/Llama-3.1-8B') AS same FROM gpu_memory_items('meta-llama/Llama-3.1-8B');
SELECT item, round(gib::numeric, 1) AS gib FROM gpu_memory_items('meta-llama/Llama-3.1-8B', ctx => 128000) WHERE item = 'kv_cache';

-- The general forms of the KV cache, filled in.
SELECT m, formula, bytes
  FROM unnest(ARRAY['google/gemma-3-27b-it', 'mistralai/Mistral-7B-v0.1', 'google/gemma-4-31B-it', 'deepseek-ai/DeepSeek-V3',
                    'ai21labs/AI21-Jamba-Mini-1.5', 'state-spaces/mamba-2.8b-hf', 'google/gemma-4-E2B-it',
                    'moonshotai/Kimi-Linear-48B-A3B-Instruct']) WITH ORDINALITY AS t (m, o),
       gpu_memory_items(m, ctx => 8192, conc => 2)
 WHERE item = 'kv_cache' ORDER BY o;

-- On several GPUs: what each holds, and over all of them.
SELECT item, formula, bytes FROM gpu_memory_items('meta-llama/Llama-3.1-70B', gpus => 4);
SELECT gpu_memory_needed('meta-llama/Llama-3.1-70B', gpus => 4) = (SELECT sum(gib) FROM gpu_memory_items('meta-llama/Llama-3.1-70B', gpus => 4)) AS same;
SELECT item, assumption FROM gpu_memory_items('Qwen/Qwen2.5-7B', gpus => 7) WHERE item = 'kv_cache';
SELECT gpu_memory_needed('meta-llama/Llama-3.1-70B', gpus => 3) AS not_over_3;

-- Every worked case, to the byte: total, and item by item.
CREATE TEMP TABLE cases (task text, model text, bits bigint, ctx bigint, conc bigint, weights bigint, kv_cache bigint,
    adapters bigint, activations bigint, margin bigint, runtime bigint, total bigint);
\copy cases from 'test/data/cases/need.csv' with (format csv, header match)
SELECT count(*) AS cases,
       count(*) FILTER (WHERE gpu_need_gib(gpu_need(model, bits, ctx, conc, task)) * 1073741824 = total) AS to_the_byte
  FROM cases;
SELECT c.*, i.item, i.bytes
  FROM cases AS c, gpu_memory_items(c.model, c.bits, c.ctx, c.conc, c.task) AS i
 WHERE i.bytes IS DISTINCT FROM CASE i.item WHEN 'weights' THEN weights WHEN 'kv_cache' THEN kv_cache WHEN 'adapters' THEN adapters
       WHEN 'activations' THEN activations WHEN 'margin' THEN margin WHEN 'runtime' THEN runtime END;
SELECT count(*) AS items FROM cases AS c, gpu_memory_items(c.model, c.bits, c.ctx, c.conc, c.task);
SELECT count(*) AS cases_from_rows
  FROM cases AS c JOIN gpu_models AS m USING (model)
 WHERE gpu_need_gib(gpu_model_need(m, c.bits, c.ctx, c.conc, c.task)) * 1073741824 = c.total;

-- Names are forgiving: exact, any case, the part after the slash.
SELECT gpu_memory_needed('META-LLAMA/llama-3.1-8b') = gpu_memory_needed('meta-llama/Llama-3.1-8B') AS any_case,
       gpu_memory_needed('llama-3.1-8B') = gpu_memory_needed('meta-llama/Llama-3.1-8B') AS short;
BEGIN;
INSERT INTO gpu_models (model, params) VALUES ('me/LLAMA-3.1-8b', 1), ('me/twice', 2), ('ME/TWICE', 3);
SELECT gpu_need('llama-3.1-8B', 16);
ROLLBACK;
BEGIN;
INSERT INTO gpu_models (model, params) VALUES ('me/twice', 2), ('ME/TWICE', 3);
SELECT gpu_need(model => 'Me/Twice');
ROLLBACK;
-- An exact name wins over one in another case.
BEGIN;
INSERT INTO gpu_models (model, params, layers, kv_heads, head_dim) VALUES ('me/twice', 2, 1, 1, 1), ('ME/TWICE', 4, 1, 1, 1);
SELECT (gpu_need('me/twice', 16)::text::jsonb)['weights_bytes'], (gpu_need('ME/TWICE', 16)::text::jsonb)['weights_bytes'];
ROLLBACK;

-- A missing argument or figure gives NULL, never a number and never an error.
SELECT gpu_need(NULL) IS NULL AS no_model, gpu_need('llama-3.1-8B', NULL) IS NULL AS no_bits,
       gpu_need('llama-3.1-8B', 16, NULL) IS NULL AS no_ctx, gpu_need('llama-3.1-8B', 16, 1, NULL) IS NULL AS no_conc,
       gpu_memory_needed(NULL) IS NULL AS nothing, gpu_memory_needed('llama-3.1-8B', gpus => NULL) IS NULL AS no_gpus,
       gpu_model_need(NULL) IS NULL AS no_row;
SELECT count(*) AS without_a_need,
       count(*) FILTER (WHERE params IS NULL) AS without_params
  FROM gpu_models AS m WHERE gpu_model_need(m, 16, least(4096, max_context), 1) IS NULL;
SELECT item, formula, bytes, gib FROM gpu_memory_items('moonshotai/Kimi-K2.5');
SELECT item, formula, bytes FROM gpu_memory_items('LGAI-EXAONE/EXAONE-4.0-1.2B');
-- Each figure that a run depends on, missing alone.
CREATE TEMP TABLE one_missing AS
SELECT c AS missing, r.*
  FROM gpu_models AS m, unnest(ARRAY['params', 'layers', 'attention_heads', 'kv_heads', 'head_dim', 'max_context', 'hidden_size', 'vocab_size']) AS c,
       jsonb_populate_record(NULL::gpu_models, to_jsonb(m) || jsonb_build_object(c, NULL)) AS r
 WHERE m.model = 'meta-llama/Llama-3.1-8B';
SELECT missing, gpu_need_gib(gpu_model_need(r, 16, 4096, 1, 'run')) IS NULL AS run, gpu_need_gib(gpu_model_need(r, 16, 4096, 1, 'finetune')) IS NULL AS finetune
  FROM one_missing AS o, jsonb_populate_record(NULL::gpu_models, to_jsonb(o)) AS r ORDER BY 1;
-- Whisper has no ctx, and says nothing about it.
SELECT gpu_memory_needed('openai/whisper-large-v3', ctx => 1000000) = gpu_memory_needed('openai/whisper-large-v3', ctx => 1) AS ctx_is_not_used;
-- Exact where a double still holds every byte, and an error instead of a wrong number.
SELECT gpu_need_gib(gpu_model_need(m, 16, 1, 1000000000000)) > 1e6 AS large FROM gpu_models AS m WHERE model = 'gpt2' OR model LIKE '%/gpt2' LIMIT 1;
SELECT gpu_memory_needed('meta-llama/Llama-3.1-8B', 16, 131072, 9223372036854775807);
