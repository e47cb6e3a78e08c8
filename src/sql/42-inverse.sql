-- The other way round: the most that a machine holds.

CREATE FUNCTION @extschema@.gpu_model_max_context(m @extschema@.gpu_models, bits bigint DEFAULT 16, conc bigint DEFAULT 1,
        gpu_count bigint DEFAULT 1, gpu_memory_gib double precision DEFAULT NULL, task text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'gpu_model_max_context' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 60;
COMMENT ON FUNCTION @extschema@.gpu_model_max_context(@extschema@.gpu_models, bigint, bigint, bigint, double precision, text) IS
    'The longest context in tokens of a row of gpu_models on gpu_count GPUs of gpu_memory_gib GiB (2^30 bytes) each, for joins with the whole catalogue: arguments, NULLs and errors as in gpu_max_context().';

CREATE FUNCTION @extschema@.gpu_model_max_concurrency(m @extschema@.gpu_models, bits bigint DEFAULT 16, ctx bigint DEFAULT 4096,
        gpu_count bigint DEFAULT 1, gpu_memory_gib double precision DEFAULT NULL, task text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'gpu_model_max_concurrency' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.gpu_model_max_concurrency(@extschema@.gpu_models, bigint, bigint, bigint, double precision, text) IS
    'The most concurrent requests, audio streams or batch size of a row of gpu_models on gpu_count GPUs of gpu_memory_gib GiB (2^30 bytes) each, for joins with the whole catalogue: arguments, NULLs and errors as in gpu_max_concurrency(); write least(ctx, m.max_context) over many models.';

CREATE FUNCTION @extschema@.gpu_max_context(model text, bits bigint DEFAULT 16, conc bigint DEFAULT 1, gpu_count bigint DEFAULT 1,
        gpu_memory_gib double precision DEFAULT NULL, task text DEFAULT NULL) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT @extschema@.gpu_model_max_context(gpu_advisor_internal.find_model(gpu_max_context.model), bits, conc,
                                             gpu_count, gpu_memory_gib, task);
END;
COMMENT ON FUNCTION @extschema@.gpu_max_context(text, bigint, bigint, bigint, double precision, text) IS
    'The longest context in tokens (fine-tuning: the longest sequence), up to the model''s own, with which a workload fits on some of gpu_count GPUs of gpu_memory_gib GiB (2^30 bytes) each. model, bits, conc and task as in gpu_need(). NULL where not even 1 token fits, where a value or a figure of the model is missing, where the memory or count is no measure, and where nothing bounds it: a model without a known longest context whose need does not grow with it, such as an image pipeline. Errors (22023) as in gpu_need(): unknown model or task, a figure out of range.';

CREATE FUNCTION @extschema@.gpu_max_concurrency(model text, bits bigint DEFAULT 16, ctx bigint DEFAULT 4096, gpu_count bigint DEFAULT 1,
        gpu_memory_gib double precision DEFAULT NULL, task text DEFAULT NULL) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT @extschema@.gpu_model_max_concurrency(gpu_advisor_internal.find_model(gpu_max_concurrency.model), bits, ctx,
                                                 gpu_count, gpu_memory_gib, task);
END;
COMMENT ON FUNCTION @extschema@.gpu_max_concurrency(text, bigint, bigint, bigint, double precision, text) IS
    'The most concurrent requests (speech: audio streams; fine-tuning: the largest batch) with which a workload fits on some of gpu_count GPUs of gpu_memory_gib GiB (2^30 bytes) each. model, bits, ctx (in tokens) and task as in gpu_need(). NULL where not even 1 fits, where a value or a figure of the model is missing, where the memory or count is no measure, and where the need does not grow with the number, such as an image pipeline''s. Errors (22023) as in gpu_need(): unknown model or task, a figure out of range, ctx beyond the longest context of a model that is run.';
