-- Every error of the arguments: its SQLSTATE, what was given, and what to write instead.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
TRUNCATE gpu_machines;

CREATE FUNCTION pg_temp.error_of(query text) RETURNS TABLE (state text, message text, hint text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE query;
    RETURN QUERY SELECT NULL, 'no error', NULL;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    state := SQLSTATE;
    RETURN NEXT;
END
$$;
\x on

SELECT q.call, e.*
  FROM (VALUES
    -- the model
    (1, $$SELECT gpu_need(model => 'llama-3.1-8')$$),
    (2, $$SELECT gpu_need(model => 'Llama 3.1 8B')$$),
    (3, $$SELECT gpu_need(model => '')$$),
    (4, $$SELECT gpu_need(model => repeat('long', 1000))$$),
    -- its figures
    (10, $$SELECT gpu_need('llama-3.1-8B', bits => 5)$$),
    (11, $$SELECT gpu_need('llama-3.1-8B', bits => -9223372036854775808)$$),
    (12, $$SELECT gpu_need('llama-3.1-8B', ctx => 0)$$),
    (13, $$SELECT gpu_need('llama-3.1-8B', ctx => -1)$$),
    (14, $$SELECT gpu_need('llama-3.1-8B', conc => 0)$$),
    (15, $$SELECT gpu_need('llama-3.1-8B', ctx => 131073)$$),
    (16, $$SELECT gpu_need('llama-3.1-8B', ctx => 131072, conc => 9223372036854775807)$$),
    (17, $$SELECT count(gpu_model_need(m, 16, 4096, 1)) FROM gpu_models AS m$$),
    -- the task
    (20, $$SELECT gpu_need('llama-3.1-8B', task => 'train')$$),
    (21, $$SELECT gpu_need('llama-3.1-8B', task => 'image')$$),
    (22, $$SELECT gpu_need('llama-3.1-8B', task => 'notebook')$$),
    (23, $$SELECT gpu_need('openai/whisper-large-v3', task => 'finetune')$$),
    (24, $$SELECT gpu_need('black-forest-labs/FLUX.1-dev', task => 'run')$$),
    (25, $$SELECT gpu_need(NULL, task => 'run')$$),
    (26, $$SELECT gpu_need(NULL, task => 'notebook')$$),
    (27, $$SELECT gpu_need(NULL, task => 'train')$$),
    -- a notebook's memory
    (30, $$SELECT gpu_need(NULL, memory_gib => -1)$$),
    (31, $$SELECT gpu_need(NULL, memory_gib => 'NaN')$$),
    (32, $$SELECT gpu_need(NULL, memory_gib => 'infinity')$$),
    (33, $$SELECT gpu_need(NULL, memory_gib => 1e300)$$),
    (34, $$SELECT gpu_need('llama-3.1-8B', memory_gib => 24)$$),
    (35, $$SELECT * FROM gpu_memory_items('llama-3.1-8B', memory_gib => 24)$$),
    -- GPUs
    (40, $$SELECT gpu_memory_needed('llama-3.1-8B', gpus => 0)$$),
    (41, $$SELECT * FROM gpu_memory_items('llama-3.1-8B', gpus => 0)$$),
    (42, $$SELECT * FROM gpu_memory_items('llama-3.1-8B', gpus => 3)$$),
    (43, $$SELECT * FROM gpu_memory_items('llama-3.1-8B', task => 'finetune', gpus => 2)$$),
    (44, $$SELECT * FROM gpu_memory_items(memory_gib => 5, gpus => 2)$$),
    (45, $$SELECT * FROM gpu_memory_items('openai/whisper-large-v3', gpus => 2)$$),
    -- countries
    (50, $$SELECT gpu_countries('{UK}')$$),
    (51, $$SELECT gpu_countries('{EL}')$$),
    (52, $$SELECT gpu_countries('{XX}')$$),
    (53, $$SELECT gpu_countries('{DEU}')$$),
    (54, $$SELECT gpu_countries('{Germany}')$$),
    (55, $$SELECT gpu_countries('{}')$$),
    (56, $$SELECT gpu_countries('{DE,NULL}')$$),
    (57, $$SELECT gpu_countries('{{DE,FR},{IT,ES}}')$$),
    (58, $$SELECT gpu_countries(ARRAY['D' || chr(228)])$$),
    -- the recommender: also over an empty fleet
    (60, $$SELECT * FROM recommend_machines()$$),
    (61, $$SELECT * FROM recommend_machines('no such model')$$),
    (62, $$SELECT * FROM recommend_machines('llama-3.1-8B', bits => 3)$$),
    (63, $$SELECT * FROM recommend_machines('llama-3.1-8B', bits => NULL)$$),
    (64, $$SELECT * FROM recommend_machines('llama-3.1-8B', ctx => NULL)$$),
    (65, $$SELECT * FROM recommend_machines('llama-3.1-8B', conc => NULL)$$),
    (66, $$SELECT * FROM recommend_machines('llama-3.1-8B', budget => -1)$$),
    (67, $$SELECT * FROM recommend_machines('llama-3.1-8B', budget => 'NaN')$$),
    (68, $$SELECT * FROM recommend_machines('llama-3.1-8B', max_price => 'infinity')$$),
    (69, $$SELECT * FROM recommend_machines('llama-3.1-8B', max_price => -0.01)$$),
    (70, $$SELECT * FROM recommend_machines('llama-3.1-8B', tier => 'private')$$),
    (71, $$SELECT * FROM recommend_machines('llama-3.1-8B', tier => NULL)$$),
    (72, $$SELECT * FROM recommend_machines('llama-3.1-8B', countries => '{}')$$),
    (73, $$SELECT * FROM recommend_machines('llama-3.1-8B', countries => '{UK}')$$),
    (74, $$SELECT * FROM recommend_machines('llama-3.1-8B', memory_gib => 24)$$),
    (75, $$SELECT * FROM recommend_machines(task => 'notebook')$$),
    (76, $$SELECT machine_id FROM recommend_machines('llama-3.1-8B', budget => -1) LIMIT 1$$),
    -- rows that are refused when they are stored
    (80, $$INSERT INTO gpu_machines (machine_id, tier) VALUES ('a', 'private')$$),
    (81, $$INSERT INTO gpu_machines (machine_id, tier, country) VALUES ('a', 'secure', 'Germany')$$),
    (82, $$INSERT INTO gpu_machines (machine_id, tier, gpu_memory_gib) VALUES ('a', 'secure', 'NaN')$$),
    (83, $$INSERT INTO gpu_machines (machine_id, tier, gpu_memory_gib) VALUES ('a', 'secure', -24)$$),
    (84, $$INSERT INTO gpu_machines (machine_id, tier, price_per_hour) VALUES ('a', 'secure', 'NaN')$$),
    (85, $$INSERT INTO gpu_machines (machine_id, tier, gpu_count) VALUES ('a', 'secure', 0)$$),
    (86, $$INSERT INTO gpu_models (model, kind) VALUES ('me/a', 'poem')$$),
    (87, $$INSERT INTO gpu_models (model, params) VALUES ('me/a', 0)$$),
    (88, $$INSERT INTO gpu_models (model, layers, sliding_layers) VALUES ('me/a', 10, 11)$$),
    (89, $$INSERT INTO gpu_measurements (machine_id, model, bits, value, unit) VALUES ('a', 'b', 5, 1, 'tokens/s')$$)
  ) AS q (n, call), pg_temp.error_of(q.call) AS e
 ORDER BY q.n;
