-- Which machines hold a workload. The planner inlines these functions: a WHERE, ORDER BY or LIMIT
-- around them reaches the fleet's table and its indexes.

CREATE FUNCTION @extschema@.gpu_countries(codes text[]) RETURNS text[]
    AS 'MODULE_PATHNAME', 'gpu_countries' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @extschema@.gpu_countries(text[]) IS
    'ISO 3166-1 alpha-2 country codes, checked, in upper case, each once and sorted; EU stands for the codes of its 27 member states (and for no territory with a code of its own: RE, GP, MQ, GF, YT, MF, AX). NULL for NULL: any country. Errors (22023): an unknown code, an empty list.';

CREATE FUNCTION gpu_advisor_internal.check_request(model text, bits bigint, ctx bigint, conc bigint,
        memory_gib double precision, budget double precision, max_price double precision, tier text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'gpu_check_request' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_advisor_internal.check_request(text, bigint, bigint, bigint, double precision, double precision, double precision, text) IS 'true, or an error that says which argument of a request is wrong.';

CREATE FUNCTION gpu_advisor_internal.request_need(model text, bits bigint, ctx bigint, conc bigint, task text,
        memory_gib double precision, budget double precision, max_price double precision, tier text, countries text[])
    RETURNS @extschema@.gpu_need
    LANGUAGE sql STABLE PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT CASE WHEN gpu_advisor_internal.check_request(request_need.model, bits, ctx, conc,
                                                        memory_gib, budget, max_price, tier)
                 AND (countries IS NULL OR cardinality(@extschema@.gpu_countries(countries)) > 0)
                THEN @extschema@.gpu_need(request_need.model, bits, ctx, conc, task, memory_gib)
           END;
END;
COMMENT ON FUNCTION gpu_advisor_internal.request_need(text, bigint, bigint, bigint, text, double precision, double precision, double precision, text, text[]) IS 'The need of a request whose every argument was checked.';

CREATE FUNCTION gpu_advisor_internal.need_model(need @extschema@.gpu_need) RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_need_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_advisor_internal.need_model(@extschema@.gpu_need) IS 'The model of a need that is run, by its full name; NULL for a notebook and a fine-tuning, whose speed is another.';

CREATE FUNCTION @extschema@.recommend_machines(model text DEFAULT NULL, bits bigint DEFAULT 16, ctx bigint DEFAULT 4096,
        conc bigint DEFAULT 1, task text DEFAULT NULL, memory_gib double precision DEFAULT NULL,
        budget double precision DEFAULT NULL, max_price double precision DEFAULT NULL, tier text DEFAULT 'both',
        countries text[] DEFAULT NULL)
    RETURNS TABLE (machine_id text, tier text, country text, gpu_name text, gpu_count integer,
                   gpu_memory_gib double precision, memory_source text, gpus_used integer,
                   needed_gib_per_gpu double precision, free_gib_per_gpu double precision, price_per_hour numeric,
                   budget_hours double precision, confidence text, why text, limits text[], interruptible boolean,
                   max_booking_hours double precision, measured_speed double precision, measured_unit text)
    LANGUAGE sql STABLE PARALLEL SAFE COST 1000 ROWS 1000
BEGIN ATOMIC
    WITH workload AS MATERIALIZED (
        SELECT gpu_advisor_internal.request_need(recommend_machines.model, bits, ctx, conc, task, memory_gib, budget,
                                                 max_price, recommend_machines.tier, countries) AS need
    )
    SELECT m.machine_id, m.tier, m.country, m.gpu_name, m.gpu_count, m.gpu_memory_gib, m.memory_source,
           @extschema@.gpus_needed((SELECT w.need FROM workload AS w), m.gpu_count, m.gpu_memory_gib)::integer,
           gpu_advisor_internal.need_gib_per_gpu((SELECT w.need FROM workload AS w),
               @extschema@.gpus_needed((SELECT w.need FROM workload AS w), m.gpu_count, m.gpu_memory_gib)),
           m.gpu_memory_gib - gpu_advisor_internal.need_gib_per_gpu((SELECT w.need FROM workload AS w),
               @extschema@.gpus_needed((SELECT w.need FROM workload AS w), m.gpu_count, m.gpu_memory_gib)),
           m.price_per_hour,
           budget / nullif(m.price_per_hour, 0)::double precision,
           gpu_advisor_internal.confidence((SELECT w.need FROM workload AS w), m.gpu_count, m.gpu_memory_gib,
                                           m.memory_source),
           gpu_advisor_internal.why((SELECT w.need FROM workload AS w), m.gpu_count, m.gpu_memory_gib),
           gpu_advisor_internal.limits((SELECT w.need FROM workload AS w), m.gpu_count, m.gpu_memory_gib,
                                       m.memory_source, m.tier, m.interruptible, m.max_booking_hours),
           m.interruptible, m.max_booking_hours,
           (SELECT s.value FROM @extschema@.gpu_measurements AS s
             WHERE s.machine_id = m.machine_id AND s.bits = recommend_machines.bits
               AND s.model = (SELECT gpu_advisor_internal.need_model(w.need) FROM workload AS w)
             ORDER BY s.measured_at DESC, s.unit DESC LIMIT 1),
           (SELECT s.unit FROM @extschema@.gpu_measurements AS s
             WHERE s.machine_id = m.machine_id AND s.bits = recommend_machines.bits
               AND s.model = (SELECT gpu_advisor_internal.need_model(w.need) FROM workload AS w)
             ORDER BY s.measured_at DESC, s.unit DESC LIMIT 1)
      FROM @extschema@.gpu_machines AS m
     WHERE m.available
       AND (SELECT w.need FROM workload AS w) IS NOT NULL
       AND @extschema@.gpu_fits((SELECT w.need FROM workload AS w), m.gpu_count, m.gpu_memory_gib)
       AND m.price_per_hour <= coalesce(max_price::numeric, 'infinity'::numeric)
       AND m.tier = ANY (CASE recommend_machines.tier WHEN 'both' THEN ARRAY['secure', 'community']
                              ELSE ARRAY[recommend_machines.tier] END)
       AND (countries IS NULL OR m.country = ANY (@extschema@.gpu_countries(countries)))
     ORDER BY m.price_per_hour, m.machine_id;
END;
COMMENT ON FUNCTION @extschema@.recommend_machines(text, bigint, bigint, bigint, text, double precision, double precision, double precision, text, text[]) IS
    'Machines of gpu_machines that are available, hold the workload and keep every preference, cheapest first, ties by machine_id. Workload as in gpu_need(); budget in the currency of the prices, max_price an hour, tier secure, community or both, countries as in gpu_countries() (NULL: any). Memory in GiB on each GPU used; budget_hours is how long the budget lasts (NULL without a budget, or where the machine is free); measured_speed only where gpu_measurements has it, never an estimate.';
