-- What the backend keeps after it has recommended.

-- [recommendation]
SELECT *
  FROM recommend_machines('meta-llama/Llama-3.1-8B', max_price => 2, tier => 'secure', countries => '{EU}')
 LIMIT 20;

-- [every row]
-- Every column of every machine that holds the model, sentences and all.
SELECT count(r)
  FROM recommend_machines('meta-llama/Llama-3.1-8B', max_price => 2, tier => 'secure', countries => '{EU}') AS r;
