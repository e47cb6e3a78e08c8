-- A model's row from its published configuration.

CREATE FUNCTION @extschema@.gpu_model_from_config(model text, config text, params bigint DEFAULT NULL,
        safetensors_index text DEFAULT NULL, licence text DEFAULT NULL, source_url text DEFAULT NULL)
    RETURNS @extschema@.gpu_models
    AS 'MODULE_PATHNAME', 'gpu_model_from_config' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION @extschema@.gpu_model_from_config(text, text, bigint, text, text, text) IS
    'A row of gpu_models from a model''s config.json as published (text, since such files hold NaN and Infinity), ready for INSERT INTO gpu_models SELECT * FROM gpu_model_from_config(...). params: as given, else counted from the shapes where that is certain for the architecture, else from the metadata.total_size of the safetensors index where that is exact; otherwise NULL, and a NOTICE says why. An error (22023) names the key that is not understood: no value is invented. NULL without a model or a config.';
