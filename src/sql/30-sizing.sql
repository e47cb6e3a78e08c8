-- What a workload needs.

CREATE FUNCTION gpu_advisor_internal.name_distance(a text, b text) RETURNS integer
    AS 'MODULE_PATHNAME', 'gpu_name_distance' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION gpu_advisor_internal.name_distance(text, text) IS 'Letters in which two names differ (Levenshtein distance).';

CREATE FUNCTION gpu_advisor_internal.nearest_models(name text) RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    -- Names that hold what was typed come first, then those with the fewest letters changed.
    SELECT string_agg(n.model, ', ' ORDER BY n.holds_it DESC, n.distance, n.model)
      FROM (SELECT m.model, strpos(lower(m.model), replace(typed.name, ' ', '-')) > 0 AS holds_it,
                   least(gpu_advisor_internal.name_distance(typed.name, lower(m.model)),
                         gpu_advisor_internal.name_distance(split_part(typed.name, '/', -1), lower(split_part(m.model, '/', -1)))) AS distance
              FROM (SELECT lower(left(nearest_models.name, 255)) AS name OFFSET 0) AS typed, @extschema@.gpu_models AS m
             ORDER BY 2 DESC, 3, 1
             LIMIT 3) AS n;
END;
COMMENT ON FUNCTION gpu_advisor_internal.nearest_models(text) IS 'The three model names nearest to a name, for a HINT.';

CREATE FUNCTION gpu_advisor_internal.find_model(name text, memory_gib double precision DEFAULT NULL)
    RETURNS @extschema@.gpu_models
    LANGUAGE plpgsql STABLE PARALLEL SAFE COST 1000
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found_row @extschema@.gpu_models;
    names text[];
BEGIN
    IF name IS NULL THEN
        RETURN NULL;
    ELSIF memory_gib IS NOT NULL THEN
        RAISE EXCEPTION 'both a model and memory_gib were given: a model''s need is computed'
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Leave memory_gib out, or the model for a notebook.';
    END IF;
    name := btrim(left(name, 1000)); -- trimming a long text takes long
    IF octet_length(name) > 255 THEN
        RAISE EXCEPTION 'unknown model: "%..."', left(name, 60)
            USING ERRCODE = 'invalid_parameter_value', HINT = 'A name has at most 255 bytes. gpu_models lists all models.';
    END IF;
    SELECT m.* INTO found_row FROM @extschema@.gpu_models AS m WHERE m.model = name;
    IF FOUND THEN
        RETURN found_row;
    END IF;
    SELECT array_agg(m.model ORDER BY m.model) INTO names
      FROM @extschema@.gpu_models AS m WHERE lower(m.model) = lower(name);
    IF names IS NULL THEN
        SELECT array_agg(m.model ORDER BY m.model) INTO names
          FROM @extschema@.gpu_models AS m WHERE lower(split_part(m.model, '/', -1)) = lower(name);
    END IF;
    IF cardinality(names) = 1 THEN
        SELECT m.* INTO found_row FROM @extschema@.gpu_models AS m WHERE m.model = names[1];
        RETURN found_row;
    ELSIF cardinality(names) > 1 THEN
        RAISE EXCEPTION 'more than one model is called "%"', name
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = format('Use one of %s.', array_to_string(names, ', '));
    END IF;
    RAISE EXCEPTION 'unknown model: "%"', left(name, 200)
        USING ERRCODE = 'invalid_parameter_value',
              HINT = coalesce(format('The nearest names are %s. gpu_models lists all models, and takes your own.',
                                     gpu_advisor_internal.nearest_models(name)),
                              'gpu_models holds no model.');
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.find_model(text, double precision) IS 'The row of gpu_models for a name: exact, in any case, or the part after the slash where only one model has it. Otherwise an error that names the nearest. NULL for NULL; an error where a notebook''s memory_gib was given as well.';

CREATE FUNCTION @extschema@.gpu_model_need(m @extschema@.gpu_models, bits bigint DEFAULT 16, ctx bigint DEFAULT 4096,
        conc bigint DEFAULT 1, task text DEFAULT NULL) RETURNS @extschema@.gpu_need
    AS 'MODULE_PATHNAME', 'gpu_model_need' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 20;
COMMENT ON FUNCTION @extschema@.gpu_model_need(@extschema@.gpu_models, bigint, bigint, bigint, text) IS
    'What a row of gpu_models needs, for joins with the whole catalogue: bits 16, 8 or 4; ctx in tokens (write least(ctx, m.max_context) over many models); conc requests, audio streams or batch size; task NULL for what the model is for. NULL where a figure of the model is not known.';

CREATE FUNCTION gpu_advisor_internal.notebook_need(bits bigint, ctx bigint, conc bigint, task text,
        memory_gib double precision) RETURNS @extschema@.gpu_need
    AS 'MODULE_PATHNAME', 'gpu_notebook_need' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 20;
COMMENT ON FUNCTION gpu_advisor_internal.notebook_need(bigint, bigint, bigint, text, double precision) IS 'What a notebook needs: the GiB that the user states.';

CREATE FUNCTION @extschema@.gpu_need(model text, bits bigint DEFAULT 16, ctx bigint DEFAULT 4096, conc bigint DEFAULT 1,
        task text DEFAULT NULL, memory_gib double precision DEFAULT NULL) RETURNS @extschema@.gpu_need
    LANGUAGE sql STABLE PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT CASE WHEN gpu_need.model IS NULL
                THEN gpu_advisor_internal.notebook_need(bits, ctx, conc, task, memory_gib)
                ELSE @extschema@.gpu_model_need(gpu_advisor_internal.find_model(gpu_need.model, memory_gib), bits, ctx, conc, task)
           END;
END;
COMMENT ON FUNCTION @extschema@.gpu_need(text, bigint, bigint, bigint, text, double precision) IS
    'What a workload needs: a model by its name (any case, or the part after the slash), bits 16, 8 or 4, ctx in tokens, conc requests, audio streams or batch size, task run, finetune, image or notebook (NULL: what the model is for). A notebook has no model: gpu_need(NULL, memory_gib => 24). NULL where a figure of the model is not known. Errors (22023): unknown model or task, a figure out of range.';

CREATE FUNCTION @extschema@.gpu_need_gib(need @extschema@.gpu_need, gpus bigint DEFAULT 1) RETURNS double precision
    AS 'MODULE_PATHNAME', 'gpu_need_gib' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @extschema@.gpu_need_gib(@extschema@.gpu_need, bigint) IS
    'GiB (2^30 bytes) of GPU memory that a need takes over all of gpus GPUs together; NULL where it does not split over so many.';

CREATE FUNCTION gpu_advisor_internal.need_gib_per_gpu(need @extschema@.gpu_need, gpus bigint) RETURNS double precision
    AS 'MODULE_PATHNAME', 'gpu_need_gib_per_gpu' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION gpu_advisor_internal.need_gib_per_gpu(@extschema@.gpu_need, bigint) IS 'GiB that a need takes on each of gpus GPUs.';

CREATE FUNCTION @extschema@.gpu_memory_needed(model text, bits bigint DEFAULT 16, ctx bigint DEFAULT 4096,
        conc bigint DEFAULT 1, task text DEFAULT NULL, gpus bigint DEFAULT 1) RETURNS double precision
    LANGUAGE sql STABLE PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT @extschema@.gpu_need_gib(@extschema@.gpu_need(gpu_memory_needed.model, bits, ctx, conc, task, NULL::double precision), gpus);
END;
COMMENT ON FUNCTION @extschema@.gpu_memory_needed(text, bigint, bigint, bigint, text, bigint) IS
    'GiB (2^30 bytes) of GPU memory that a model needs over all of gpus GPUs together, weights, KV cache, margin and runtime included. Arguments as in gpu_need(). NULL where a figure of the model is not known, or the work does not split over so many GPUs.';

CREATE FUNCTION gpu_advisor_internal.memory_items(m @extschema@.gpu_models, network_names text[], network_classes text[],
        network_params bigint[], network_quantized boolean[], bits bigint, ctx bigint, conc bigint, task text,
        memory_gib double precision, gpus bigint)
    RETURNS TABLE ("position" integer, item text, formula text, bytes bigint, gib double precision, assumption text)
    AS 'MODULE_PATHNAME', 'gpu_memory_items' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100 ROWS 6;
COMMENT ON FUNCTION gpu_advisor_internal.memory_items(@extschema@.gpu_models, text[], text[], bigint[], boolean[], bigint, bigint, bigint, text, double precision, bigint) IS 'The items of a need with their filled-in formulas.';

CREATE FUNCTION @extschema@.gpu_memory_items(model text DEFAULT NULL, bits bigint DEFAULT 16, ctx bigint DEFAULT 4096,
        conc bigint DEFAULT 1, task text DEFAULT NULL, memory_gib double precision DEFAULT NULL, gpus bigint DEFAULT 1)
    RETURNS TABLE ("position" integer, item text, formula text, bytes bigint, gib double precision, assumption text)
    LANGUAGE sql STABLE PARALLEL SAFE COST 1000 ROWS 6
BEGIN ATOMIC
    SELECT i."position", i.item, i.formula, i.bytes, i.gib, i.assumption
      FROM (SELECT gpu_advisor_internal.find_model(gpu_memory_items.model, memory_gib) AS m OFFSET 0) AS f
     CROSS JOIN LATERAL (
            SELECT array_agg(n.network ORDER BY n."position", n.network) AS names,
                   array_agg(n.class_name ORDER BY n."position", n.network) AS classes,
                   array_agg(n.params ORDER BY n."position", n.network) AS params,
                   array_agg(n.quantized ORDER BY n."position", n.network) AS quantized
              FROM @extschema@.gpu_model_networks AS n
             WHERE n.model = (f.m).model) AS n
     CROSS JOIN LATERAL gpu_advisor_internal.memory_items(f.m, n.names, n.classes, n.params, n.quantized,
            bits, ctx, conc, task, memory_gib, gpus) AS i
     ORDER BY i."position";
END;
COMMENT ON FUNCTION @extschema@.gpu_memory_items(text, bigint, bigint, bigint, text, double precision, bigint) IS
    'A need item by item: the formula with its figures filled in, bytes and GiB (2^30 bytes) over all of gpus GPUs together, and the assumption behind it. The bytes sum to the need. bytes is NULL where a figure of the model is not known; the formula says which. Arguments as in gpu_need(); an error (22023) for a number of GPUs that the work does not split over.';
