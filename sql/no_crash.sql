-- Calls that once ended a session, or could: each is an error or an answer.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never

-- Arrays of networks with NULLs in them, or missing, or of other lengths, or of no figures.
CREATE TEMP VIEW flux AS SELECT m FROM gpu_models AS m WHERE model = 'black-forest-labs/FLUX.1-dev';
SELECT i.* FROM flux, gpu_advisor_internal.memory_items(m, ARRAY[NULL], ARRAY[NULL], ARRAY[1], ARRAY[true], 16, 4096, 1, NULL, NULL, 1) AS i;
SELECT i.* FROM flux, gpu_advisor_internal.memory_items(m, ARRAY['a'], NULL, NULL, NULL, 16, 4096, 1, NULL, NULL, 1) AS i;
SELECT i.* FROM flux, gpu_advisor_internal.memory_items(m, ARRAY['a'], ARRAY['b'], ARRAY[1], ARRAY[NULL::boolean], 16, 4096, 1, NULL, NULL, 1) AS i;
SELECT i.* FROM flux, gpu_advisor_internal.memory_items(m, ARRAY['a', 'b'], ARRAY['b'], ARRAY[1], ARRAY[true], 16, 4096, 1, NULL, NULL, 1) AS i;
SELECT i.* FROM flux, gpu_advisor_internal.memory_items(m, ARRAY['a'], ARRAY['b'], ARRAY[-8], ARRAY[true], 16, 4096, 1, NULL, NULL, 1) AS i;

-- A row made by hand, which no CHECK has seen.
SELECT gpu_model_need(jsonb_populate_record(NULL::gpu_models, '{"model": "me/a", "params": -1}'));
SELECT gpu_model_need(jsonb_populate_record(NULL::gpu_models, '{"model": "me/a", "params": 9, "layers": 1, "kv_heads": 0, "head_dim": 1}'));
SELECT gpu_model_need(jsonb_populate_record(NULL::gpu_models, '{"model": "me/a", "params": 9, "layers": 1, "kv_heads": 1, "head_dim": 1, "attention_heads": 2000000000}'));
SELECT gpu_model_need(jsonb_populate_record(NULL::gpu_models, '{"model": "me/a", "kind": "poem"}'));
SELECT gpu_model_need(jsonb_populate_record(NULL::gpu_models, '{}'), 16, 1, 1) IS NULL AS nothing_known;
SELECT gpu_model_need(jsonb_populate_record(NULL::gpu_models, jsonb_build_object('model', repeat('x', 1100), 'params', 9, 'layers', 1, 'kv_heads', 1, 'head_dim', 1)));
SELECT gpu_need(model => repeat('x', 10000000));

-- Calls that would take minutes, and could not be cancelled.
SELECT gpu_countries(array_fill('DE'::text, ARRAY[100001]));
SELECT gpu_advisor_internal.gpu_search_keys(array_fill('DE'::text, ARRAY[100001]));
SELECT i.* FROM flux, gpu_advisor_internal.memory_items(m, array_fill('a'::text, ARRAY[100001]), ARRAY['b'], ARRAY[1], ARRAY[true], 16, 4096, 1, NULL, NULL, 1) AS i;
SELECT i.* FROM flux, gpu_advisor_internal.memory_items(m, array_fill('a'::text, ARRAY[1001]), array_fill('b'::text, ARRAY[1001]), array_fill(1::bigint, ARRAY[1001]), array_fill(true, ARRAY[1001]), 16, 4096, 1, NULL, NULL, 1) AS i;
SELECT gpu_datasheet_memory(repeat('nvidia', 1000000)) IS NULL AS nobodys_name;
SELECT (SELECT '{' || string_agg(format('"key%s": 1', n), ', ') || '}' FROM generate_series(1, 100000) AS n)::gpu_need;
SELECT gpu_model_from_config('me/a', '{"model_type": "' || repeat('x', 2000000) || '"}');
SET statement_timeout = '5s';
SELECT gpu_advisor_internal.nearest_models(repeat('x', 1000000)) IS NOT NULL AS nearest;
RESET statement_timeout;

-- A row type that changes between two calls of one call site.
BEGIN;
ALTER TABLE gpu_models DROP CONSTRAINT kind_is_language_speech_or_image;
-- The views for dashboards would not let the column go.
ALTER EXTENSION gpu_advisor DROP VIEW gpu_model_fit;
ALTER EXTENSION gpu_advisor DROP VIEW gpu_fleet_gaps;
DROP VIEW gpu_model_fit, gpu_fleet_gaps;
CREATE FUNCTION pg_temp.changing() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r gpu_models;
    answer text;
BEGIN
    SELECT m.* INTO r FROM gpu_models AS m WHERE model = 'meta-llama/Llama-3.1-8B';
    FOR i IN 1..2 LOOP
        answer := gpu_model_need(r)::text;
        IF i = 1 THEN
            ALTER TABLE gpu_models DISABLE TRIGGER USER;
            ALTER TABLE gpu_models ALTER kind DROP DEFAULT;
            ALTER TABLE gpu_models ALTER kind TYPE bigint USING 1;
            SELECT m.* INTO r FROM gpu_models AS m WHERE model = 'meta-llama/Llama-3.1-8B';
        END IF;
    END LOOP;
    RETURN answer;
END
$$;
SELECT pg_temp.changing();
ROLLBACK;
