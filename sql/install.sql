-- Where and by whom the extension can be created, and that nothing stays behind.
SET client_min_messages = warning;
CREATE ROLE regress_gpu_owner LOGIN;
CREATE ROLE regress_gpu_reader LOGIN;
DROP DATABASE IF EXISTS regress_gpu_install;
CREATE DATABASE regress_gpu_install;
GRANT CREATE ON DATABASE regress_gpu_install TO regress_gpu_owner;
RESET client_min_messages;
\set home :DBNAME
\c regress_gpu_install
\set SHOW_CONTEXT never

-- What the database holds, to compare with afterwards.
CREATE TEMP TABLE kinds (class regclass, counted bigint);
CREATE FUNCTION pg_temp.census() RETURNS TABLE (class regclass, counted bigint) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH class IN ARRAY ARRAY['pg_class', 'pg_proc', 'pg_type', 'pg_namespace', 'pg_constraint', 'pg_trigger', 'pg_operator', 'pg_cast',
                                 'pg_description', 'pg_depend', 'pg_init_privs', 'pg_extension']::regclass[] LOOP
        EXECUTE format('SELECT count(*) FROM %s', class) INTO counted;
        RETURN NEXT;
    END LOOP;
END
$$;
INSERT INTO kinds SELECT * FROM pg_temp.census();
CREATE EXTENSION gpu_advisor;
DROP EXTENSION gpu_advisor;
SELECT k.class, k.counted, n.counted FROM kinds AS k JOIN pg_temp.census() AS n USING (class) WHERE k.counted <> n.counted;

-- As an ordinary role who may create in the database, in a schema with a name that needs quotes.
SET ROLE regress_gpu_owner;
CREATE SCHEMA "GPU advice";
CREATE EXTENSION gpu_advisor SCHEMA "GPU advice";
-- Everything works with an empty search_path.
SET search_path = '';
SELECT round("GPU advice".gpu_memory_needed('llama-3.1-8B')::numeric, 2) AS gib;
SELECT count(*) FROM "GPU advice".gpu_memory_items('llama-3.1-8B');
INSERT INTO "GPU advice".gpu_machines (machine_id, tier, country, gpu_count, gpu_memory_gib, memory_source, price_per_hour)
VALUES ('mine', 'secure', 'DE', 1, 24, 'datacenter', 1);
INSERT INTO "GPU advice".gpu_models (model, params, layers, attention_heads, kv_heads, head_dim) VALUES ('me/mine', 1000, 1, 2, 1, 8);
SELECT machine_id, why FROM "GPU advice".recommend_machines('me/mine', countries => '{EU}');
-- The unknown model's error, too.
SELECT "GPU advice".gpu_need(model => 'me/mien');
RESET ROLE;
-- Another role may read and ask, and not write.
GRANT USAGE ON SCHEMA "GPU advice" TO regress_gpu_reader;
SET ROLE regress_gpu_reader;
SELECT machine_id FROM "GPU advice".recommend_machines('llama-3.1-8B');
INSERT INTO "GPU advice".gpu_machines (machine_id, tier) VALUES ('not-mine', 'secure');
INSERT INTO "GPU advice".gpu_models (model) VALUES ('not/mine');
RESET ROLE;
RESET search_path;
-- A row of one's own wins over the shipped one, and the shipped one comes back.
SET search_path = "GPU advice";
SELECT params, own FROM gpu_models WHERE model = 'meta-llama/Llama-3.1-8B';
INSERT INTO gpu_models (model, params) VALUES ('meta-llama/Llama-3.1-8B', 7);
SELECT params, own FROM gpu_models WHERE model = 'meta-llama/Llama-3.1-8B';
UPDATE gpu_models SET params = 8 WHERE model = 'meta-llama/Llama-3.1-8B';
INSERT INTO gpu_models (model, params) VALUES ('meta-llama/Llama-3.1-8B', 9) ON CONFLICT (model) DO UPDATE SET params = excluded.params;
SELECT params, own FROM gpu_models WHERE model = 'meta-llama/Llama-3.1-8B';
UPDATE gpu_models SET model = 'meta-llama/Llama-3.1-70B' WHERE model = 'meta-llama/Llama-3.1-8B';
SELECT model, params, own FROM gpu_models WHERE model IN ('meta-llama/Llama-3.1-8B', 'meta-llama/Llama-3.1-70B') ORDER BY 1;
DELETE FROM gpu_models WHERE own;
SELECT model, params, own FROM gpu_models WHERE model IN ('meta-llama/Llama-3.1-8B', 'meta-llama/Llama-3.1-70B') ORDER BY 1;
SELECT count(*) AS shipped, count(*) FILTER (WHERE own) AS own FROM gpu_models;
RESET search_path;
SET ROLE regress_gpu_owner;
DROP EXTENSION gpu_advisor;
DROP SCHEMA "GPU advice";
RESET ROLE;
SELECT k.class, k.counted, n.counted FROM kinds AS k JOIN pg_temp.census() AS n USING (class) WHERE k.counted <> n.counted;

\c :home
DROP DATABASE regress_gpu_install;
DROP ROLE regress_gpu_owner;
DROP ROLE regress_gpu_reader;
