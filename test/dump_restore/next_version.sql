SET LOCAL search_path = pg_catalog, pg_temp;
SELECT gpu_advisor_internal.check_library('0.1.0');

-- A new function, a function with another cost, a new column with its constraint, each with its comment.
CREATE FUNCTION @extschema@.gpu_next_size(need @extschema@.gpu_need) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT pg_catalog.ceil(@extschema@.gpu_need_gib(need, 1::bigint));
END;
COMMENT ON FUNCTION @extschema@.gpu_next_size(@extschema@.gpu_need) IS 'A need in whole GiB.';
ALTER FUNCTION gpu_advisor_internal.price_text(numeric) COST 50;
ALTER TABLE @extschema@.gpu_machines ADD region text CONSTRAINT region_is_named CHECK (region <> '');
COMMENT ON COLUMN @extschema@.gpu_machines.region IS 'Where in the country.';


-- What a later version's catalogue changes. Its update script replaces the shipped rows, then brings
-- the catalogue up to date; rows of the user's own stay.

-- Models named like the user's own, one of them with the very same figures, and one new to all.
INSERT INTO gpu_advisor_internal.shipped_gpu_models (model, kind, params, layers, attention_heads, kv_heads, head_dim, max_context, own) VALUES
    ('me/my-13b', 'language', 13000000000, 40, 40, 40, 128, 8192, false),
    ('me/same-as-next', 'language', 1000000000, 16, 16, 16, 64, 2048, false),
    ('next/brand-new', 'language', 3000000000, 32, 32, 8, 128, 65536, false);
-- The user's pipeline is shipped now, with other networks, and so is a new one.
INSERT INTO gpu_advisor_internal.shipped_gpu_models (model, kind, params, unquantized_params, own) VALUES
    ('me/my-pipeline', 'image', 2690000000, 690000000, false),
    ('next/pipeline', 'image', 1100000000, 100000000, false);
INSERT INTO gpu_advisor_internal.shipped_gpu_model_networks (model, network, params, position, quantized, native_resolution, own) VALUES
    ('me/my-pipeline', 'denoiser', 2000000000, 1, true, 1024, false),
    ('me/my-pipeline', 'text_encoder', 600000000, 2, false, 1024, false),
    ('me/my-pipeline', 'upscaler', 90000000, 3, false, 1024, false),
    ('next/pipeline', 'denoiser', 1000000000, 1, true, 512, false),
    ('next/pipeline', 'vae', 100000000, 2, false, 512, false);
-- Shipped models that the user left alone (a foreign key points at whisper) and changed.
UPDATE gpu_advisor_internal.shipped_gpu_models SET licence = 'changed by 0.1.1'
 WHERE model IN ('openai/whisper-large-v3', 'meta-llama/Llama-3.1-8B', 'meta-llama/Llama-3.2-1B', 'meta-llama/Llama-3.1-70B');
DELETE FROM gpu_advisor_internal.shipped_gpu_models WHERE model IN ('gpt2', 'openai-community/gpt2', 'meta-llama/Llama-3.2-3B');
-- Every pipeline's autoencoder, and the text encoders of some: those of the user's stay whole.
UPDATE gpu_advisor_internal.shipped_gpu_model_networks SET params = params + 1 WHERE network = 'vae';
DELETE FROM gpu_advisor_internal.shipped_gpu_model_networks WHERE network = 'text_encoder_2';
UPDATE gpu_advisor_internal.shipped_gpu_models AS m
   SET (params, unquantized_params) = (
        SELECT CASE WHEN count(*) = count(n.params) THEN sum(n.params) END,
               CASE WHEN bool_and(n.quantized OR n.params IS NOT NULL)
                    THEN coalesce(sum(n.params) FILTER (WHERE NOT n.quantized), 0) END
          FROM gpu_advisor_internal.shipped_gpu_model_networks AS n
         WHERE n.model = m.model)
 WHERE m.kind = 'image';
-- GPU types: one changed that the user changed too, one that not, one gone, one new.
UPDATE gpu_advisor_internal.shipped_gpu_types SET reported_mib = 12345 WHERE gpu_name IN ('L4 24GB', 'B300');
DELETE FROM gpu_advisor_internal.shipped_gpu_types WHERE gpu_name = 'MI25';
INSERT INTO gpu_advisor_internal.shipped_gpu_types (gpu_name, vendor, memory_gb, aliases, own)
    VALUES ('Next GPU', 'Next', 512, '{}', false);

SELECT gpu_advisor_internal.update_catalogue();
