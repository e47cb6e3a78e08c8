-- A model's row from its published config.json.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir

-- A row ready for INSERT, parameters counted from the shapes; and what it then needs.
\set config `cat test/data/configs/meta-llama__Llama-3.1-8B.json`
BEGIN;
INSERT INTO gpu_models SELECT * FROM gpu_model_from_config('me/llama', :'config', licence => 'Llama 3.1', source_url => 'https://example.com/me/llama');
\x on
SELECT * FROM gpu_models WHERE model = 'me/llama';
\x off
SELECT gpu_memory_needed('me/llama') = gpu_memory_needed('meta-llama/Llama-3.1-8B') AS same;
ROLLBACK;
-- The parameters as given, and from the index, which says when it is not exact.
SELECT params FROM gpu_model_from_config('me/llama', :'config', params => 8030261249);
SELECT params FROM gpu_model_from_config('me/llama', :'config', safetensors_index => '{"metadata": {"total_size": 16060522496}, "weight_map": {}}');
SELECT gpu_model_from_config(NULL, :'config') IS NULL AS no_model, gpu_model_from_config('me/a', NULL) IS NULL AS no_config;

-- Every published file, field by field against the catalogue. What differs is explained beside it.
CREATE TEMP TABLE files (hf_id text, config text);
CREATE TEMP TABLE encoded (hf_id text, content text);
\copy encoded from program 'cd test/data/configs && for f in *.json; do printf "%s\t" "${f%.json}"; base64 -w0 "$f"; echo; done'
INSERT INTO files SELECT replace(hf_id, '__', '/'), convert_from(decode(content, 'base64'), 'UTF8') FROM encoded;
CREATE FUNCTION pg_temp.read_config(hf_id text, config text, OUT figures jsonb, OUT refused text) LANGUAGE plpgsql AS $$
BEGIN
    figures := to_jsonb(gpu_model_from_config(hf_id, config));
EXCEPTION WHEN invalid_parameter_value THEN
    refused := SQLERRM;
END
$$;
SET client_min_messages = warning;
CREATE TEMP TABLE readings AS SELECT f.hf_id, r.figures, r.refused FROM files AS f, pg_temp.read_config(f.hf_id, f.config) AS r;
SELECT count(*) AS files, count(figures) AS read, count(m.model) AS in_the_catalogue FROM readings LEFT JOIN gpu_models AS m ON m.model = hf_id;
SELECT hf_id, refused FROM readings WHERE refused IS NOT NULL ORDER BY hf_id;
-- falcon-40b: this copy lacks the key. Llama 4: these copies lack vision_config, whose parameters
-- the catalogue counts. gemma-4: no formula is proved for its parameters. Step: no key for tying.
SELECT r.hf_id, e.key AS field, r.figures -> e.key AS in_the_file, e.value AS in_the_catalogue
  FROM readings AS r JOIN gpu_models AS m ON m.model = r.hf_id, jsonb_each(to_jsonb(m)) AS e
 WHERE r.figures IS NOT NULL AND e.key NOT IN ('own', 'licence', 'source_url') AND r.figures -> e.key IS DISTINCT FROM e.value
 ORDER BY 1, 2;
RESET client_min_messages;

-- What is not understood is refused with a sentence that names the key.
SELECT * FROM gpu_model_from_config('me/a', '{"model_type": "llama"}');
SELECT * FROM gpu_model_from_config('me/a', '{"model_type": "llama", "num_hidden_layers": -1}');
SELECT * FROM gpu_model_from_config('me/a', 'no json');
SELECT * FROM gpu_model_from_config('me/a', repeat('{"a":', 100000));
SELECT * FROM gpu_model_from_config('me/a', '[]');
SELECT * FROM gpu_model_from_config('me/a', '');
SELECT * FROM gpu_model_from_config('', :'config');
SELECT * FROM gpu_model_from_config('me/a', :'config', params => -5);
SELECT model, params FROM gpu_model_from_config('me/a', :'config', safetensors_index => 'no json');
