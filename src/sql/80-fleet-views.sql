-- Views for dashboards, over gpu_machines and over any fleet of the user's own: plain column types,
-- units in the names, a comment on each column. Machines of one shape (GPUs and their memory) hold the
-- same models, so a fleet is first grouped by shape: a need is compared with each shape once.

-- Clients take bigint for text or lose its digits.
CREATE FUNCTION gpu_advisor_internal.as_integer(figure numeric) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN figure BETWEEN 0 AND 2147483647 THEN figure::integer END;
END;
COMMENT ON FUNCTION gpu_advisor_internal.as_integer(numeric) IS 'A count as an integer; NULL where it is too large for one.';

CREATE FUNCTION gpu_advisor_internal.fleet_views() RETURNS TABLE (name text, body text, description text)
    LANGUAGE plpgsql IMMUTABLE
    SET search_path = pg_catalog, pg_temp
AS $make$
DECLARE
    offered constant text := $sql$m.available AND m.price_per_hour >= 0 AND m.price_per_hour < 1e15 AND m.tier IN ('secure', 'community')
              AND m.gpu_memory_gib > 0 AND m.gpu_memory_gib < 1e15 AND m.gpu_count > 0$sql$;
    -- The machines that can be rented by their shapes: how many, and the cheapest of each, ties by id.
    -- place orders the shapes by their cheapest machine. Counted before anything is sorted: there are
    -- few shapes, and many machines.
    shapes constant text := $sql$shapes AS MATERIALIZED (
        SELECT s.*, row_number() OVER (ORDER BY s.price_per_hour, s.machine_id) AS place
          FROM (SELECT DISTINCT ON (m.gpu_count, m.gpu_memory_gib)
                       m.machine_id, m.tier, m.country, m.gpu_name, m.gpu_count, m.gpu_memory_gib,
                       c.lowest AS price_per_hour, c.machines
                  FROM (SELECT m.gpu_count, m.gpu_memory_gib, count(*) AS machines, min(m.price_per_hour) AS lowest
                          FROM @fleet@ AS m
                         WHERE @offered@
                         GROUP BY m.gpu_count, m.gpu_memory_gib) AS c
                  JOIN @fleet@ AS m ON m.gpu_count = c.gpu_count AND m.gpu_memory_gib = c.gpu_memory_gib AND m.price_per_hour = c.lowest
                 WHERE @offered@
                 ORDER BY m.gpu_count, m.gpu_memory_gib, m.machine_id) AS s
    )$sql$;
    -- OFFSET 0: a need is computed once, and a condition on the model reaches the catalogue.
    needs constant text := $sql$@extschema@.gpu_models AS m
     CROSS JOIN (VALUES (16), (8), (4)) AS b (bits)
     CROSS JOIN LATERAL (SELECT CASE m.kind WHEN 'language' THEN least(4096, m.max_context)::integer END AS ctx OFFSET 0) AS c
     CROSS JOIN LATERAL (SELECT @extschema@.gpu_model_need(m, b.bits::bigint, coalesce(c.ctx, 1)::bigint, 1::bigint, NULL::text) AS need OFFSET 0) AS n$sql$;
    named constant text := $sql$format('%s at %s bits', m.model, b.bits) AS fit_id,
           m.model, m.kind, b.bits, c.ctx AS context_tokens, @extschema@.gpu_need_gib(n.need, 1::bigint) AS needed_gib$sql$;
BEGIN
    FOR name, body, description IN VALUES
('gpu_model_fit', $sql$
    WITH @shapes@
    SELECT @named@,
           CASE WHEN n.need IS NOT NULL THEN gpu_advisor_internal.as_integer(coalesce(f.machines, 0)) END AS machines_that_fit,
           s.price_per_hour::double precision AS cheapest_price_per_hour,
           s.price_per_hour AS cheapest_price_per_hour_exact,
           s.machine_id AS cheapest_machine_id, s.tier AS cheapest_tier, s.country AS cheapest_country, s.gpu_name AS cheapest_gpu_name,
           gpu_advisor_internal.as_integer(s.gpu_count) AS cheapest_gpu_count, s.gpu_memory_gib AS cheapest_gpu_memory_gib,
           @extschema@.gpus_needed(n.need, s.gpu_count::bigint, s.gpu_memory_gib)::integer AS cheapest_gpus_used,
           CASE m.kind WHEN 'language'
                THEN gpu_advisor_internal.as_integer(@extschema@.gpu_model_max_context(m, b.bits::bigint, 1::bigint,
                    s.gpu_count::bigint, s.gpu_memory_gib, NULL::text))
           END AS longest_context_tokens,
           gpu_advisor_internal.as_integer(@extschema@.gpu_model_max_concurrency(m, b.bits::bigint, coalesce(c.ctx, 1)::bigint,
               s.gpu_count::bigint, s.gpu_memory_gib, NULL::text)) AS most_requests
      FROM @needs@
      LEFT JOIN LATERAL (SELECT sum(s.machines) AS machines, min(s.place) AS place
                           FROM shapes AS s
                          WHERE @extschema@.gpu_fits(n.need, s.gpu_count::bigint, s.gpu_memory_gib)) AS f ON true
      LEFT JOIN shapes AS s ON s.place = f.place
$sql$, 'Each model of the catalogue at 16, 8 and 4 bits: what it needs for one request of 4,096 tokens (or its longest context), '
    || 'how many of the machines that can be rented now hold it, and the cheapest of those with the most it holds.'),

('gpu_fleet_summary', $sql$
    SELECT concat_ws(' / ', s.tier, coalesce(s.country, 'country unknown'), coalesce(s.gpu_name, 'GPU unknown')) AS summary_id,
           s.tier, s.country, s.gpu_name, s.machines, s.machines_available, s.gpus_available,
           s.prices[1] AS lowest_price_per_hour, s.prices[2] AS lower_quartile_price_per_hour, s.prices[3] AS median_price_per_hour,
           s.prices[4] AS upper_quartile_price_per_hour, s.prices[5] AS highest_price_per_hour,
           s.median_price_per_gpu_hour, s.median_price_per_gib_hour
      FROM (SELECT m.tier, m.country, m.gpu_name, gpu_advisor_internal.as_integer(count(*)) AS machines,
                   gpu_advisor_internal.as_integer(count(*) FILTER (WHERE m.available)) AS machines_available,
                   coalesce(gpu_advisor_internal.as_integer(sum(m.gpu_count) FILTER (WHERE m.available AND m.gpu_count > 0)), 0) AS gpus_available,
                   percentile_cont('{0,0.25,0.5,0.75,1}'::double precision[]) WITHIN GROUP (ORDER BY m.price_per_hour::double precision)
                       FILTER (WHERE @priced@) AS prices,
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY m.price_per_hour::double precision / m.gpu_count)
                       FILTER (WHERE @priced@ AND m.gpu_count > 0) AS median_price_per_gpu_hour,
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY m.price_per_hour::double precision / (m.gpu_count * m.gpu_memory_gib))
                       FILTER (WHERE @offered@) AS median_price_per_gib_hour
              FROM @fleet@ AS m
             GROUP BY m.tier, m.country, m.gpu_name) AS s
$sql$, 'The fleet by tier, country and GPU: how many machines, and what those that are available cost.'),

('gpu_fleet_gaps', $sql$
    WITH @shapes@
    SELECT @named@,
           s.short_gib, s.machine_id AS nearest_machine_id, s.gpu_name AS nearest_gpu_name,
           gpu_advisor_internal.as_integer(s.gpu_count) AS nearest_gpu_count, s.gpu_memory_gib AS nearest_gpu_memory_gib,
           s.price_per_hour::double precision AS nearest_price_per_hour,
           @extschema@.gpu_fit_verdict(n.need, s.gpu_count::bigint, s.gpu_memory_gib) AS verdict
      FROM @needs@
      LEFT JOIN LATERAL (SELECT s.*, gpu_advisor_internal.short_gib(n.need, s.gpu_count, s.gpu_memory_gib) AS short_gib
                           FROM shapes AS s
                          ORDER BY short_gib, s.place
                          LIMIT 1) AS s ON true
     WHERE n.need IS NOT NULL
       AND NOT EXISTS (SELECT FROM shapes AS s WHERE @extschema@.gpu_fits(n.need, s.gpu_count::bigint, s.gpu_memory_gib))
$sql$, 'Models of the catalogue that no machine which can be rented now holds, at 16, 8 and 4 bits, for one request of 4,096 tokens '
    || '(or the longest context): how many GiB the machine that comes nearest is short.')
    LOOP
        body := replace(replace(replace(body, '@shapes@', shapes), '@needs@', needs), '@named@', named);
        body := replace(replace(body, '@offered@', offered), '@priced@', 'm.available AND m.price_per_hour >= 0 AND m.price_per_hour < 1e15');
        RETURN NEXT;
    END LOOP;
END
$make$;
COMMENT ON FUNCTION gpu_advisor_internal.fleet_views() IS 'The texts of the views for dashboards: the one place where they stand.';

CREATE FUNCTION gpu_advisor_internal.fleet_view_columns() RETURNS TABLE (view_name text, column_name text, description text)
    LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT v.view_name, c.column_name, c.description
      FROM (VALUES
        ('fit_id', 'Names the row: the model and the precision.'),
        ('model', 'Name on Hugging Face, as in gpu_models.'),
        ('kind', 'language, speech or image.'),
        ('bits', 'Precision of the weights: 16, 8 or 4 bits a parameter.'),
        ('context_tokens', 'Context of the one request, in tokens: 4,096 or the model''s longest; NULL for speech and images, which have none to choose.'),
        ('needed_gib', 'GPU memory needed on one GPU, in GiB (2^30 bytes), margin and runtime included; NULL where a figure of the model is not known.')
      ) AS c (column_name, description)
     CROSS JOIN (VALUES ('gpu_model_fit'), ('gpu_fleet_gaps')) AS v (view_name)
    UNION ALL
    SELECT v.view_name, v.column_name, v.description
      FROM (VALUES
        ('gpu_model_fit', 'machines_that_fit', 'Machines that can be rented now and hold the model; NULL where the need is not known.'),
        ('gpu_model_fit', 'cheapest_price_per_hour', 'Price an hour of the cheapest machine that holds it (ties by machine_id), for charts; NULL where none does.'),
        ('gpu_model_fit', 'cheapest_price_per_hour_exact', 'The same price as the fleet holds it, exact.'),
        ('gpu_model_fit', 'cheapest_machine_id', 'The cheapest machine that holds it.'),
        ('gpu_model_fit', 'cheapest_tier', 'Tier of the cheapest machine: secure or community.'),
        ('gpu_model_fit', 'cheapest_country', 'Country of the cheapest machine: ISO 3166-1 alpha-2 code.'),
        ('gpu_model_fit', 'cheapest_gpu_name', 'GPU of the cheapest machine.'),
        ('gpu_model_fit', 'cheapest_gpu_count', 'GPUs of the cheapest machine.'),
        ('gpu_model_fit', 'cheapest_gpu_memory_gib', 'Memory of each of its GPUs, in GiB.'),
        ('gpu_model_fit', 'cheapest_gpus_used', 'How many of its GPUs the model takes.'),
        ('gpu_model_fit', 'longest_context_tokens', 'Longest context of one request that the cheapest machine holds, in tokens, up to the model''s longest; NULL for speech and images.'),
        ('gpu_model_fit', 'most_requests', 'Most requests (speech: audio streams) at once that the cheapest machine holds, each of context_tokens; NULL for images.'),
        ('gpu_fleet_summary', 'summary_id', 'Names the row: tier, country and GPU.'),
        ('gpu_fleet_summary', 'tier', 'secure (a data centre''s) or community (a provider''s own hardware).'),
        ('gpu_fleet_summary', 'country', 'ISO 3166-1 alpha-2 code; NULL where not known.'),
        ('gpu_fleet_summary', 'gpu_name', 'GPU, as the fleet names it; NULL where not known.'),
        ('gpu_fleet_summary', 'machines', 'Machines of the fleet, available or not.'),
        ('gpu_fleet_summary', 'machines_available', 'Machines that are available now.'),
        ('gpu_fleet_summary', 'gpus_available', 'GPUs of the machines that are available now.'),
        ('gpu_fleet_summary', 'lowest_price_per_hour', 'Lowest price an hour of an available machine; NULL where none has a known price.'),
        ('gpu_fleet_summary', 'lower_quartile_price_per_hour', 'Price an hour that a quarter of the available machines does not exceed (interpolated).'),
        ('gpu_fleet_summary', 'median_price_per_hour', 'Price an hour that half of the available machines do not exceed (interpolated).'),
        ('gpu_fleet_summary', 'upper_quartile_price_per_hour', 'Price an hour that three quarters of the available machines do not exceed (interpolated).'),
        ('gpu_fleet_summary', 'highest_price_per_hour', 'Highest price an hour of an available machine.'),
        ('gpu_fleet_summary', 'median_price_per_gpu_hour', 'Median over the available machines of the price of one GPU an hour.'),
        ('gpu_fleet_summary', 'median_price_per_gib_hour', 'Median over the available machines of the price of one GiB of GPU memory an hour; NULL where no memory is known.'),
        ('gpu_fleet_gaps', 'short_gib', 'GiB that the nearest machine lacks over the GPUs that the model may be split over; NULL where there is no machine at all.'),
        ('gpu_fleet_gaps', 'nearest_machine_id', 'The machine that lacks the least, the cheapest of those.'),
        ('gpu_fleet_gaps', 'nearest_gpu_name', 'GPU of that machine.'),
        ('gpu_fleet_gaps', 'nearest_gpu_count', 'GPUs of that machine.'),
        ('gpu_fleet_gaps', 'nearest_gpu_memory_gib', 'Memory of each of its GPUs, in GiB.'),
        ('gpu_fleet_gaps', 'nearest_price_per_hour', 'Price an hour of that machine.'),
        ('gpu_fleet_gaps', 'verdict', 'In a sentence: what is lacking on each GPU, and which numbers of GPUs are ruled out.')
      ) AS v (view_name, column_name, description);
END;
COMMENT ON FUNCTION gpu_advisor_internal.fleet_view_columns() IS 'What each column of the views for dashboards means.';

-- A view runs with its owner's rights, unless it says otherwise, which PostgreSQL 14 cannot.
CREATE FUNCTION gpu_advisor_internal.create_fleet_view(fleet text, in_schema text, create_command text, view_name text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
-- fleet and in_schema come quoted, from regclass and regnamespace.
DECLARE
    v record;
    c record;
BEGIN
    SELECT f.* INTO v FROM gpu_advisor_internal.fleet_views() AS f WHERE f.name = view_name;
    EXECUTE format('%s %s.%I %s AS %s', create_command, in_schema, v.name,
                   CASE WHEN current_setting('server_version_num')::integer >= 150000 THEN 'WITH (security_invoker = true)' ELSE '' END,
                   replace(v.body, '@fleet@', fleet));
    EXECUTE format('COMMENT ON VIEW %s.%I IS %L', in_schema, v.name, v.description);
    FOR c IN SELECT f.* FROM gpu_advisor_internal.fleet_view_columns() AS f WHERE f.view_name = v.name LOOP
        EXECUTE format('COMMENT ON COLUMN %s.%I.%I IS %L', in_schema, v.name, c.column_name, c.description);
    END LOOP;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.create_fleet_view(text, text, text, text) IS 'Creates one of the views for dashboards over a fleet.';

CREATE FUNCTION gpu_advisor_internal.check_fleet_views(in_schema text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- The views of an earlier call are replaced, and nothing else of that name.
DECLARE
    taken text;
BEGIN
    SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname) INTO taken
      FROM gpu_advisor_internal.fleet_views() AS f
      JOIN pg_class AS c ON c.relname = f.name AND c.relnamespace = in_schema::regnamespace
      LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = 1
     WHERE c.relkind <> 'v' OR a.attname NOT IN ('fit_id', 'summary_id');
    IF taken IS NOT NULL THEN
        RAISE EXCEPTION 'the fleet''s views would take the place of %', taken
            USING ERRCODE = 'duplicate_table', HINT = 'Rename it, or give another schema as in_schema.';
    END IF;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.check_fleet_views(text) IS 'An error where the views for dashboards would take the place of something else.';

SELECT gpu_advisor_internal.create_fleet_view('@extschema@.gpu_machines', '@extschema@', 'CREATE VIEW', f.name)
  FROM gpu_advisor_internal.fleet_views() AS f;
ALTER VIEW @extschema@.gpu_model_fit OWNER TO @extowner@;
ALTER VIEW @extschema@.gpu_fleet_summary OWNER TO @extowner@;
ALTER VIEW @extschema@.gpu_fleet_gaps OWNER TO @extowner@;
GRANT SELECT ON @extschema@.gpu_model_fit, @extschema@.gpu_fleet_summary, @extschema@.gpu_fleet_gaps TO PUBLIC;
