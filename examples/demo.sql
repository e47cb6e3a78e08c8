-- What `make demo` shows: a need item by item, and the machines of the sample fleet that hold it.
\pset footer off
\echo 'What Llama 3.1 8B needs at 16 bits, 4,096 tokens and 1 request:'
\echo
SELECT item, formula, round(gib::numeric, 2) AS gib
  FROM gpu_memory_items('meta-llama/Llama-3.1-8B', bits => 16, ctx => 4096, conc => 1)
UNION ALL
SELECT 'total', '', round(gpu_memory_needed('meta-llama/Llama-3.1-8B', 16, 4096, 1)::numeric, 2);
\echo 'The ten cheapest machines of the sample fleet that hold it:'
\echo
SELECT machine_id, country, gpu_name, gpus_used AS gpus, gpu_memory_gib AS gib, round(free_gib_per_gpu::numeric, 2) AS free,
       price_per_hour AS price, confidence
  FROM recommend_machines('meta-llama/Llama-3.1-8B', bits => 16, ctx => 4096, conc => 1)
 LIMIT 10;
