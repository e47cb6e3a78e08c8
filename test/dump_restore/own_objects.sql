-- Objects of a user's own that use the extension. Run with app and the extension's schema on the
-- search_path; they must come back where it is empty.
CREATE VIEW cheap_machines AS
    SELECT machine_id, price_per_hour, why, measured_speed FROM recommend_machines('me/my-13b', bits => 8, budget => 10);
CREATE VIEW answer AS SELECT launch_by_workload('my-13b', bits => 8) AS answer;

CREATE FUNCTION fits_24(need gpu_need) RETURNS boolean LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT gpu_fits(need, 1, 24);
END;
CREATE FUNCTION machines_for(name text) RETURNS SETOF text LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT m.machine_id FROM gpu_machines AS m
     WHERE gpu_fits(gpu_need(name, bits => 4), m.gpu_count, m.gpu_memory_gib) ORDER BY 1;
END;
CREATE FUNCTION gib_of(m gpu_models) RETURNS double precision LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT gpu_need_gib(gpu_model_need(m, ctx => 1024));
END;

-- Computed when it is refreshed: after the own rows, with nothing on the search_path.
CREATE MATERIALIZED VIEW needs AS
    SELECT m.model, gpu_need(m.model, bits => 4, ctx => 1024) AS need, gib_of(m) AS gib
      FROM gpu_models AS m WHERE m.own OR m.model LIKE 'meta-llama/%';
CREATE UNIQUE INDEX needs_model ON needs (model);

CREATE TABLE plans (
    id integer PRIMARY KEY,
    need gpu_need NOT NULL CONSTRAINT fits_somewhere CHECK (gpu_fits(need, 8, 80)),
    spare gpu_need DEFAULT gpu_need(NULL, memory_gib => 24),
    gib double precision GENERATED ALWAYS AS (gpu_need_gib(need, 1)) STORED
);
CREATE INDEX plans_fit ON plans ((gpu_fits(need, 1, 24)));
CREATE INDEX plans_own_function ON plans (fits_24(need)) WHERE gpus_needed(need, 8, 24) = 2;
INSERT INTO plans (id, need)
SELECT row_number() OVER (ORDER BY model, bits), gpu_need(model, bits => bits, ctx => 1024)
  FROM gpu_models, unnest('{4,8,16}'::int[]) AS bits
 WHERE gpu_fits(gpu_need(model, bits => bits, ctx => 1024), 8, 80)
   AND (model LIKE 'me/my%' OR model LIKE 'meta-llama/Llama-3.1%');

-- Rows that hang on the catalogue's.
CREATE TABLE uses (
    model text REFERENCES gpu_models,
    gpu_name text REFERENCES gpu_types
);
INSERT INTO uses VALUES ('me/my-13b', 'My GPU'), ('openai/whisper-large-v3', 'B300'), ('meta-llama/Llama-3.1-70B', 'L4 24GB');

-- A fleet of the user's own, and the recommender over it: four functions that are the user's.
CREATE SCHEMA fleet;
CREATE VIEW fleet.machines AS SELECT * FROM gpu_machines WHERE country = 'DE';
SELECT gpu_advisor_use_fleet('fleet.machines', 'fleet');
CREATE VIEW fleet.best AS SELECT * FROM fleet.recommend_machines('me/my-13b', bits => 8);
