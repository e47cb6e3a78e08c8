-- The server that is asked. plain.fleet is a table of its own; spread.fleet holds the same machines
-- on two other servers. Variables of psql: socket, port_one, port_two.

\i examples/fleet/load.sql
INSERT INTO gpu_models (model, kind) VALUES ('me/no-figures', 'language');

-- Every seventh machine, and what a fleet may lack: memory, price, country, availability.
CREATE SCHEMA plain;
CREATE TABLE plain.fleet AS
    SELECT m.* FROM (SELECT g.*, row_number() OVER (ORDER BY g.machine_id) / 7 AS n,
                            row_number() OVER (ORDER BY g.machine_id) % 7 AS rest FROM gpu_machines AS g) AS m
     WHERE m.rest = 0;
UPDATE plain.fleet SET gpu_memory_gib = NULL, memory_source = NULL WHERE n % 11 = 0;
UPDATE plain.fleet SET price_per_hour = NULL WHERE n % 13 = 0;
UPDATE plain.fleet SET country = NULL WHERE n % 17 = 0;
UPDATE plain.fleet SET available = false WHERE n % 19 = 0;
UPDATE plain.fleet SET max_booking_hours = n % 100 + 1 WHERE n % 5 = 0;
-- Equal prices on both servers: the order of the answer depends on the names alone.
UPDATE plain.fleet SET price_per_hour = 0.25 WHERE n % 9 = 0;
ALTER TABLE plain.fleet DROP COLUMN n, DROP COLUMN rest;
INSERT INTO gpu_measurements (machine_id, model, bits, value, unit, measured_at)
    SELECT machine_id, 'meta-llama/Llama-3.1-8B', 16, 100 + gpu_count, 'tokens/s', '2026-01-01' FROM plain.fleet WHERE tier = 'community';

CREATE EXTENSION postgres_fdw;
CREATE SERVER one FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host :'socket', port :'port_one', dbname 'fleet',
    extensions 'gpu_advisor', async_capable 'true', fetch_size '10', batch_size '100');
CREATE SERVER two FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host :'socket', port :'port_two', dbname 'fleet',
    extensions 'gpu_advisor', async_capable 'true', fetch_size '10', batch_size '100');
CREATE SCHEMA spread;
CREATE TABLE spread.fleet (LIKE gpu_machines) PARTITION BY HASH (machine_id);
CREATE FOREIGN TABLE spread.fleet_one PARTITION OF spread.fleet FOR VALUES WITH (MODULUS 2, REMAINDER 0)
    SERVER one OPTIONS (schema_name 'public', table_name 'gpu_machines');
CREATE FOREIGN TABLE spread.fleet_two PARTITION OF spread.fleet FOR VALUES WITH (MODULUS 2, REMAINDER 1)
    SERVER two OPTIONS (schema_name 'public', table_name 'gpu_machines');

-- postgres may write there; who asks is no superuser here and may read there, with a password.
CREATE USER MAPPING FOR postgres SERVER one OPTIONS (user 'postgres');
CREATE USER MAPPING FOR postgres SERVER two OPTIONS (user 'postgres');
CREATE ROLE asker LOGIN;
CREATE USER MAPPING FOR asker SERVER one OPTIONS (user 'fleet_reader', password 'only reads');
CREATE USER MAPPING FOR asker SERVER two OPTIONS (user 'fleet_reader', password 'only reads');
GRANT USAGE ON SCHEMA plain, spread TO asker;
GRANT SELECT ON plain.fleet, spread.fleet TO asker;
GRANT INSERT, UPDATE ON spread.fleet TO asker;

INSERT INTO spread.fleet SELECT * FROM plain.fleet;
SELECT gpu_advisor_use_fleet('plain.fleet'), gpu_advisor_use_fleet('spread.fleet');
-- By name: ANALYZE alone, and autovacuum, leave foreign tables out.
ANALYZE plain.fleet, spread.fleet;

-- A fleet whose partitions go by tier, for the plan alone.
CREATE SCHEMA by_tier;
CREATE TABLE by_tier.fleet (LIKE gpu_machines) PARTITION BY LIST (tier);
CREATE FOREIGN TABLE by_tier.secure PARTITION OF by_tier.fleet FOR VALUES IN ('secure')
    SERVER one OPTIONS (schema_name 'public', table_name 'gpu_machines');
CREATE FOREIGN TABLE by_tier.community PARTITION OF by_tier.fleet FOR VALUES IN ('community')
    SERVER two OPTIONS (schema_name 'public', table_name 'gpu_machines');
SELECT gpu_advisor_use_fleet('by_tier.fleet');
GRANT USAGE ON SCHEMA by_tier TO asker;
GRANT SELECT ON by_tier.fleet TO asker;
