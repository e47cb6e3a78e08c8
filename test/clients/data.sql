-- What the clients read: the sample fleet, some measured speeds, and a model whose need is not known.
\set ON_ERROR_STOP on
CREATE EXTENSION gpu_advisor;
\i examples/fleet/load.sql
INSERT INTO gpu_measurements (machine_id, model, bits, value, unit, measured_at)
SELECT machine_id, 'meta-llama/Llama-3.1-8B', 16, 40 + ascii(substr(machine_id, 8)) / 7.0, 'tokens/s', '2026-03-04 05:06:07+00'
  FROM (SELECT machine_id FROM recommend_machines('llama-3.1-8b', ctx => 8192, conc => 4, max_price => 2, countries => '{EU}')
         LIMIT 9) AS cheapest;
INSERT INTO gpu_measurements (machine_id, model, bits, value, unit, measured_at)
SELECT machine_id, 'openai/whisper-large-v3', 16, 0.1, 'streams', '2026-12-31 23:59:59+00'
  FROM (SELECT machine_id FROM recommend_machines('openai/whisper-large-v3', conc => 16, max_price => 0.35) LIMIT 5) AS cheapest;
INSERT INTO gpu_models (model) VALUES ('me/no-figures');
ANALYZE;
