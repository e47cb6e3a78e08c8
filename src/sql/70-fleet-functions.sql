-- The recommender over a fleet. One text makes the functions for gpu_machines and for any table or
-- view of the user's own. The planner inlines them: a WHERE, ORDER BY or LIMIT around them reaches
-- the fleet's table and its indexes, and columns that nobody selects cost nothing.
--
-- For a fleet that is distributed over other servers (Citus) the same text makes functions in
-- PL/pgSQL: they compute the needs first, so that what goes to the servers is a plain filter with
-- an order and a limit, and write the sentences for what comes back.

CREATE FUNCTION gpu_advisor_internal.fleet_texts(capacity_indexed boolean)
    RETURNS TABLE (mark text, inlined text, distributed text) -- distributed NULL: as inlined
    LANGUAGE plpgsql IMMUTABLE
    SET search_path = pg_catalog, pg_temp
AS $make$
DECLARE
    -- Each machine judged once, for the counts.
    judged constant text := $sql$
        SELECT m.price_per_hour,
               m.available AS available,
               m.available AND m.price_per_hour >= 0 AND m.price_per_hour < 1e15 AND m.tier IN ('secure', 'community')
                   AND m.gpu_memory_gib > 0 AND m.gpu_memory_gib < 1e15 AND m.gpu_count > 0 AS known,
               @extschema@.gpu_fits(@need@, m.gpu_count::bigint, m.gpu_memory_gib) AS fits,
               m.gpu_count, m.gpu_memory_gib,
               @in_countries@ AS in_countries,
               @in_tier@ AS in_tier,
               m.price_per_hour <= @price_limit@ AS in_price
          FROM @fleet@ AS m$sql$;
    -- A machine as a row of an answer, for a need and the precision of its weights.
    machine_columns constant text := $sql$
           m.machine_id, m.tier, m.country, m.gpu_name, CASE WHEN m.gpu_count <= 2147483647 THEN m.gpu_count::integer END AS gpu_count, m.gpu_memory_gib, m.memory_source,
           @extschema@.gpus_needed(@its_need@, m.gpu_count::bigint, m.gpu_memory_gib)::integer AS gpus_used,
           gpu_advisor_internal.need_gib_per_gpu(@its_need@,
               @extschema@.gpus_needed(@its_need@, m.gpu_count::bigint, m.gpu_memory_gib)) AS needed_gib_per_gpu,
           m.gpu_memory_gib - gpu_advisor_internal.need_gib_per_gpu(@its_need@,
               @extschema@.gpus_needed(@its_need@, m.gpu_count::bigint, m.gpu_memory_gib)) AS free_gib_per_gpu,
           m.price_per_hour,
           CASE WHEN m.price_per_hour >= 0.000000001 THEN @fn@.budget / m.price_per_hour::double precision END AS budget_hours,
           gpu_advisor_internal.confidence(@its_need@, m.gpu_count, m.gpu_memory_gib, m.memory_source) AS confidence,
           gpu_advisor_internal.why(@its_need@, m.gpu_count, m.gpu_memory_gib) AS why,
           gpu_advisor_internal.limits(@its_need@, m.gpu_count, m.gpu_memory_gib, m.memory_source, m.tier, m.interruptible,
                                       m.max_booking_hours) AS limits,
           m.interruptible, m.max_booking_hours,
           (SELECT s.value FROM @extschema@.gpu_measurements AS s
             WHERE s.machine_id = m.machine_id AND s.bits = @its_bits@ AND s.model = @need_model@
             ORDER BY s.measured_at DESC, s.unit DESC LIMIT 1) AS measured_speed,
           (SELECT s.unit FROM @extschema@.gpu_measurements AS s
             WHERE s.machine_id = m.machine_id AND s.bits = @its_bits@ AND s.model = @need_model@
             ORDER BY s.measured_at DESC, s.unit DESC LIMIT 1) AS measured_unit$sql$;
    -- The cheapest machine at a lower precision, where it gains something.
    cheapest_at constant text := $sql$SELECT 'lower_precision' AS alternative, @lower@::bigint, (SELECT c.at_@lower@ FROM counted AS c),
               (SELECT gpu_advisor_internal.precision_gain(@lower@, c.at_@lower@, c.asked, c.at_@lower@_cheapest, c.asked_cheapest) FROM counted AS c),
               @machine_columns_@lower@@
         @from@ m.available AND @need_@lower@@ IS NOT NULL AND @holds_@lower@@ AND @kept@
           AND (SELECT c.at_@lower@ > c.asked OR c.at_@lower@_cheapest < c.asked_cheapest FROM counted AS c)
         @first_in_order@$sql$;
    -- A condition on the fleet, which an index on the capacity serves as well.
    holds constant text := $sql$@extschema@.gpu_fits(@its_need@, m.gpu_count::bigint, m.gpu_memory_gib)
           AND gpu_advisor_internal.capacity_holds(m.gpu_count * m.gpu_memory_gib, @its_capacity@)$sql$;
    in_order constant text := 'ORDER BY m.price_per_hour, m.machine_id';
    workload constant text := 'workload AS MATERIALIZED (SELECT gpu_advisor_internal.request_need(@call@) AS need)';
BEGIN
    RETURN QUERY VALUES
    ('@with@', 'WITH ' || workload, ''),
    ('@with_counts@', 'WITH ' || workload || $sql$, lower_precisions AS MATERIALIZED (
        SELECT p.bits, CASE WHEN p.bits < @fn@.bits AND @fn@.model IS NOT NULL AND @need@ IS NOT NULL
                            THEN @extschema@.gpu_need(@fn@.model, p.bits, @fn@.ctx, @fn@.conc, @fn@.task, NULL::double precision) END AS need
          FROM (VALUES (8::bigint), (4::bigint)) AS p (bits)
    ),$sql$, 'WITH'),
    ('@judged@', judged, NULL),
    -- Lower precisions are asked of the few machines that pass all else.
    ('@fits_8@', '@extschema@.gpu_fits(@need_8@, j.gpu_count::bigint, j.gpu_memory_gib)', NULL),
    ('@fits_4@', '@extschema@.gpu_fits(@need_4@, j.gpu_count::bigint, j.gpu_memory_gib)', NULL),
    -- Keeps the planner from judging a machine once for each count; Citus would fetch the whole fleet.
    ('@fence@', 'OFFSET 0', ''),
    ('@cheapest_at_8@', replace(cheapest_at, '@lower@', '8'), NULL),
    ('@cheapest_at_4@', replace(cheapest_at, '@lower@', '4'), NULL),
    ('@from@', 'FROM @fleet@ AS m WHERE', 'FROM (SELECT m.* FROM @fleet@ AS m WHERE'),
    ('@in_order@', in_order, in_order || ' LIMIT the.most) AS m ' || in_order),
    ('@first_in_order@', in_order || ' LIMIT 1', in_order || ' LIMIT 1) AS m'),
    ('@limit@', '', 'LIMIT the.most'),
    ('@kept@', 'm.price_per_hour >= 0 AND m.price_per_hour <= @price_limit@ AND m.tier IN (''secure'', ''community'') AND @in_tier@ AND @in_countries@', NULL),
    -- Where no machine is large enough none is read, whatever need the plan was made for; nor where
    -- the need is not known.
    ('@reachable@', CASE WHEN capacity_indexed
                         THEN '(SELECT max(c.gpu_count * c.gpu_memory_gib) FROM @fleet@ AS c WHERE c.available) >= @least_capacity@'
                         ELSE '@need@ IS NOT NULL' END, 'the.need IS NOT NULL'),
    ('@machine_columns@', replace(replace(machine_columns, '@its_need@', '@need@'), '@its_bits@', '@fn@.bits'), NULL),
    ('@machine_columns_8@', replace(replace(machine_columns, '@its_need@', '@need_8@'), '@its_bits@', '8'), NULL),
    ('@machine_columns_4@', replace(replace(machine_columns, '@its_need@', '@need_4@'), '@its_bits@', '4'), NULL),
    ('@holds@', replace(replace(holds, '@its_need@', '@need@'), '@its_capacity@', '@least_capacity@'), NULL),
    ('@holds_8@', replace(replace(holds, '@its_need@', '@need_8@'), '@its_capacity@', '@least_capacity_8@'), NULL),
    ('@holds_4@', replace(replace(holds, '@its_need@', '@need_4@'), '@its_capacity@', '@least_capacity_4@'), NULL),
    -- As constants where the plan is made for them: then a list of countries is looked up in a hash.
    ('@in_countries@', '(@fn@.countries IS NULL OR m.country = ANY (@extschema@.gpu_countries(@fn@.countries)))',
                       '(@fn@.countries IS NULL OR m.country = ANY (the.countries))'),
    -- The price is compared as the table holds it, so that its index serves.
    ('@price_limit@', 'coalesce(@fn@.max_price::numeric, 1e15)', 'the.price_limit'),
    -- With the tier at hand an equality, which the price index takes as well, or nothing at all.
    ('@in_tier@', $sql$(@fn@.tier = 'both' OR m.tier = @fn@.tier)$sql$, 'm.tier = ANY (the.tiers)'),
    ('@in_other_tier@', $sql$m.tier = CASE @fn@.tier WHEN 'secure' THEN 'community' WHEN 'community' THEN 'secure' END$sql$,
                        $sql$m.tier IN ('secure', 'community') AND m.tier <> ALL (the.tiers)$sql$),
    -- An uncorrelated sub-select becomes an InitPlan: the need is computed once a query.
    ('@least_capacity@', '(SELECT gpu_advisor_internal.least_capacity(w.need) FROM workload AS w)',
                         'gpu_advisor_internal.least_capacity(the.need)'),
    ('@least_capacity_8@', 'gpu_advisor_internal.least_capacity(@need_8@)', NULL),
    ('@least_capacity_4@', 'gpu_advisor_internal.least_capacity(@need_4@)', NULL),
    ('@need_model@', '(SELECT gpu_advisor_internal.need_model(w.need) FROM workload AS w)', 'gpu_advisor_internal.need_model(the.need)'),
    ('@need_8@', '(SELECT l.need FROM lower_precisions AS l WHERE l.bits = 8)', 'the.need_8'),
    ('@need_4@', '(SELECT l.need FROM lower_precisions AS l WHERE l.bits = 4)', 'the.need_4'),
    ('@need@', '(SELECT w.need FROM workload AS w)', 'the.need'),
    ('@list_call@', '@call@', '@call@, @fn@.max_machines'),
    ('@call@', '@fn@.model, @fn@.bits, @fn@.ctx, @fn@.conc, @fn@.task, @fn@.memory_gib, @fn@.budget, @fn@.max_price, @fn@.tier, @fn@.countries', NULL);
END
$make$;
COMMENT ON FUNCTION gpu_advisor_internal.fleet_texts(boolean) IS 'The parts of the recommender''s texts: each may hold marks of those after it.';

-- The rows of the answers. PL/pgSQL does not take an argument and a column of the same name, so there
-- the functions return these types; in SQL they list the same columns.
CREATE TYPE gpu_advisor_internal.recommended_machine AS (
    machine_id text, tier text, country text, gpu_name text, gpu_count integer, gpu_memory_gib double precision,
    memory_source text, gpus_used integer, needed_gib_per_gpu double precision, free_gib_per_gpu double precision,
    price_per_hour numeric, budget_hours double precision, confidence text, why text, limits text[], interruptible boolean,
    max_booking_hours double precision, measured_speed double precision, measured_unit text
);
COMMENT ON TYPE gpu_advisor_internal.recommended_machine IS 'A row of recommend_machines().';

CREATE TYPE gpu_advisor_internal.alternative_machine AS (
    alternative text, bits bigint, machines bigint, gain text,
    machine_id text, tier text, country text, gpu_name text, gpu_count integer, gpu_memory_gib double precision,
    memory_source text, gpus_used integer, needed_gib_per_gpu double precision, free_gib_per_gpu double precision,
    price_per_hour numeric, budget_hours double precision, confidence text, why text, limits text[], interruptible boolean,
    max_booking_hours double precision, measured_speed double precision, measured_unit text
);
COMMENT ON TYPE gpu_advisor_internal.alternative_machine IS 'A row of recommend_alternatives().';

CREATE FUNCTION gpu_advisor_internal.table_result(row_type regtype) RETURNS text
    LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT format('TABLE (%s)', string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum))
      FROM pg_type AS t JOIN pg_attribute AS a ON a.attrelid = t.typrelid
     WHERE t.oid = row_type;
END;
COMMENT ON FUNCTION gpu_advisor_internal.table_result(regtype) IS 'The result of a function that returns a type''s columns.';

CREATE FUNCTION gpu_advisor_internal.fleet_functions(distributed boolean, capacity_indexed boolean)
    RETURNS TABLE (name text, arguments text, other_arguments text, result text, language text, settings text, body text, description text)
    LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, pg_temp
AS $make$
DECLARE
    call_arguments constant text := 'model text DEFAULT NULL, bits bigint DEFAULT 16, ctx bigint DEFAULT 4096, '
        'conc bigint DEFAULT 1, task text DEFAULT NULL, memory_gib double precision DEFAULT NULL, '
        'budget double precision DEFAULT NULL, max_price double precision DEFAULT NULL, tier text DEFAULT ''both'', '
        'countries text[] DEFAULT NULL';
    limit_argument constant text := ', max_machines bigint DEFAULT 20';
    list_arguments constant text := call_arguments || CASE WHEN distributed THEN limit_argument ELSE '' END;
    other_list_arguments constant text := call_arguments || CASE WHEN distributed THEN '' ELSE limit_argument END;
    described constant text := ' Workload as in gpu_need(); budget in the currency of the prices, max_price an hour, '
        'tier secure, community or both, countries as in gpu_countries() (NULL: any).'
        || CASE WHEN distributed THEN ' At most max_machines machines.' ELSE '' END;
    alternatives constant text := $sql$
    @with_counts@ counted AS MATERIALIZED (
        -- One pass over the fleet, and only where somebody asks for it.
        SELECT count(*) FILTER (WHERE j.fits AND j.in_price AND j.in_tier) AS asked,
               min(j.price_per_hour) FILTER (WHERE j.fits AND j.in_price AND j.in_tier) AS asked_cheapest,
               count(*) FILTER (WHERE j.in_price AND j.in_tier AND @fits_8@) AS at_8,
               min(j.price_per_hour) FILTER (WHERE j.in_price AND j.in_tier AND @fits_8@) AS at_8_cheapest,
               count(*) FILTER (WHERE j.in_price AND j.in_tier AND @fits_4@) AS at_4,
               min(j.price_per_hour) FILTER (WHERE j.in_price AND j.in_tier AND @fits_4@) AS at_4_cheapest,
               count(*) FILTER (WHERE j.fits AND NOT j.in_price AND j.in_tier) AS over_price,
               count(*) FILTER (WHERE j.fits AND j.in_price AND NOT j.in_tier) AS other_tier,
               count(*) FILTER (WHERE j.fits AND NOT j.in_price AND NOT j.in_tier) AS both_broken
          FROM (@judged@
                 WHERE m.available AND @in_countries@
                   AND m.tier IN ('secure', 'community') AND m.price_per_hour >= 0 AND m.price_per_hour < 1e15
                @fence@) AS j
    )
    SELECT a.*
      FROM (
        -- Each part in the order of the whole, so that the price index gives it and LIMIT stops early.
        (SELECT CASE WHEN m.price_per_hour > @price_limit@ THEN 'over_price_and_other_tier' ELSE 'other_tier' END AS alternative,
               @fn@.bits,
               CASE WHEN m.price_per_hour > @price_limit@ THEN (SELECT c.both_broken FROM counted AS c)
                    ELSE (SELECT c.other_tier FROM counted AS c) END AS machines,
               CASE WHEN m.price_per_hour > @price_limit@
                    THEN format('%s, and %s an hour over the limit of %s: %s.', gpu_advisor_internal.other_tier_text(m.tier),
                                gpu_advisor_internal.price_text(m.price_per_hour - @price_limit@),
                                gpu_advisor_internal.price_text(@price_limit@), gpu_advisor_internal.price_text(m.price_per_hour))
                    ELSE format('%s, at %s an hour.', gpu_advisor_internal.other_tier_text(m.tier),
                                gpu_advisor_internal.price_text(m.price_per_hour)) END AS gain,
               @machine_columns@
         @from@ m.available AND @reachable@ AND @holds@ AND @in_countries@ AND @fn@.tier <> 'both'
           AND @in_other_tier@
           AND m.price_per_hour >= 0 AND m.price_per_hour < 1e15
         @in_order@)
        UNION ALL
        (SELECT 'over_price' AS alternative, @fn@.bits, (SELECT c.over_price FROM counted AS c),
               format('%s an hour over the limit of %s: %s.', gpu_advisor_internal.price_text(m.price_per_hour - @price_limit@),
                      gpu_advisor_internal.price_text(@price_limit@), gpu_advisor_internal.price_text(m.price_per_hour)),
               @machine_columns@
         @from@ m.available AND @reachable@ AND @holds@ AND @in_countries@ AND @fn@.max_price IS NOT NULL
           AND m.price_per_hour > @price_limit@ AND m.price_per_hour < 1e15 AND m.tier IN ('secure', 'community') AND @in_tier@
         @in_order@)
        UNION ALL
        (@cheapest_at_8@)
        UNION ALL
        (@cheapest_at_4@)
      ) AS a
     ORDER BY a.price_per_hour, a.machine_id, a.bits DESC
     @limit@$sql$;
    -- Computed once a call, before the query that goes to the servers.
    prelude constant text := $sql$
#variable_conflict use_column
<<the>>
DECLARE
    need @extschema@.gpu_need := gpu_advisor_internal.request_need(@call@);
    need_8 @extschema@.gpu_need := CASE WHEN @fn@.bits > 8 AND @fn@.model IS NOT NULL AND the.need IS NOT NULL
                                        THEN @extschema@.gpu_need(@fn@.model, 8::bigint, @fn@.ctx, @fn@.conc, @fn@.task, NULL::double precision) END;
    need_4 @extschema@.gpu_need := CASE WHEN @fn@.bits > 4 AND @fn@.model IS NOT NULL AND the.need IS NOT NULL
                                        THEN @extschema@.gpu_need(@fn@.model, 4::bigint, @fn@.ctx, @fn@.conc, @fn@.task, NULL::double precision) END;
    countries text[] := @extschema@.gpu_countries(@fn@.countries);
    tiers text[] := CASE @fn@.tier WHEN 'both' THEN ARRAY['secure', 'community'] ELSE ARRAY[@fn@.tier] END;
    price_limit numeric := coalesce(@fn@.max_price::numeric, 1e15);
    most bigint := @most@;
BEGIN
    RETURN QUERY
$sql$;
    t record;
BEGIN
    FOR name, arguments, other_arguments, result, language, settings, body, description IN VALUES
('recommend_machines', list_arguments, other_list_arguments, 'gpu_advisor_internal.recommended_machine', 'sql', 'ROWS 1000', $sql$
    @with@
    SELECT @machine_columns@
    @from@ m.available AND @reachable@ AND @holds@ AND @kept@
    @in_order@;
$sql$, 'Machines that are available, hold the workload and keep every preference, cheapest first, ties by machine_id.'
    || described || ' Memory in GiB on each GPU used; budget_hours is how long the budget lasts (NULL without a budget, '
    || 'or where the machine is free); measured_speed only where gpu_measurements has it, never an estimate.'),

('recommend_alternatives', list_arguments, other_list_arguments,
 'gpu_advisor_internal.alternative_machine', 'sql', 'ROWS 1000', alternatives || ';', 'What else there is, cheapest first: machines that fit but break a preference (alternative: over_price, other_tier, '
    || 'over_price_and_other_tier; machines: how many do so), and the same model at each lower precision that opens more '
    || 'machines or a cheaper one (lower_precision: its cheapest machine, and how many fit). Never a machine outside the '
    || 'chosen countries.' || described),

('recommend_constraints', call_arguments, call_arguments,
 'TABLE ("position" integer, constraint_name text, value text, machines_left bigint, advice text)', 'sql', 'ROWS 8', $sql$
    @with_counts@ counted AS MATERIALIZED (
        -- One pass over the fleet.
        SELECT count(*) AS fleet,
               count(*) FILTER (WHERE j.available) AS available,
               count(*) FILTER (WHERE j.known) AS known,
               count(*) FILTER (WHERE j.known AND j.fits) AS workload,
               count(*) FILTER (WHERE j.known AND j.fits AND j.in_countries) AS countries,
               count(*) FILTER (WHERE j.known AND j.fits AND j.in_countries AND j.in_tier) AS tier,
               count(*) FILTER (WHERE j.known AND j.fits AND j.in_countries AND j.in_tier AND j.in_price) AS max_price,
               -- Where both tiers are taken there is none to give up.
               count(*) FILTER (WHERE j.known AND j.fits AND j.in_countries AND j.in_price AND @fn@.tier <> 'both') AS without_tier,
               count(*) FILTER (WHERE j.known AND j.fits AND j.in_tier AND j.in_price) AS without_countries,
               count(*) FILTER (WHERE j.known AND j.in_countries AND j.in_tier AND j.in_price AND @fits_8@) AS at_8,
               count(*) FILTER (WHERE j.known AND j.in_countries AND j.in_tier AND j.in_price AND @fits_4@) AS at_4
          FROM (@judged@
                @fence@) AS j
    )
    SELECT r.place, r.constraint_name, r.value, r.machines_left,
           CASE WHEN r.machines_left = 0 AND r.left_before > 0
                THEN CASE WHEN r.constraint_name = 'fleet' THEN 'The fleet holds no machine.'
                          WHEN r.constraint_name = 'available' THEN 'No machine is available now.'
                          WHEN r.constraint_name = 'known' THEN 'No available machine has a known price, tier, GPU count and memory.'
                          WHEN @need@ IS NULL THEN 'A figure that the need depends on is not in the catalogue: gpu_memory_items() says which.'
                          ELSE gpu_advisor_internal.missing_advice(r.workload, r.tier, r.without_tier, r.without_countries, r.at_8, r.at_4)
                     END END
      FROM (SELECT v.place, v.constraint_name, v.value, v.machines_left,
                   lag(v.machines_left, 1, 1::bigint) OVER (ORDER BY v.place) AS left_before,
                   c.workload, c.tier, c.without_tier, c.without_countries, c.at_8, c.at_4
              FROM counted AS c
             CROSS JOIN LATERAL (VALUES
                    (1, 'fleet', 'every machine of the fleet', c.fleet),
                    (2, 'available', 'available now', c.available),
                    (3, 'known', 'price, tier, GPU count and memory known', c.known),
                    (4, 'workload', coalesce(gpu_advisor_internal.workload_text(@need@), 'the need is not known'), c.workload),
                    (5, 'countries', coalesce(array_to_string(@extschema@.gpu_countries(@fn@.countries), ', '), 'any country'), c.countries),
                    (6, 'tier', CASE @fn@.tier WHEN 'both' THEN 'secure or community' ELSE @fn@.tier || ' only' END, c.tier),
                    (7, 'max_price', coalesce('at most ' || gpu_advisor_internal.price_text(@fn@.max_price::numeric) || ' an hour', 'any price'), c.max_price),
                    (8, 'budget', coalesce(gpu_advisor_internal.price_text(@fn@.budget::numeric) || ': shown as hours, leaves no machine out', 'no budget'), c.max_price)
                  ) AS v (place, constraint_name, value, machines_left)) AS r
     ORDER BY r.place;
$sql$, 'Everything that the answer took into account, in order, each with its value in words and how many machines were left '
    || 'after it. Where a constraint leaves none, advice says what would help most.' || described),

-- In PL/pgSQL, which plans a statement for the values at hand; a SQL function that cannot be inlined
-- would run the generic plan. Its text is bound when it runs, so it sets the search_path.
('launch_by_workload', call_arguments || limit_argument, call_arguments || limit_argument, 'jsonb', 'plpgsql',
 'SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan', $sql$
BEGIN
    -- A wrong argument is refused here: an error below would carry the whole text of the query as its context.
    PERFORM gpu_advisor_internal.request_need(@call@), gpu_advisor_internal.check_max_machines(@fn@.max_machines);
    RETURN (SELECT jsonb_build_object(
        'gpu_memory_needed', (
            SELECT jsonb_build_object(
                       'workload', gpu_advisor_internal.workload_text(n.need),
                       'total_gib', @extschema@.gpu_need_gib(n.need, 1::bigint),
                       'total_bytes', n.need::text::jsonb -> 'total_bytes',
                       'items', i.items, 'assumptions', i.assumptions)
              FROM (SELECT gpu_advisor_internal.request_need(@call@) AS need OFFSET 0) AS n
             CROSS JOIN (
                    SELECT jsonb_agg(jsonb_build_object('item', i.item, 'formula', i.formula, 'bytes', i.bytes,
                                                    'gib', i.gib, 'assumption', i.assumption) ORDER BY i."position") AS items,
                           jsonb_agg(i.assumption ORDER BY i."position") AS assumptions
                      FROM @extschema@.gpu_memory_items(@fn@.model, @fn@.bits, @fn@.ctx, @fn@.conc, @fn@.task,
                               @fn@.memory_gib, 1::bigint) AS i) AS i),
        'recommended', (
            SELECT coalesce(jsonb_agg(to_jsonb(r)), '[]')
              -- They come in order. Asked for once more, the planner would sort all of them.
              FROM (SELECT r.* FROM @schema@.recommend_machines(@list_call@) AS r
                     LIMIT gpu_advisor_internal.check_max_machines(@fn@.max_machines)) AS r),
        'alternatives', (
            SELECT coalesce(jsonb_agg(to_jsonb(a)), '[]')
              FROM (@few_alternatives@) AS a),
        'constraints', (
            SELECT jsonb_agg(to_jsonb(c) ORDER BY c."position")
              FROM @schema@.recommend_constraints(@call@) AS c)));
END
$sql$, 'The whole answer as one jsonb document, of one snapshot, for a web console: gpu_memory_needed, recommended, alternatives '
    || 'and constraints; at most max_machines recommended machines and as many alternatives. The README documents it key by key.'
    || described)
    LOOP
        IF result LIKE 'gpu_advisor_internal.%' THEN
            result := CASE WHEN distributed THEN 'SETOF ' || result ELSE gpu_advisor_internal.table_result(result::regtype) END;
        END IF;
        IF distributed AND language = 'sql' THEN
            body := CASE WHEN arguments = call_arguments THEN replace(prelude, '@most@', 'NULL') ELSE prelude END || body || 'END';
            language := 'plpgsql';
            settings := settings || ' SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan';
        END IF;
        body := replace(body, '@few_alternatives@', CASE WHEN distributed
            THEN 'SELECT a.* FROM @schema@.recommend_alternatives(@list_call@) AS a ORDER BY a.price_per_hour, a.machine_id, a.bits DESC'
            -- The limit within each part: so the planner takes the price index for it.
            ELSE replace(replace(alternatives, '@in_order@', '@in_order@ LIMIT @most@'), '@limit@', 'LIMIT @most@') END);
        body := replace(body, '@most@', 'gpu_advisor_internal.check_max_machines(@fn@.max_machines)');
        FOR t IN SELECT * FROM gpu_advisor_internal.fleet_texts(capacity_indexed) LOOP
            body := replace(body, t.mark, CASE WHEN distributed THEN coalesce(t.distributed, t.inlined) ELSE t.inlined END);
        END LOOP;
        RETURN NEXT;
    END LOOP;
END
$make$;
COMMENT ON FUNCTION gpu_advisor_internal.fleet_functions(boolean, boolean) IS 'The texts of the recommender''s functions: the one place where they stand.';

CREATE FUNCTION gpu_advisor_internal.check_max_machines(max_machines bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF max_machines >= 0 THEN
        RETURN max_machines;
    END IF;
    RAISE EXCEPTION 'max_machines must be zero or more, not %', coalesce(max_machines::text, 'NULL')
        USING ERRCODE = 'invalid_parameter_value', HINT = 'Give a number of machines such as 20.';
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.check_max_machines(bigint) IS 'max_machines, or an error where it is negative or NULL.';

CREATE FUNCTION gpu_advisor_internal.create_fleet_functions(fleet text, in_schema text, create_command text, properties text,
        distributed boolean, capacity_indexed boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
-- fleet and in_schema come quoted, from regclass and regnamespace.
DECLARE
    f record;
    body text;
    own_name text;
    other_name text;
BEGIN
    FOR f IN SELECT * FROM gpu_advisor_internal.fleet_functions(distributed, capacity_indexed) LOOP
        own_name := format('%s.%I(%s)', in_schema, f.name, regexp_replace(f.arguments, ' DEFAULT [^,]+', '', 'g'));
        other_name := format('%s.%I(%s)', in_schema, f.name, regexp_replace(f.other_arguments, ' DEFAULT [^,]+', '', 'g'));
        -- The other kind of function, from an earlier call, would make every call ambiguous.
        IF other_name <> own_name THEN
            EXECUTE 'DROP FUNCTION IF EXISTS ' || other_name;
        END IF;
        body := replace(replace(replace(f.body, '@fn@', f.name), '@schema@', in_schema), '@fleet@', fleet);
        EXECUTE format('%s %s.%I(%s) RETURNS %s LANGUAGE %s STABLE COST 1000 %s %s ', create_command, in_schema, f.name, f.arguments,
                       f.result, f.language, properties, f.settings)
             || CASE f.language WHEN 'sql' THEN format('BEGIN ATOMIC %s END', body) ELSE format('AS %L', body) END;
        EXECUTE format('COMMENT ON FUNCTION %s IS %L', own_name, f.description);
    END LOOP;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.create_fleet_functions(text, text, text, text, boolean, boolean) IS 'Creates the recommender''s functions over a fleet.';

SELECT gpu_advisor_internal.create_fleet_functions('@extschema@.gpu_machines', '@extschema@', 'CREATE FUNCTION', 'PARALLEL SAFE',
                                                   distributed => false, capacity_indexed => true);

-- Whether an index of the fleet holds the capacity of its machines, so that the largest costs nothing to find.
CREATE FUNCTION gpu_advisor_internal.has_capacity_index(fleet regclass) RETURNS boolean
    LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT EXISTS (SELECT FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS a ON a.oid = c.relam
                    WHERE i.indrelid = fleet AND i.indisvalid AND a.amname = 'btree'
                      AND pg_get_indexdef(i.indexrelid, 1, true) = '(gpu_count::double precision * gpu_memory_gib)'
                      AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = 'available'));
END;
COMMENT ON FUNCTION gpu_advisor_internal.has_capacity_index(regclass) IS 'Whether a fleet has an index on gpu_count * gpu_memory_gib.';

-- Citus registers its tables in a table of its own.
CREATE FUNCTION gpu_advisor_internal.is_distributed(fleet regclass) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found_row boolean := false;
BEGIN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = $1)' INTO found_row USING fleet;
    END IF;
    RETURN found_row;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.is_distributed(regclass) IS 'Whether Citus spreads a fleet over its workers.';

CREATE FUNCTION gpu_advisor_internal.fleet_faults(fleet regclass) RETURNS text
    LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT string_agg(CASE WHEN a.attname IS NULL THEN format('%s is missing, expected %s', c.name, c.expected)
                           ELSE format('%s is %s, expected %s', c.name, format_type(a.atttypid, NULL), c.expected) END,
                      '; ' ORDER BY c.place)
      FROM (VALUES (1, 'machine_id', 'text', NULL), (2, 'tier', 'text', NULL), (3, 'country', 'text', NULL), (4, 'gpu_name', 'text', NULL),
                   (5, 'gpu_count', 'integer or bigint', NULL), (6, 'gpu_memory_gib', 'double precision', NULL),
                   (7, 'memory_source', 'text', NULL), (8, 'price_per_hour', 'numeric', NULL), (9, 'available', 'boolean', NULL),
                   (10, 'interruptible', 'boolean', NULL), (11, 'max_booking_hours', 'double precision', NULL)) AS c (place, name, expected)
      LEFT JOIN pg_attribute AS a ON a.attrelid = fleet AND a.attname = c.name AND a.attnum > 0 AND NOT a.attisdropped
     WHERE a.attname IS NULL OR format_type(a.atttypid, NULL) <> ALL (string_to_array(c.expected, ' or '));
END;
COMMENT ON FUNCTION gpu_advisor_internal.fleet_faults(regclass) IS 'What a fleet''s columns lack, in words; NULL where nothing.';

CREATE FUNCTION @extschema@.gpu_advisor_use_fleet(fleet regclass, in_schema name DEFAULT NULL, distributed boolean DEFAULT NULL)
    RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    faults text := gpu_advisor_internal.fleet_faults(fleet);
    target regnamespace;
    taken text;
    views constant text[] := ARRAY(SELECT f.name FROM gpu_advisor_internal.fleet_views() AS f);
    waited_for text := views[1];
    waiting boolean;
    v text;
    own_lock_timeout constant text := current_setting('lock_timeout');
BEGIN
    IF fleet IS NULL THEN
        RAISE EXCEPTION 'no fleet was given'
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Name a table or view, such as gpu_advisor_use_fleet(''my_schema.my_fleet'').';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_class AS c WHERE c.oid = fleet AND c.relkind IN ('r', 'p', 'v', 'm', 'f')) THEN
        RAISE EXCEPTION '% is no table or view', fleet
            USING ERRCODE = 'wrong_object_type', HINT = 'Name a table, a view, a materialized view or a foreign table.';
    END IF;
    IF faults IS NOT NULL THEN
        RAISE EXCEPTION '% cannot serve as a fleet: %', fleet, faults
            USING ERRCODE = 'datatype_mismatch',
                  HINT = 'Write a view that has these columns, with casts such as price::numeric AS price_per_hour or NULL::double precision AS max_booking_hours.';
    END IF;
    IF in_schema IS NOT NULL AND NOT EXISTS (SELECT FROM pg_namespace AS n WHERE n.nspname = in_schema) THEN
        RAISE EXCEPTION 'schema "%" does not exist', in_schema
            USING ERRCODE = 'invalid_schema_name', HINT = format('Create it first: CREATE SCHEMA %I.', in_schema);
    END IF;
    SELECT n.oid::regnamespace INTO target
      FROM pg_class AS c, pg_namespace AS n
     WHERE c.oid = fleet AND CASE WHEN in_schema IS NULL THEN n.oid = c.relnamespace ELSE n.nspname = in_schema END;
    -- A permanent function over a temporary table would go with the table.
    IF (SELECT c.relpersistence = 't' FROM pg_class AS c WHERE c.oid = fleet) <> (target::text ~ '^pg_temp') THEN
        RAISE EXCEPTION 'a temporary fleet and a schema that stays do not go together'
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Make the fleet a table or view that stays, or leave in_schema out for a temporary one.';
    END IF;
    IF target::text ~ '^(pg_(?!temp)|information_schema)' OR target::text ~ '@(fleet|schema)@' THEN
        RAISE EXCEPTION 'schema % cannot hold a recommender', target
            USING ERRCODE = 'reserved_name', HINT = 'Give a schema of your own, with a plain name.';
    END IF;
    SELECT p.oid::regproc::text INTO taken
      FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
     WHERE p.pronamespace = target AND p.proname = 'recommend_machines';
    IF taken IS NOT NULL THEN
        RAISE EXCEPTION 'schema % holds the recommender of gpu_machines', target
            USING ERRCODE = 'duplicate_function',
                  HINT = format('Give a schema of your own: gpu_advisor_use_fleet(%L, in_schema => ''my_schema'').', fleet);
    END IF;
    PERFORM gpu_advisor_internal.check_fleet_views(target::text);
    -- A view waits for the transactions that read it; these may go on to read another of the views, and
    -- would wait in turn. So the first view is waited for with nothing else locked, and where another
    -- is in use all is undone, to wait for that one.
    LOOP
        BEGIN
            waiting := true;
            -- Two calls at once would both make the same view, or replace the same functions: an error.
            IF NOT EXISTS (SELECT FROM pg_class AS c WHERE c.relnamespace = target AND c.relname = waited_for) THEN
                PERFORM pg_advisory_xact_lock('gpu_advisor_internal'::regnamespace::oid::bigint);
            END IF;
            PERFORM gpu_advisor_internal.create_fleet_view(fleet::text, target::text, 'CREATE OR REPLACE VIEW', waited_for);
            PERFORM pg_advisory_xact_lock('gpu_advisor_internal'::regnamespace::oid::bigint);
            PERFORM gpu_advisor_internal.create_fleet_functions(fleet::text, target::text, 'CREATE OR REPLACE FUNCTION', 'PARALLEL RESTRICTED',
                                                                coalesce(distributed, gpu_advisor_internal.is_distributed(fleet)),
                                                                gpu_advisor_internal.has_capacity_index(fleet));
            waiting := false;
            FOREACH v IN ARRAY array_remove(views, waited_for) LOOP
                PERFORM set_config('lock_timeout', '10ms', true);
                PERFORM gpu_advisor_internal.create_fleet_view(fleet::text, target::text, 'CREATE OR REPLACE VIEW', v);
            END LOOP;
            PERFORM set_config('lock_timeout', own_lock_timeout, true);
            RETURN;
        EXCEPTION WHEN lock_not_available THEN
            IF waiting THEN
                RAISE;
            END IF;
            waited_for := v;
        END;
    END LOOP;
END
$$;
COMMENT ON FUNCTION @extschema@.gpu_advisor_use_fleet(regclass, name, boolean) IS
    'Makes recommend_machines, recommend_alternatives, recommend_constraints and launch_by_workload, and the views gpu_model_fit, gpu_fleet_summary and gpu_fleet_gaps, over a table, view, materialized view or foreign table of your own with the columns of gpu_machines, in in_schema (NULL: the fleet''s own schema). They belong to whoever calls this, run with the rights of whoever calls them, and are inlined, so that the indexes beneath serve them. Calling it again replaces them, and finds an index on gpu_count * gpu_memory_gib made since. distributed: functions in PL/pgSQL with a max_machines argument, which Citus needs (NULL: where the fleet is a distributed table of Citus). Errors: 42804 lists each column that is missing or of another type; 42723 for the schema of the extension.';
