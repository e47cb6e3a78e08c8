-- How many machines hold the model: every machine is tested.

-- [ours]
SELECT count(*)
  FROM gpu_machines
 WHERE gpu_fits((SELECT gpu_need('meta-llama/Llama-3.1-8B', 16)), gpu_count, gpu_memory_gib);

-- [one column]
-- Not the same question: the cheapest test that a scan can make.
SELECT count(*)
  FROM gpu_machines
 WHERE gpu_memory_gib >= :gib_1;

-- [by hand]
-- The same question: all that the power-of-two splits of the model allow.
SELECT count(*)
  FROM gpu_machines
 WHERE :holds;
