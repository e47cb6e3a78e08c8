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
\c :home
DROP DATABASE regress_gpu_latin1;
