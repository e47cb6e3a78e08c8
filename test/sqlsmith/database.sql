-- A database for SQLsmith: the extension, a fleet, needs and rows in columns, and what returns rows
-- as views and functions of one value, since SQLsmith calls no others.
CREATE EXTENSION gpu_advisor;
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour, available, interruptible, max_booking_hours)
SELECT 'm' || n, CASE n % 2 WHEN 0 THEN 'secure' ELSE 'community' END, (ARRAY['DE', 'FR', 'US', NULL])[1 + n % 4], 'GPU ' || n % 7,
       nullif(n % 9, 0), nullif((n % 13) * 8, 0), (ARRAY['datasheet', 'datacenter', 'provider', NULL])[1 + n % 4], nullif((n % 50) / 10.0, 0.1), n % 5 > 0, n % 3 = 0,
       nullif(n % 48, 0)
  FROM generate_series(1, 150) AS n;
INSERT INTO gpu_measurements (machine_id, model, bits, value, unit) SELECT machine_id, 'meta-llama/Llama-3.1-8B', 16, 100, 'tokens/s' FROM gpu_machines LIMIT 20;

CREATE SCHEMA smith;
CREATE TABLE smith.needs AS SELECT m.model, b.bits, gpu_model_need(m, b.bits, least(4096, m.max_context)) AS need
  FROM (SELECT * FROM gpu_models ORDER BY model LIMIT 20) AS m, (VALUES (16::bigint), (8), (4)) AS b (bits);
CREATE TABLE smith.models AS SELECT m FROM gpu_models AS m ORDER BY model LIMIT 20;
CREATE TABLE smith.arrays AS SELECT ARRAY['DE', 'FR'] AS countries, ARRAY[1, 2]::bigint[] AS figures, ARRAY[true, false] AS flags, 'gpu_machines'::regclass AS fleet;
CREATE VIEW smith.machines AS SELECT * FROM recommend_machines('llama-3.1-8b', max_price => 3);
CREATE VIEW smith.alternatives AS SELECT * FROM recommend_alternatives('llama-3.1-8b', max_price => 1, tier => 'secure');
CREATE VIEW smith.constraints AS SELECT * FROM recommend_constraints('llama-3.1-8b', countries => '{EU}');
CREATE VIEW smith.items AS SELECT n.model, i.* FROM smith.needs AS n, gpu_memory_items(n.model, n.bits, 512) AS i WHERE n.bits = 4;
CREATE FUNCTION smith.first_machine(model text, bits bigint, ctx bigint, conc bigint, max_price double precision, tier text, countries text[]) RETURNS text
    LANGUAGE sql STABLE BEGIN ATOMIC SELECT r.machine_id FROM recommend_machines(model, bits, ctx, conc, NULL, NULL, NULL, max_price, tier, countries) AS r LIMIT 1; END;
CREATE FUNCTION smith.alternatives_of(model text, bits bigint, budget double precision, tier text) RETURNS bigint
    LANGUAGE sql STABLE BEGIN ATOMIC SELECT count(a.gain) FROM recommend_alternatives(model, bits, 512, 1, NULL, NULL, budget, 1, tier) AS a; END;
CREATE FUNCTION smith.items_of(model text, bits bigint, gpus bigint) RETURNS text[]
    LANGUAGE sql STABLE BEGIN ATOMIC SELECT array_agg(i.formula) FROM gpu_memory_items(model, bits, 512, 1, NULL, NULL, gpus) AS i; END;
CREATE FUNCTION smith.a_model() RETURNS text LANGUAGE sql VOLATILE
    AS $$ SELECT (ARRAY['llama-3.1-8b', 'openai/whisper-large-v3', 'black-forest-labs/FLUX.1-dev', 'deepseek-ai/DeepSeek-V3', NULL])[1 + random() * 4] $$;
CREATE FUNCTION smith.some_bits() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT (ARRAY[16, 8, 4])[1 + floor(random() * 3)::integer]::bigint $$;
CREATE FUNCTION smith.a_tier() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT (ARRAY['both', 'secure', 'community'])[1 + floor(random() * 3)::integer] $$;
CREATE FUNCTION smith.small() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT floor(random() * 9)::bigint $$;
CREATE FUNCTION smith.gib() RETURNS double precision LANGUAGE sql VOLATILE AS $$ SELECT random() * 200 $$;

-- What SQLsmith takes for all functions there are: the extension's, those above, and a few others.
CREATE VIEW smith.pg_proc AS
SELECT p.* FROM pg_catalog.pg_proc AS p
 WHERE p.pronamespace IN ('smith'::regnamespace, 'gpu_advisor_internal'::regnamespace)
    OR EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
                                            AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'gpu_advisor'))
    OR p.pronamespace = 'pg_catalog'::regnamespace
       AND p.proname IN ('abs', 'lower', 'upper', 'length', 'random', 'now', 'coalesce', 'concat', 'left', 'right', 'repeat', 'round', 'floor', 'sqrt',
                         'array_append', 'cardinality', 'md5', 'count', 'max', 'min', 'sum', 'avg', 'bool_and', 'string_agg', 'row_number', 'lag',
                         'version', 'pg_typeof');
ANALYZE;
