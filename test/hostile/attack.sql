-- What the test calls: a call in a subtransaction, its SQLSTATE, and what is wrong with its answer.
CREATE SCHEMA hostile;

CREATE FUNCTION hostile.fault_of(answer jsonb, said text, OUT fault text) LANGUAGE plpgsql AS $$
-- Figures that no answer may hold, and text that is broken in the database's encoding.
DECLARE
    written constant text := answer::text || said;
    misread constant boolean := getdatabaseencoding() = 'LATIN1' AND written ~ ('[' || chr(194) || chr(195) || '][' || chr(128) || '-' || chr(191) || ']');
BEGIN
    fault := CASE WHEN answer @? '$.** ? (@ == "NaN" || @ == "Infinity" || @ == "-Infinity")' THEN 'no number'
                  WHEN answer @? '$.** ? (@ < 0)' OR written ~ 'bytes\\?": ?-' THEN 'a figure below zero'
                  WHEN misread THEN 'UTF-8 in a database of LATIN1' END;
    IF getdatabaseencoding() = 'UTF8' THEN
        PERFORM convert_to(written, 'UTF8');
    END IF;
EXCEPTION WHEN character_not_in_repertoire THEN
    fault := 'half a character';
END
$$;

CREATE FUNCTION hostile.attack(call text, OUT state text, OUT fault text, OUT message text) LANGUAGE plpgsql AS $$
-- The state is 00000 for an answer. Whatever the call did is undone.
DECLARE
    answer jsonb;
    hint text := '';
BEGIN
    BEGIN
        EXECUTE format('SELECT coalesce(jsonb_agg(to_jsonb(answer)), ''[]'') FROM %s AS answer', call) INTO answer;
        RAISE EXCEPTION USING ERRCODE = 'ZZ000';
    EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    END;
    IF state = 'ZZ000' THEN
        state := '00000';
        message := left(answer::text, 300);
    END IF;
    fault := hostile.fault_of(coalesce(answer, '[]'), CASE state WHEN '00000' THEN '' ELSE message || hint END);
    message := left(translate(message, E'\n\r', '  '), 300);
END
$$;

-- Rows of gpu_models that no CHECK has seen.
CREATE TABLE hostile.models (n serial, m gpu_models);
INSERT INTO hostile.models (m) SELECT m FROM gpu_models AS m
 WHERE model IN ('meta-llama/Llama-3.1-8B', 'google/gemma-3-27b-it', 'deepseek-ai/DeepSeek-V3', 'ai21labs/AI21-Jamba-Mini-1.5',
                 'openai/whisper-large-v3', 'black-forest-labs/FLUX.1-dev') ORDER BY model;
INSERT INTO hostile.models (m) VALUES (NULL), (jsonb_populate_record(NULL::gpu_models, '{}'));
INSERT INTO hostile.models (m)
SELECT jsonb_populate_record(b.m, jsonb_build_object(a.attname, v.value))
  FROM hostile.models AS b, pg_attribute AS a,
       LATERAL (SELECT to_jsonb(x) AS value FROM unnest(
                    CASE format_type(a.atttypid, NULL)
                         WHEN 'integer' THEN ARRAY['0', '1', '-1', '7', '2147483647', '-2147483648']
                         WHEN 'bigint' THEN ARRAY['0', '1', '-1', '9223372036854775807', '-9223372036854775808']
                         WHEN 'text' THEN ARRAY['', 'x', '"\''%s', repeat('y', 1024), repeat('y', 1025), repeat('z', 1000000), 'language', 'speech', 'image']
                         WHEN 'boolean' THEN ARRAY['true', 'false'] END || NULL::text) AS x) AS v
 WHERE b.n <= 6 AND a.attrelid = 'gpu_models'::regclass AND a.attnum > 0 AND NOT a.attisdropped;

-- A fleet that no CHECK has seen: each column hostile in an ordinary machine.
CREATE TABLE hostile.fleet (LIKE gpu_machines, n serial);
ALTER TABLE hostile.fleet ALTER machine_id DROP NOT NULL, ALTER tier DROP NOT NULL, ALTER available DROP NOT NULL,
    ALTER interruptible DROP NOT NULL, ALTER gpu_count TYPE bigint;
INSERT INTO hostile.fleet (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour, max_booking_hours)
VALUES ('a', 'secure', 'DE', 'NVIDIA H100', 8, 80, 'datasheet', 2, 24), ('b', 'community', NULL, 'RTX 4090', 2, 24, 'provider', 0.25, NULL);
INSERT INTO hostile.fleet
SELECT (jsonb_populate_record(f, jsonb_build_object(a.attname, x, 'n', 100 + row_number() OVER ()))).*
  FROM hostile.fleet AS f, pg_attribute AS a,
       unnest(CASE format_type(a.atttypid, NULL)
                   WHEN 'bigint' THEN ARRAY['0', '-1', '3', '9223372036854775807', '-9223372036854775808']
                   WHEN 'double precision' THEN ARRAY['0', '-0', '-1', 'NaN', 'Infinity', '-Infinity', '5e-324', '1.7976931348623157e308', '-1e308', '999999999999999', '1e15']
                   WHEN 'numeric' THEN ARRAY['0', '-1', 'NaN', 'Infinity', '-Infinity', '1e-9', '1e-16000', '1e130000', '999999999999999.999999999999', '1e15']
                   WHEN 'text' THEN ARRAY['', 'x', '"\''%s', repeat('z', 1000000)]
                   WHEN 'boolean' THEN ARRAY['false'] END || NULL::text) AS x
 WHERE a.attrelid = 'hostile.fleet'::regclass AND a.attnum > 0 AND a.attname <> 'n' AND NOT a.attisdropped;
CREATE SCHEMA inlined;
CREATE SCHEMA distributed;
SELECT gpu_advisor_use_fleet('hostile.fleet', 'inlined'), gpu_advisor_use_fleet('hostile.fleet', 'distributed', true);

-- Machines of the extension's own fleet, as hostile as its CHECKs let them be.
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour, interruptible, max_booking_hours)
VALUES ('a', 'secure', 'DE', E'"\\''%s\x01', 2147483647, 999999999999999, NULL, 0, true, 1e308), ('', 'community', 'ZZ', '', 1, 5e-324, 'provider', 1e-16000, false, 5e-324),
       ('c', 'community', 'DE', 'H100', 8, 80, 'datasheet', 999999999999999.999, false, NULL), (repeat('i', 2000), 'secure', 'DE', repeat('z', 1000000), 8, 80, 'datacenter', 1e-9, true, 1),
       ('d', 'secure', NULL, NULL, NULL, NULL, NULL, NULL, false, NULL);

-- Relations that are no fleet.
CREATE SEQUENCE hostile.a_sequence;
CREATE TYPE hostile.a_type AS (machine_id text);
CREATE VIEW hostile.no_column AS SELECT;
CREATE TEMP TABLE a_temporary_table ();

-- Needs of every task, and as large as they can be.
CREATE TABLE hostile.needs (n serial, need gpu_need);
INSERT INTO hostile.needs (need) VALUES (gpu_need('llama-3.1-8b', 16)), (gpu_need('llama-3.1-8b', 4, task => 'finetune')), (gpu_need('deepseek-ai/DeepSeek-V3', 8)),
    (gpu_need('google/gemma-3-27b-it', 8, 131072, 1000)), (gpu_need('openai/whisper-large-v3', 16)), (gpu_need('black-forest-labs/FLUX.1-dev', 4)),
    (gpu_need(NULL, memory_gib => 0)), (gpu_need(NULL, memory_gib => 8e9)), (gpu_need(NULL, memory_gib => 5e-324));
INSERT INTO hostile.needs (need)
SELECT gpu_model_need(jsonb_populate_record(m, changes::jsonb), 16, ctx, conc)
  FROM gpu_models AS m,
       (VALUES ('{"params": 3800000000000000000}', 1, 1), ('{"attention_heads": 15120, "kv_heads": 15120}', 131072, 1),
               ('{"max_context": null}', 1000000000000, 10), ('{"layers": 1, "kv_heads": 1, "head_dim": 1, "max_context": null}', 1500000000000000000, 1),
               (NULL, 1, 1)) AS v (changes, ctx, conc)
 WHERE model = 'meta-llama/Llama-3.1-8B';
CREATE TABLE hostile.accepted (n serial, need gpu_need);
CREATE TABLE hostile.back (LIKE hostile.accepted);

CREATE FUNCTION hostile.read(written text) RETURNS text LANGUAGE plpgsql AS $$
-- Whether text is a need: 00000, or the SQLSTATE.
BEGIN
    INSERT INTO hostile.accepted (need) VALUES (written::gpu_need);
    RETURN '00000';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;
