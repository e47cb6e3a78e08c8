-- Needs that no machine meets, or one in 100,000. A notebook takes one GPU, which the index on
-- gpu_memory_gib finds. A model's condition on the capacity is there for the index on that: a machine
-- that holds the need has at least so much over all its GPUs.

-- [notebook: ours]
SELECT machine_id, price_per_hour
  FROM recommend_machines(memory_gib => :notebook_gib)
 LIMIT 10;

-- [notebook: by hand]
SELECT machine_id, price_per_hour
  FROM gpu_machines
 WHERE available AND gpu_memory_gib >= :notebook_gib
   AND price_per_hour >= 0
 ORDER BY price_per_hour, machine_id
 LIMIT 10;

-- [model: ours]
SELECT machine_id, price_per_hour
  FROM recommend_machines('meta-llama/Llama-3.1-405B', ctx => 32768, conc => :conc)
 LIMIT 10;

-- [model: by hand]
SELECT machine_id, price_per_hour
  FROM gpu_machines
 WHERE available AND gpu_count * gpu_memory_gib >= :capacity AND :holds
   AND price_per_hour >= 0
 ORDER BY price_per_hour, machine_id
 LIMIT 10;

-- [prepare: ours]
PREPARE ours (text, bigint, bigint, double precision, double precision, text, text[]) AS
SELECT machine_id, price_per_hour
  FROM recommend_machines($1, ctx => $2, conc => $3, memory_gib => $4, max_price => $5, tier => $6, countries => $7)
 LIMIT 10;

-- [prepare: by hand]
-- The capacity, and the least memory of each of 1, 2, 4, 8 and 16 GPUs ('Infinity': not so many).
PREPARE by_hand (double precision, double precision, double precision, double precision, double precision,
                 double precision) AS
SELECT machine_id, price_per_hour
  FROM gpu_machines
 WHERE available AND gpu_count * gpu_memory_gib >= $1
   AND (gpu_memory_gib >= $2 OR gpu_count >= 2 AND gpu_memory_gib >= $3 OR gpu_count >= 4 AND gpu_memory_gib >= $4
        OR gpu_count >= 8 AND gpu_memory_gib >= $5 OR gpu_count >= 16 AND gpu_memory_gib >= $6)
   AND price_per_hour >= 0
 ORDER BY price_per_hour, machine_id
 LIMIT 10;

-- [execute notebook: ours]
EXECUTE ours (NULL, 4096, 1, :notebook_gib, NULL, 'both', NULL);

-- [execute notebook: by hand]
EXECUTE by_hand (:notebook_gib, :notebook_gib, 'Infinity', 'Infinity', 'Infinity', 'Infinity');

-- [execute model: ours]
EXECUTE ours ('meta-llama/Llama-3.1-405B', 32768, :conc, NULL, NULL, 'both', NULL);

-- [execute model: by hand]
EXECUTE by_hand (:capacity, :gib_1, :gib_2, :gib_4, :gib_8, :gib_16);
