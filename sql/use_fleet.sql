-- The recommender over a fleet of the user's own.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
DROP SCHEMA IF EXISTS shop, parts CASCADE;
CREATE ROLE regress_gpu_seller;
CREATE ROLE regress_gpu_buyer;
RESET client_min_messages;
\set SHOW_CONTEXT never
SET jit = off;
SET max_parallel_workers_per_gather = 0;
TRUNCATE gpu_machines;
\i test/regress/plan_of.sql

-- A console whose machines are spread over three tables.
CREATE SCHEMA shop AUTHORIZATION regress_gpu_seller;
GRANT USAGE ON SCHEMA shop TO regress_gpu_buyer;
SET ROLE regress_gpu_seller;
CREATE TABLE shop.hosts (host_id bigint PRIMARY KEY, tier text NOT NULL, country text, online boolean NOT NULL);
CREATE TABLE shop.gpus (host_id bigint PRIMARY KEY REFERENCES shop.hosts, gpu_name text, gpu_count integer, memory_mib integer);
CREATE TABLE shop.offers (offer_id bigint PRIMARY KEY, host_id bigint NOT NULL REFERENCES shop.hosts, price_per_hour numeric(12, 6), spot boolean NOT NULL, max_hours double precision);
INSERT INTO shop.hosts SELECT i, CASE i % 2 WHEN 0 THEN 'secure' ELSE 'community' END, (ARRAY['DE', 'US', 'FR', NULL])[1 + i % 4], i % 10 <> 0 FROM generate_series(1, 20000) AS i;
INSERT INTO shop.gpus SELECT i, 'RTX ' || i % 4, 1 + i % 8, (ARRAY[16384, 24576, 49152, NULL])[1 + i % 4] FROM generate_series(1, 20000) AS i;
INSERT INTO shop.offers SELECT i, 1 + i % 20000, 0.1 + (i * 7919 % 40000) / 10000.0, i % 5 = 0, CASE i % 7 WHEN 0 THEN 24 END FROM generate_series(1, 40000) AS i;
CREATE VIEW shop.fleet AS
SELECT o.offer_id::text AS machine_id, h.tier, h.country, g.gpu_name, g.gpu_count, g.memory_mib / 1024.0::double precision AS gpu_memory_gib,
       CASE h.tier WHEN 'secure' THEN 'datacenter' ELSE 'provider' END AS memory_source, o.price_per_hour,
       h.online AS available, o.spot AS interruptible, o.max_hours AS max_booking_hours
  FROM shop.offers AS o JOIN shop.hosts AS h USING (host_id) JOIN shop.gpus AS g USING (host_id);
CREATE INDEX offers_price ON shop.offers (price_per_hour, (offer_id::text));
ANALYZE shop.hosts, shop.gpus, shop.offers;
SELECT gpu_advisor_use_fleet('shop.fleet');
SELECT machine_id, tier, gpus_used, price_per_hour, confidence FROM shop.recommend_machines('llama-3.1-8b', max_price => 1) LIMIT 5;
-- Inlined: the index of the table beneath gives the order and the bound, and LIMIT stops it.
SELECT * FROM pg_temp.plan_of($$SELECT machine_id, price_per_hour FROM shop.recommend_machines('llama-3.1-8b', max_price => 1) LIMIT 5$$);
-- The same answers as over a copy in gpu_machines.
RESET ROLE;
INSERT INTO gpu_machines SELECT * FROM shop.fleet;
SELECT count(*) AS machines FROM recommend_machines('llama-3.1-8b', budget => 7);
SELECT count(*) AS differ FROM (SELECT r::text FROM recommend_machines('llama-3.1-8b', budget => 7) AS r EXCEPT ALL SELECT r::text FROM shop.recommend_machines('llama-3.1-8b', budget => 7) AS r) AS d;
SELECT recommend.d = shop.d AS same_document
  FROM launch_by_workload('llama-3.1-70b', max_price => 2, tier => 'secure', countries => '{EU}') AS recommend (d),
       shop.launch_by_workload('llama-3.1-70b', max_price => 2, tier => 'secure', countries => '{EU}') AS shop (d);
TRUNCATE gpu_machines;

-- They belong to whoever made them, and run with the rights of whoever calls them.
SELECT p.proname, p.proowner::regrole, p.prosecdef, obj_description(p.oid, 'pg_proc') IS NOT NULL AS described FROM pg_proc AS p WHERE p.pronamespace = 'shop'::regnamespace ORDER BY 1;
SET ROLE regress_gpu_buyer;
SELECT count(*) FROM shop.recommend_machines('llama-3.1-8b');
RESET ROLE;
GRANT SELECT ON shop.fleet TO regress_gpu_buyer;
SET ROLE regress_gpu_buyer;
SELECT count(*) > 0 AS may_ask FROM shop.recommend_machines('llama-3.1-8b');
SELECT gpu_advisor_use_fleet('shop.fleet');
RESET ROLE;
SET ROLE regress_gpu_seller;
REVOKE EXECUTE ON FUNCTION shop.launch_by_workload FROM PUBLIC;
SET ROLE regress_gpu_buyer;
SELECT shop.launch_by_workload('llama-3.1-8b');
RESET ROLE;

-- Row-level security and column privileges of a table hold for the caller.
CREATE SCHEMA parts;
GRANT USAGE ON SCHEMA parts TO regress_gpu_buyer;
CREATE TABLE parts.guarded (LIKE gpu_machines INCLUDING ALL, owner name);
INSERT INTO parts.guarded SELECT f.*, CASE WHEN f.machine_id::int <= 10 THEN 'regress_gpu_buyer' ELSE 'other' END FROM shop.fleet AS f;
ALTER TABLE parts.guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON parts.guarded USING (owner = current_user);
GRANT SELECT ON parts.guarded TO regress_gpu_buyer;
SELECT gpu_advisor_use_fleet('parts.guarded');
SELECT count(*) > 100 AS all_for_the_owner FROM parts.recommend_machines('llama-3.1-8b');
SET ROLE regress_gpu_buyer;
SELECT count(*) AS own FROM parts.guarded;
SELECT max(machine_id::int) <= 10 AS only_own FROM parts.recommend_machines('llama-3.1-8b', bits => 4);
SELECT (parts.launch_by_workload('llama-3.1-8b') #>> '{constraints,0,machines_left}')::int AS fleet_seen;
SELECT machines_left FROM parts.recommend_constraints('llama-3.1-8b') LIMIT 1;
RESET ROLE;
REVOKE SELECT ON parts.guarded FROM regress_gpu_buyer;
GRANT SELECT (machine_id, tier, country, gpu_count, gpu_memory_gib, price_per_hour, available, owner) ON parts.guarded TO regress_gpu_buyer;
SET ROLE regress_gpu_buyer;
SELECT count(*) FROM parts.recommend_machines('llama-3.1-8b');
RESET ROLE;

-- Every kind of relation: partitioned, materialized, foreign, and one with dropped columns.
CREATE TABLE parts.split (LIKE gpu_machines) PARTITION BY LIST (tier);
CREATE TABLE parts.split_secure PARTITION OF parts.split FOR VALUES IN ('secure');
CREATE TABLE parts.split_community PARTITION OF parts.split FOR VALUES IN ('community');
INSERT INTO parts.split SELECT * FROM shop.fleet;
CREATE INDEX ON parts.split (price_per_hour, machine_id) WHERE available;
ANALYZE parts.split;
CREATE VIEW parts.split_fleet AS SELECT * FROM parts.split;
CREATE MATERIALIZED VIEW parts.stored AS SELECT * FROM shop.fleet;
CREATE TABLE parts.dropped (unused integer, LIKE gpu_machines, more text);
INSERT INTO parts.dropped SELECT 1, f.*, 'x' FROM shop.fleet AS f;
ALTER TABLE parts.dropped DROP COLUMN unused;
ALTER TABLE parts.dropped DROP COLUMN country;
ALTER TABLE parts.dropped ADD COLUMN country text;
UPDATE parts.dropped AS d SET country = f.country FROM shop.fleet AS f WHERE f.machine_id = d.machine_id;
SELECT current_database() AS db, current_setting('port') AS port, split_part(current_setting('unix_socket_directories'), ',', 1) AS dir \gset
CREATE SERVER itself FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host :'dir', port :'port', dbname :'db', extensions 'gpu_advisor');
CREATE USER MAPPING FOR CURRENT_USER SERVER itself OPTIONS (user :'USER');
CREATE FOREIGN TABLE parts.far (machine_id text, tier text, country text, gpu_name text, gpu_count integer, gpu_memory_gib double precision, memory_source text,
    price_per_hour numeric, available boolean, interruptible boolean, max_booking_hours double precision) SERVER itself OPTIONS (schema_name 'shop', table_name 'fleet');
CREATE FUNCTION parts.answers(fleet regclass) RETURNS TABLE (fleet_name regclass, machines bigint, answer text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM gpu_advisor_use_fleet(fleet, 'parts');
    RETURN QUERY EXECUTE $q$SELECT $1, count(*), md5(string_agg(r::text, '|' ORDER BY r.price_per_hour, r.machine_id))
        FROM parts.recommend_machines('llama-3.1-8b', max_price => 2, tier => 'secure', countries => '{EU}') AS r$q$ USING fleet;
END
$$;
SELECT fleet_name, machines, answer = first_value(answer) OVER (ORDER BY o) AS same
  FROM unnest(ARRAY['shop.fleet', 'parts.split', 'parts.split_fleet', 'parts.stored', 'parts.dropped', 'parts.far']::regclass[]) WITH ORDINALITY AS u (f, o),
       LATERAL parts.answers(f) AS a;
-- Partitions are pruned by the tier; a foreign server gets the test of the fit itself.
SELECT gpu_advisor_use_fleet('parts.split_fleet');
SELECT * FROM pg_temp.plan_of($$SELECT machine_id FROM parts.recommend_machines('llama-3.1-8b', tier => 'community') LIMIT 5$$);
SELECT gpu_advisor_use_fleet('parts.far');
SELECT * FROM pg_temp.plan_of($$SELECT machine_id, price_per_hour FROM parts.recommend_machines('llama-3.1-8b', max_price => 2) LIMIT 5$$, 'VERBOSE');

-- Figures and words that gpu_machines would refuse are never offered, whatever they say.
CREATE TABLE parts.odd AS SELECT * FROM gpu_machines WHERE false;
INSERT INTO parts.odd (machine_id, tier, country, gpu_count, gpu_memory_gib, price_per_hour, available, interruptible)
VALUES ('below zero', 'secure', 'DE', 1, 24, -1, true, false), ('no number', 'secure', 'DE', 1, 24, 'NaN', true, false), ('no memory', 'secure', 'DE', 1, 'NaN', 1, true, false),
       ('endless memory', 'secure', 'DE', 1, 'infinity', 1, true, false), ('no GPUs', 'secure', 'DE', 0, 24, 1, true, false), ('other tier', 'private', 'DE', 1, 24, 1, true, false), ('endless price', 'secure', 'DE', 1, 24, 'infinity', true, false), ('tiny price', 'secure', 'DE', 1, 24, 1e-400, true, false),
       ('written out', 'secure', 'Germany', 1, 24, 1, true, false), ('good', 'secure', 'DE', 1, 24, 1, true, false);
SELECT gpu_advisor_use_fleet('parts.odd');
SELECT machine_id, budget_hours FROM parts.recommend_machines('llama-3.1-8b', countries => '{DE}', budget => 10);
SELECT count(*) FROM parts.recommend_machines('llama-3.1-8b', countries => '{DE}', budget => 1.7e308);
SELECT alternative, machine_id FROM parts.recommend_alternatives('llama-3.1-8b', countries => '{DE}', max_price => 0.5, tier => 'community');
DELETE FROM parts.odd WHERE machine_id IN ('good', 'written out', 'tiny price');
SELECT constraint_name, machines_left, advice FROM parts.recommend_constraints('llama-3.1-8b', countries => '{DE}');
-- What cannot serve: each column that is missing or of another type is named.
CREATE VIEW parts.wrong AS SELECT machine_id::varchar AS machine_id, tier, country, gpu_count::numeric AS gpu_count, gpu_memory_gib::real AS gpu_memory_gib, price_per_hour::money AS price_per_hour, available::text AS available FROM shop.fleet;
SELECT gpu_advisor_use_fleet('parts.wrong');
CREATE SEQUENCE parts.no_table;
SELECT gpu_advisor_use_fleet('parts.no_table');
SELECT gpu_advisor_use_fleet(NULL);
SELECT gpu_advisor_use_fleet('shop.fleet', 'no_such_schema');
SELECT gpu_advisor_use_fleet('parts.nothing');
-- The extension's own recommender is not replaced.
SELECT gpu_advisor_use_fleet('gpu_machines');
SELECT gpu_advisor_use_fleet('shop.fleet', (SELECT nspname FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'gpu_advisor'));
-- gpu_machines itself may be bound elsewhere, and a schema may have a name that needs quotes.
SELECT gpu_advisor_use_fleet('gpu_machines', 'pg_catalog');
CREATE TEMP TABLE passing AS SELECT * FROM shop.fleet;
SELECT gpu_advisor_use_fleet('passing', 'parts');
SELECT gpu_advisor_use_fleet('passing');
SELECT count(*) > 0 AS of_the_session FROM pg_temp.recommend_machines('llama-3.1-8b');
\set VERBOSITY terse
DROP TABLE passing CASCADE;
\set VERBOSITY default
CREATE SCHEMA "@fleet@";
SELECT gpu_advisor_use_fleet('gpu_machines', '@fleet@');
DROP SCHEMA "@fleet@";
CREATE SCHEMA "Fleet of ""Bob""";
SELECT gpu_advisor_use_fleet('gpu_machines', 'Fleet of "Bob"');
SELECT count(*) FROM "Fleet of ""Bob""".recommend_machines('llama-3.1-8b');
DROP SCHEMA "Fleet of ""Bob""" CASCADE;

-- The fleet may not go while the functions use it; dropping them leaves the rest.
DROP VIEW shop.fleet;
SET client_min_messages = warning;
DROP SERVER itself CASCADE;
DROP SCHEMA parts, shop CASCADE;
DROP ROLE regress_gpu_seller;
DROP ROLE regress_gpu_buyer;
