-- Every shipped row of the catalogue against data/*.csv. The mapping is written here a
-- second time, in SQL and apart from tools/catalogue: a slip in either one shows.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir

CREATE TEMP TABLE csv_models (
    position bigint GENERATED ALWAYS AS IDENTITY,
    hf_id text, kind text, params bigint, layers bigint, attention_heads bigint,
    kv_heads bigint, head_dim bigint, hidden_size bigint, intermediate_size bigint,
    vocab_size bigint, max_context bigint, attention text, sliding_window bigint,
    sliding_layers bigint, kv_lora_rank bigint, qk_rope_head_dim bigint,
    full_attention_layers bigint, experts bigint, experts_per_token bigint,
    tie_word_embeddings boolean, licence text, source_url text, decoder_layers bigint,
    decoder_heads bigint, max_target_positions bigint, max_source_positions bigint,
    moe_intermediate_size bigint, state_bytes bigint, sliding_kv_heads bigint,
    sliding_head_dim bigint, q_lora_rank bigint, qk_nope_head_dim bigint, v_head_dim bigint);
\copy csv_models (hf_id, kind, params, layers, attention_heads, kv_heads, head_dim, hidden_size, intermediate_size, vocab_size, max_context, attention, sliding_window, sliding_layers, kv_lora_rank, qk_rope_head_dim, full_attention_layers, experts, experts_per_token, tie_word_embeddings, licence, source_url, decoder_layers, decoder_heads, max_target_positions, max_source_positions, moe_intermediate_size, state_bytes, sliding_kv_heads, sliding_head_dim, q_lora_rank, qk_nope_head_dim, v_head_dim) from 'data/models.csv' with (format csv, header match)
CREATE TEMP TABLE csv_parts (
    position bigint GENERATED ALWAYS AS IDENTITY,
    hf_id text, component text, class_name text, params bigint, licence text,
    source_url text, native_resolution bigint);
\copy csv_parts (hf_id, component, class_name, params, licence, source_url, native_resolution) from 'data/image_components.csv' with (format csv, header match)
CREATE TEMP TABLE csv_gpus (
    name text, vendor text, memory_gb_datasheet double precision,
    memory_gib double precision, reported_mib text, ecc_reserved text, aliases text);
\copy csv_gpus from 'data/gpus.csv' with (format csv, header match)

-- The models, as the table must hold them.
CREATE TEMP VIEW held_models AS
SELECT model, kind, params::bigint, layers::bigint, attention_heads::bigint,
       kv_heads::bigint, head_dim::bigint, hidden_size::bigint, intermediate_size::bigint,
       experts::bigint, experts_per_token::bigint, expert_intermediate_size::bigint,
       vocab_size::bigint, max_context::bigint, kv_layers::bigint, sliding_window::bigint,
       sliding_layers::bigint, sliding_kv_heads::bigint, sliding_head_dim::bigint,
       kv_latent_dim::bigint, q_lora_rank::bigint, qk_nope_head_dim::bigint,
       qk_rope_head_dim::bigint, v_head_dim::bigint, state_bytes::bigint,
       decoder_layers::bigint, decoder_heads::bigint, max_target_positions::bigint,
       max_source_positions::bigint, unquantized_params::bigint, licence, source_url
FROM gpu_models WHERE NOT own;

CREATE TEMP VIEW wanted_models (
    model, kind, params, layers, attention_heads, kv_heads, head_dim, hidden_size,
    intermediate_size, experts, experts_per_token, expert_intermediate_size, vocab_size,
    max_context, kv_layers, sliding_window, sliding_layers, sliding_kv_heads,
    sliding_head_dim, kv_latent_dim, q_lora_rank, qk_nope_head_dim, qk_rope_head_dim,
    v_head_dim, state_bytes, decoder_layers, decoder_heads, max_target_positions,
    max_source_positions, unquantized_params, licence, source_url) AS
SELECT hf_id, CASE kind WHEN 'llm' THEN 'language' WHEN 'speech' THEN kind END, params,
       layers, attention_heads,
       -- No kind of attention: no formula for the cache.
       CASE WHEN attention IS NOT NULL THEN kv_heads END,
       head_dim, hidden_size, intermediate_size, experts, experts_per_token,
       moe_intermediate_size, vocab_size, max_context,
       CASE WHEN kind = 'llm' THEN
           CASE attention WHEN 'none' THEN 0
           ELSE nullif(full_attention_layers + coalesce(sliding_layers, 0), layers) END
       END,
       CASE attention WHEN 'sliding' THEN sliding_window END,
       CASE attention WHEN 'sliding' THEN sliding_layers END,
       CASE attention WHEN 'sliding' THEN sliding_kv_heads END,
       CASE attention WHEN 'sliding' THEN sliding_head_dim END,
       kv_lora_rank + qk_rope_head_dim,
       CASE WHEN kv_lora_rank IS NULL OR hf_id LIKE 'mistralai/Mistral-Small-4-%'
            THEN q_lora_rank ELSE coalesce(q_lora_rank, 0) END,
       qk_nope_head_dim, qk_rope_head_dim, v_head_dim, state_bytes, decoder_layers,
       decoder_heads, max_target_positions, max_source_positions,
       vocab_size * hidden_size * (2 - tie_word_embeddings::int),
       licence, source_url
FROM csv_models
UNION ALL
SELECT d.hf_id, 'image',
       (SELECT CASE WHEN bool_and(p.params IS NOT NULL) THEN sum(p.params) END
        FROM csv_parts p WHERE p.hf_id = d.hf_id)::bigint,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       (SELECT CASE WHEN bool_and(p.params IS NOT NULL) THEN sum(p.params) - d.params END
        FROM csv_parts p WHERE p.hf_id = d.hf_id)::bigint,
       d.licence, d.source_url
FROM csv_parts d WHERE d.component = 'denoiser';

-- Nothing may be left over on either side: wanted but not held, held but not wanted.
SELECT count(*) AS rows_compared FROM held_models;
SELECT * FROM (TABLE wanted_models EXCEPT ALL TABLE held_models) AS d ORDER BY model COLLATE "C";
SELECT * FROM (TABLE held_models EXCEPT ALL TABLE wanted_models) AS d ORDER BY model COLLATE "C";

-- The networks of the image pipelines.
CREATE TEMP VIEW held_networks AS
SELECT model, network, class_name, params::bigint, position::bigint, quantized,
       native_resolution::bigint
FROM gpu_model_networks WHERE NOT own;
CREATE TEMP VIEW wanted_networks (
    model, network, class_name, params, position, quantized, native_resolution) AS
SELECT p.hf_id, p.component, p.class_name, p.params,
       (SELECT count(*) FROM csv_parts q WHERE q.hf_id = p.hf_id AND q.position <= p.position),
       p.component = 'denoiser', p.native_resolution
FROM csv_parts p;
SELECT count(*) AS rows_compared FROM held_networks;
SELECT * FROM (TABLE wanted_networks EXCEPT ALL TABLE held_networks) AS d ORDER BY model COLLATE "C", network COLLATE "C";
SELECT * FROM (TABLE held_networks EXCEPT ALL TABLE wanted_networks) AS d ORDER BY model COLLATE "C", network COLLATE "C";

-- The GPU types.
CREATE TEMP VIEW held_types AS
SELECT gpu_name, vendor, memory_gb::double precision, memory_gib::double precision,
       reported_mib::bigint, reported_mib_max::bigint, ecc_reserved, aliases
FROM gpu_types WHERE NOT own;
CREATE TEMP VIEW wanted_types (
    gpu_name, vendor, memory_gb, memory_gib, reported_mib, reported_mib_max, ecc_reserved, aliases) AS
SELECT name, vendor, memory_gb_datasheet, memory_gib,
       least(split_part(reported_mib, '|', 1)::bigint,
             nullif(split_part(reported_mib, '|', 2), '')::bigint),
       CASE WHEN reported_mib LIKE '%|%' THEN
           greatest(split_part(reported_mib, '|', 1)::bigint,
                    split_part(reported_mib, '|', 2)::bigint) END,
       CASE WHEN ecc_reserved <> 'unknown' THEN ecc_reserved = 'yes' END,
       string_to_array(coalesce(aliases, ''), '|')
FROM csv_gpus;
SELECT count(*) AS rows_compared FROM held_types;
SELECT * FROM (TABLE wanted_types EXCEPT ALL TABLE held_types) AS d ORDER BY gpu_name COLLATE "C";
SELECT * FROM (TABLE held_types EXCEPT ALL TABLE wanted_types) AS d ORDER BY gpu_name COLLATE "C";

-- The CSV files and the table could be wrong together: figures that stand here alone.
SELECT kind, count(*) AS models, count(*) - count(params) AS params_unknown,
       count(unquantized_params) AS unquantized_known, sum(params) AS params
FROM gpu_models WHERE NOT own GROUP BY kind ORDER BY kind COLLATE "C";
SELECT count(*) AS models, count(*) FILTER (WHERE kind <> 'image') AS language_and_speech,
       count(*) FILTER (WHERE kind <> 'image' AND params IS NULL) AS without_params,
       count(kv_latent_dim) AS latent, count(sliding_window) AS sliding,
       count(kv_layers) AS hybrid, count(*) FILTER (WHERE kv_layers = 0) AS no_cache,
       count(state_bytes) AS recurrent, count(experts) AS mixtures,
       count(licence) AS with_licence
FROM gpu_models WHERE NOT own;
SELECT network, count(*), count(params) AS known, sum(params) AS params, bool_and(quantized) AS quantized
FROM gpu_model_networks WHERE NOT own GROUP BY network ORDER BY network COLLATE "C";
SELECT vendor, count(*), count(memory_gb) AS gb, count(memory_gib) AS gib,
       count(reported_mib) AS reported, count(reported_mib_max) AS reported_twice,
       count(*) FILTER (WHERE ecc_reserved) AS ecc, count(*) FILTER (WHERE NOT ecc_reserved) AS no_ecc,
       sum(cardinality(aliases)) AS aliases
FROM gpu_types WHERE NOT own GROUP BY vendor ORDER BY vendor COLLATE "C";
SELECT count(*) AS names_of_several_cards
FROM (SELECT FROM gpu_types t, unnest(t.aliases) AS a WHERE NOT own GROUP BY a HAVING count(DISTINCT t.gpu_name) > 1) AS s;

-- No empty text, nothing of a kind where it does not belong.
SELECT count(*) AS wrong FROM gpu_models
WHERE NOT own AND ('' IN (model, kind, licence, source_url)
   OR (kind <> 'speech') <> (decoder_layers IS NULL)
   OR (sliding_layers IS NULL) <> (sliding_window IS NULL)
   OR sliding_layers > coalesce(kv_layers, layers)
   OR kv_layers > layers OR sliding_kv_heads < 1 OR kv_heads > attention_heads);
SELECT count(*) AS wrong FROM gpu_types
WHERE array_position(aliases, NULL) IS NOT NULL OR '' = ANY (aliases)
   OR reported_mib_max <= reported_mib OR cardinality(aliases) = 0;
SELECT count(*) AS without_their_model
FROM gpu_model_networks n LEFT JOIN gpu_models m USING (model)
WHERE m.kind IS DISTINCT FROM 'image';

-- Models known from their publications.
SELECT model, params, layers, kv_heads, head_dim, kv_layers, unquantized_params
FROM gpu_models
WHERE model IN ('meta-llama/Llama-3.1-8B-Instruct', 'Qwen/Qwen3-Next-80B-A3B-Instruct',
                'state-spaces/mamba-2.8b-hf', 'LGAI-EXAONE/EXAONE-4.0-1.2B',
                'deepseek-ai/DeepSeek-V4-Flash', 'openai/whisper-large-v3')
ORDER BY model COLLATE "C";
SELECT model, kv_latent_dim, q_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim
FROM gpu_models
WHERE model IN ('deepseek-ai/DeepSeek-V3', 'deepseek-ai/DeepSeek-V2-Lite',
                'mistralai/Mistral-Small-4-119B-2603', 'moonshotai/Kimi-Linear-48B-A3B-Instruct',
                'XiaomiMiMo/MiMo-V2-Flash')
ORDER BY model COLLATE "C";
-- The cache of two models at 262,144 tokens, as published: 22,313,697,280 bytes and
-- 4,630,511,616 (Gemma 4 31B and 12B).
SELECT model,
       2 * 2::bigint * ((layers - sliding_layers)::bigint * kv_heads * head_dim * 262144
                + sliding_layers::bigint * sliding_kv_heads * sliding_head_dim * sliding_window) AS cache_bytes
FROM gpu_models WHERE model IN ('google/gemma-4-31B-it', 'google/gemma-4-12B-it')
ORDER BY model COLLATE "C";
-- FLUX.1-dev: denoiser, CLIP, T5 and autoencoder.
SELECT m.params, m.unquantized_params, m.licence, n.position, n.network, n.params AS network_params, n.quantized
FROM gpu_models m JOIN gpu_model_networks n USING (model)
WHERE model = 'black-forest-labs/FLUX.1-dev' ORDER BY n.position;
SELECT gpu_name, memory_gb, memory_gib, reported_mib, reported_mib_max, ecc_reserved, aliases[1:2] AS aliases
FROM gpu_types WHERE gpu_name IN ('A40 48GB', 'B300', 'GB10', 'L4 24GB', 'MI25', 'A100 SXM 80GB')
ORDER BY gpu_name COLLATE "C";
