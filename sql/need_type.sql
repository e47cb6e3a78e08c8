-- The type gpu_need: text and binary forms, and what they refuse.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never

SELECT gpu_need('meta-llama/Llama-3.1-8B', 16, 4096, 1);
SELECT gpu_need(NULL, memory_gib => 24);

-- Text and binary forms give back the same need, for the whole catalogue.
CREATE TEMP TABLE needs AS
SELECT model, bits, gpu_model_need(m, bits, least(4096, max_context), 2) AS need
  FROM gpu_models AS m, unnest(ARRAY[16, 8, 4]) AS bits;
SELECT count(need) AS needs, count(*) FILTER (WHERE need::text::gpu_need::text = need::text) AS same FROM needs;
SELECT count(*) FILTER (WHERE (need::text::jsonb ->> 'total_bytes')::bigint = round(gpu_need_gib(need) * 1073741824)) AS totals_agree FROM needs;
\getenv abs_builddir PG_ABS_BUILDDIR
\set file :abs_builddir '/needs.bin'
CREATE TEMP TABLE back (LIKE needs);
\set copy_out '\\copy needs to ''' :file ''' with (format binary)'
\set copy_in '\\copy back from ''' :file ''' with (format binary)'
:copy_out
:copy_in
SELECT count(*) AS rows, count(*) FILTER (WHERE n.need::text = b.need::text) AS same
  FROM needs AS n JOIN back AS b USING (model, bits) WHERE n.need IS NOT NULL;

-- A need may be stored, and goes through records and arrays.
SELECT gpu_need_gib((ARRAY[gpu_need('llama-3.1-8B', 16)])[1]) = gpu_memory_needed('llama-3.1-8B') AS from_array;

-- Text that is no need.
SELECT gpu_need('llama-3.1-8B');
SELECT ''::gpu_need;
SELECT '[]'::gpu_need;
SELECT '{}'::gpu_need;
SELECT 'null'::gpu_need;
SELECT repeat('[', 30000)::gpu_need;
SELECT repeat('{"a":', 6000)::gpu_need;
CREATE TEMP VIEW good AS SELECT gpu_need('llama-3.1-8B', 16)::text::jsonb AS j;
SELECT (j || '{"total_bytes": 1}')::text::gpu_need FROM good;
SELECT (j || '{"weights_bytes": -1}')::text::gpu_need FROM good;
SELECT (j || '{"weights_bytes": 1.5}')::text::gpu_need FROM good;
SELECT (j || '{"weights_bytes": 9223372036854775808}')::text::gpu_need FROM good;
SELECT (j || '{"weights_bytes": 9223372036854775807}')::text::gpu_need FROM good;
SELECT (j || '{"weights_bytes": null}')::text::gpu_need FROM good;
SELECT (j || '{"bits": 5}')::text::gpu_need FROM good;
SELECT (j || '{"task": "train"}')::text::gpu_need FROM good;
SELECT (j || '{"kind": "poem"}')::text::gpu_need FROM good;
SELECT (j || '{"attention_heads": 1000000000000}')::text::gpu_need FROM good;
SELECT (j || '{"more": 1}')::text::gpu_need FROM good;
SELECT (j - 'ctx')::text::gpu_need FROM good;
SELECT (j || jsonb_build_object('model', repeat('x', 2000)))::text::gpu_need FROM good;
SELECT (j || '{"task": "notebook"}')::text::gpu_need FROM good;

-- Binary input that is no need: the file of one row, changed a byte at a time. The need begins at
-- byte 25: version, task, kind, bits, then the figures of eight bytes each, and the name.
CREATE TEMP TABLE one (need gpu_need);
INSERT INTO one SELECT gpu_need('llama-3.1-8B', 16);
\set file :abs_builddir '/one.bin'
\set copy_out '\\copy one to ''' :file ''' with (format binary)'
:copy_out
\setenv ONE :file
\copy one from program 'cat "$ONE"' with (format binary)
\copy one from program '{ head -c 25 "$ONE"; printf "\002"; tail -c +27 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 26 "$ONE"; printf "\011"; tail -c +28 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 27 "$ONE"; printf "\007"; tail -c +29 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 27 "$ONE"; printf "\377"; tail -c +29 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 28 "$ONE"; printf "\005"; tail -c +30 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 53 "$ONE"; printf "\377"; tail -c +55 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 53 "$ONE"; printf "\177"; tail -c +55 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 45 "$ONE"; printf "\001"; tail -c +47 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 135 "$ONE"; printf "\377"; tail -c +137 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 135 "$ONE"; printf "\000"; tail -c +137 "$ONE"; }' with (format binary)
\copy one from program '{ head -c 21 "$ONE"; printf "\000\000\000\003\001\000\000"; printf "\377\377"; }' with (format binary)
\copy one from program '{ head -c 21 "$ONE"; printf "\000\000\000\000"; printf "\377\377"; }' with (format binary)
SELECT count(*) AS accepted, count(DISTINCT need::text) AS different FROM one;
