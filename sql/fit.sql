-- Whether a machine holds a need.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir

-- Every worked case, to the byte.
CREATE TEMP TABLE cases (model text, bits bigint, ctx bigint, conc bigint, gpu_count bigint, gpu_memory_gib double precision,
    gpus_needed bigint, bytes_per_gpu bigint);
\copy cases from 'test/data/cases/fit.csv' with (format csv, header match)
SELECT model, bits, gpu_count, gpu_memory_gib, gpus_needed(n, gpu_count, gpu_memory_gib) AS gpus, gpu_fits(n, gpu_count, gpu_memory_gib) AS fits,
       gpus_needed(n, gpu_count, gpu_memory_gib) IS NOT DISTINCT FROM gpus_needed
       AND gpu_fits(n, gpu_count, gpu_memory_gib) = (gpus_needed IS NOT NULL)
       AND gpu_need_gib(n, gpus_needed) * 1073741824 IS NOT DISTINCT FROM gpus_needed * bytes_per_gpu AS as_worked
  FROM cases, LATERAL (SELECT gpu_need(model, bits, ctx, conc) AS n) AS w;

-- The worked example fits a 24 GiB GPU, not a 16 GiB one; to the byte at the edge.
SELECT gpu_fits(n, 1, 24) AS on_24, gpu_fits(n, 1, 16) AS on_16,
       gpu_fits(n, 1, 20990613914 / 1073741824.0) AS at_the_edge, gpu_fits(n, 1, 20990613913 / 1073741824.0) AS a_byte_less
  FROM gpu_need('meta-llama/Llama-3.1-8B', 16, 4096, 1) AS n;
-- Only a language model that is run is split; the others take one GPU.
SELECT gpus_needed(gpu_need('llama-3.1-8B', 16), 8, 12) AS run,
       gpus_needed(gpu_need('llama-3.1-8B', 16, 4096, 1, 'finetune'), 8, 12) AS finetune,
       gpus_needed(gpu_need('openai/whisper-large-v3', 16), 8, 3) AS speech,
       gpus_needed(gpu_need('black-forest-labs/FLUX.1-dev', 16), 8, 24) AS image,
       gpus_needed(gpu_need(NULL, memory_gib => 30), 8, 24) AS notebook,
       gpus_needed(gpu_need('state-spaces/mamba-2.8b-hf', 16), 8, 4) AS no_heads;
-- A missing value gives NULL; what is no measure fits nothing.
SELECT gpus_needed(NULL, 1, 24), gpus_needed(n, NULL, 24), gpus_needed(n, 1, NULL), gpu_fits(NULL, 1, 24), gpu_fits(n, NULL, 24), gpu_fits(n, 1, NULL)
  FROM gpu_need('llama-3.1-8B', 16) AS n;
SELECT c, g, gpus_needed(n, c, g), gpu_fits(n, c, g)
  FROM gpu_need('llama-3.1-8B', 16) AS n, unnest(ARRAY[0, -1, 9223372036854775807]) AS c,
       unnest(ARRAY['NaN', 'infinity', '-infinity', 0, -24, 1e308]::double precision[]) AS g;
-- A notebook of exactly a GPU's memory fits it, whatever the figure.
SELECT count(*) AS sizes, count(*) FILTER (WHERE gpu_fits(gpu_need(NULL, memory_gib => i / 10007.0), 1, i / 10007.0)) AS fit FROM generate_series(1, 5000) AS i;
-- What a need takes on n GPUs; NULL where it does not split over so many.
SELECT g, round(gpu_need_gib(n, g)::numeric, 3) AS gib FROM gpu_need('llama-3.1-8B', 16) AS n, generate_series(1, 9) AS g;
SELECT gpu_need_gib(gpu_need('llama-3.1-8B', 16), 0);
-- The smallest n by brute force, for the whole catalogue on every shape of machine.
SELECT count(*) AS compared, count(*) FILTER (WHERE fast IS DISTINCT FROM brute) AS wrong
  FROM (SELECT gpus_needed(n, c, g) AS fast,
               (SELECT min(k) FROM generate_series(1, c) AS k WHERE gpu_need_gib(n, k) / k <= g) AS brute
          FROM gpu_models AS m, LATERAL (SELECT gpu_model_need(m, 16, least(8192, max_context), 4) AS n OFFSET 0) AS w,
               unnest(ARRAY[1, 2, 3, 4, 6, 8, 16]) AS c, unnest(ARRAY[8, 24, 48, 80, 141]::double precision[]) AS g
         WHERE n IS NOT NULL) AS t;
