-- The 10 cheapest machines for a model, by price, tier and place.

-- [ours]
SELECT machine_id, price_per_hour
  FROM recommend_machines('meta-llama/Llama-3.1-8B', max_price => 2, tier => 'secure', countries => '{EU}')
 LIMIT 10;

-- [by hand]
SELECT machine_id, price_per_hour
  FROM gpu_machines
 WHERE available AND :holds
   AND gpu_count * gpu_memory_gib >= :capacity -- which :holds implies: the index tests it
   AND price_per_hour >= 0 AND price_per_hour <= 2
   AND tier = 'secure'
   AND country IN (:eu)
 ORDER BY price_per_hour, machine_id
 LIMIT 10;
