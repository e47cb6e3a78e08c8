-- A database in another encoding: names with letters beyond ASCII, in text, JSON and binary form.
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_gpu_latin1;
CREATE DATABASE regress_gpu_latin1 TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C';
\set home :DBNAME
\c regress_gpu_latin1
SET client_encoding = 'UTF8';
\set SHOW_CONTEXT never
CREATE EXTENSION gpu_advisor;
INSERT INTO gpu_models (model, params, layers, attention_heads, kv_heads, head_dim) VALUES ('café/modèle', 1000, 1, 2, 1, 8);
CREATE TABLE needs AS SELECT gpu_need('modèle', 16) AS need;
SELECT need, octet_length(need::text) < octet_length(convert_to(need::text, 'UTF8')) AS in_latin1 FROM needs;
SELECT need::text::gpu_need::text = need::text AS same FROM needs;
\getenv abs_builddir PG_ABS_BUILDDIR
\set file :abs_builddir '/latin1.bin'
CREATE TABLE back (need gpu_need);
\set copy_out '\\copy needs to ''' :file ''' with (format binary)'
\set copy_in '\\copy back from ''' :file ''' with (format binary)'
:copy_out
:copy_in
SELECT b.need::text = n.need::text AS same FROM needs AS n, back AS b;
SELECT gpu_need(model => 'café/modele');
SELECT model, params FROM gpu_model_from_config('café/modèle', '{"model_type": "mïne", "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8, "hidden_size": 16, "intermediate_size": 64, "vocab_size": 100, "max_position_embeddings": 64}', params => 5000);
-- A name as long as one may be has more bytes in UTF-8.
CREATE TABLE long_needs AS
SELECT gpu_model_need(jsonb_populate_record(m, jsonb_build_object('model', repeat('é', 1024)))) AS need FROM gpu_models AS m WHERE model = 'café/modèle';
SELECT need::text::gpu_need::text = need::text AS same FROM long_needs;
SELECT replace(need::text, 'éé', 'ééé')::gpu_need FROM long_needs;
-- The binary form goes to a database of another encoding.
\c :home
SET client_encoding = 'UTF8';
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
CREATE TEMP TABLE back (need gpu_need);
:copy_in
SELECT need::text::jsonb ->> 'model' AS model FROM back;
DROP DATABASE regress_gpu_latin1;

-- A database in no encoding: any bytes come back as they were.
DROP DATABASE IF EXISTS regress_gpu_ascii;
CREATE DATABASE regress_gpu_ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C';
\c regress_gpu_ascii
SET client_min_messages = warning;
CREATE EXTENSION gpu_advisor;
CREATE TABLE needs AS
SELECT name, gpu_model_need(jsonb_populate_record(m, jsonb_build_object('model', name))) AS need
  FROM gpu_models AS m, (VALUES (E'\xff\x80/'), ('modèle')) AS v (name) WHERE model = 'meta-llama/Llama-3.1-8B';
SELECT need::text LIKE '%"' || name || '"%' AS holds_it, gpu_advisor_internal.gpu_need_send(need::text::gpu_need) = gpu_advisor_internal.gpu_need_send(need) AS same FROM needs;
\c :home
DROP DATABASE regress_gpu_ascii;
