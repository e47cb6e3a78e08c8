-- Which of :models models hold at 16, 8 and 4 bits, on each of the machines: the machines counted for
-- each model. Every pair of a need and a machine is tested.

-- [ours]
WITH models AS (
    SELECT m AS model
      FROM gpu_models AS m
     WHERE m.kind = 'language' AND gpu_model_need(m, 16, least(4096, m.max_context)) IS NOT NULL
     ORDER BY m.model
     LIMIT :models
), needs AS MATERIALIZED (
    SELECT (m.model).model, b.bits, gpu_model_need(m.model, b.bits, least(4096, (m.model).max_context)) AS need
      FROM models AS m
     CROSS JOIN (VALUES (16), (8), (4)) AS b (bits)
)
SELECT n.model, count(*)
  FROM needs AS n
  JOIN gpu_machines AS m ON gpu_fits(n.need, m.gpu_count, m.gpu_memory_gib)
 GROUP BY n.model
 ORDER BY n.model;

-- [shares by hand]
-- Both versions by hand begin with this: the need on each of 1, 2, 3, ... GPUs by the formulas of the
-- README, exact in bytes, wherever the model may be split over so many.
WITH models AS (
    SELECT m.*, coalesce(m.kv_layers, m.layers) - coalesce(m.sliding_layers, 0) AS full_layers,
           coalesce(m.sliding_head_dim, m.head_dim) AS sliding_dim,
           coalesce(m.sliding_kv_heads, m.kv_heads) AS sliding_heads,
           least(4096, m.max_context)::bigint AS tokens
      FROM gpu_models AS m
     WHERE m.kind = 'language' AND m.params IS NOT NULL AND coalesce(m.kv_layers, m.layers) IS NOT NULL
       AND (m.sliding_layers IS NULL) = (m.sliding_window IS NULL)
       AND (coalesce(m.kv_layers, m.layers) = coalesce(m.sliding_layers, 0) OR m.kv_latent_dim IS NOT NULL
            OR (m.kv_heads IS NOT NULL AND m.head_dim IS NOT NULL))
     ORDER BY m.model
     LIMIT :models
), figures AS (
    SELECT m.model, b.bits, m.attention_heads, (m.params * b.bits + 7) / 8 AS weights,
           coalesce(m.state_bytes, 0)
               + coalesce(m.full_layers * m.kv_latent_dim * 2 * m.tokens, 0) AS whole,
           CASE WHEN m.kv_latent_dim IS NULL THEN coalesce(m.kv_heads, 0) ELSE 0 END AS heads,
           coalesce(m.full_layers * (m.head_dim + coalesce(m.v_head_dim, m.head_dim)) * 2 * m.tokens, 0) AS head_bytes,
           coalesce(m.sliding_heads, 0) AS sliding_heads,
           coalesce(m.sliding_layers * (m.sliding_dim + coalesce(m.v_head_dim, m.sliding_dim)) * 2
                    * least(m.tokens, m.sliding_window), 0) AS sliding_bytes
      FROM models AS m
     CROSS JOIN (VALUES (16), (8), (4)) AS b (bits)
), shares AS (
    SELECT f.model, f.bits, g.gpus,
           (f.weights + g.gpus - 1) / g.gpus + f.whole + (f.heads + g.gpus - 1) / g.gpus * f.head_bytes
               + (f.sliding_heads + g.gpus - 1) / g.gpus * f.sliding_bytes AS bytes
      FROM figures AS f
     CROSS JOIN generate_series(1, (SELECT max(gpu_count) FROM gpu_machines)) AS g (gpus)
     WHERE g.gpus = 1 OR f.attention_heads % g.gpus = 0
), ladder AS (
    SELECT s.model, s.bits, s.gpus, (s.bytes + (s.bytes + 4) / 5 + 1073741824) / 1073741824::double precision AS gib
      FROM shares AS s

-- [ladder by hand]
-- The rule as one says it: there is a number of GPUs, not above the machine's, on which the need fits.
:shares), ladders AS MATERIALIZED (
    SELECT l.model, l.bits, array_agg(l.gpus ORDER BY l.gpus) AS gpus, array_agg(l.gib ORDER BY l.gpus) AS gib
      FROM ladder AS l
     GROUP BY l.model, l.bits
)
SELECT n.model, count(*)
  FROM ladders AS n
  JOIN gpu_machines AS m
    ON EXISTS (SELECT FROM unnest(n.gpus, n.gib) AS r (gpus, gib)
                WHERE r.gpus <= m.gpu_count AND r.gib <= m.gpu_memory_gib)
 GROUP BY n.model
 ORDER BY n.model;

-- [thresholds by hand]
-- As fast as plain SQL was found to be: of each model and precision the least memory that a machine of
-- 1, 2, 3, ... GPUs must have on each, in an array, so that the test of a machine is one look-up and
-- one comparison. The same thresholds as columns, or as rows joined on gpu_count, take as long.
:shares), thresholds AS MATERIALIZED (
    SELECT c.model, c.bits, array_agg(c.gib ORDER BY c.gpu_count) AS least_gib
      FROM (SELECT l.model, l.bits, c.gpu_count, min(l.gib) AS gib
              FROM ladder AS l
              JOIN generate_series(1, (SELECT max(gpu_count) FROM gpu_machines)) AS c (gpu_count) ON l.gpus <= c.gpu_count
             GROUP BY l.model, l.bits, c.gpu_count) AS c
     GROUP BY c.model, c.bits
)
SELECT n.model, count(*)
  FROM thresholds AS n
  JOIN gpu_machines AS m ON m.gpu_memory_gib >= n.least_gib[m.gpu_count]
 GROUP BY n.model
 ORDER BY n.model;
