-- The recipes of the README for filling gpu_machines.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
-- Rolled back at the end: other tests see no machine of this.
BEGIN;
DELETE FROM gpu_machines;

-- CSV: an empty field is NULL, and columns that are not named keep their defaults.
COPY gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour) FROM stdin WITH (FORMAT csv, HEADER);
machine_id,tier,country,gpu_name,gpu_count,gpu_memory_gib,memory_source,price_per_hour
"rack 1, node 7",secure,DE,NVIDIA L40S,4,44.98828125,datacenter,3.20
rack-2,secure,FR,H100 NVL,2,,,5.10
attic,community,,RTX 4090,1,23.98828125,provider,0.35
\.
SELECT * FROM gpu_machines ORDER BY machine_id COLLATE "C";
-- Machines without a figure, by the names of their GPUs.
UPDATE gpu_machines SET gpu_memory_gib = gpu_datasheet_memory(gpu_name), memory_source = 'datasheet'
 WHERE gpu_memory_gib IS NULL AND gpu_datasheet_memory(gpu_name) IS NOT NULL;
SELECT machine_id, gpu_memory_gib, memory_source FROM gpu_machines ORDER BY machine_id COLLATE "C";
SELECT limits[1] FROM recommend_machines(memory_gib => 90, tier => 'secure');
-- A wrong row is refused, and with it the whole file.
SAVEPOINT s;
COPY gpu_machines (machine_id, tier, country, gpu_count, gpu_memory_gib, price_per_hour) FROM stdin WITH (FORMAT csv, HEADER);
machine_id,tier,country,gpu_count,gpu_memory_gib,price_per_hour
good,secure,DE,1,24,1
bad,secure,Germany,1,24,1
\.
ROLLBACK TO s;
SELECT count(*) FROM gpu_machines;

-- nvidia-smi --query-gpu=name,memory.total --format=csv, as it prints it.
CREATE TEMP TABLE smi (gpu_name text, memory text);
COPY smi FROM stdin WITH (FORMAT csv, HEADER);
name, memory.total [MiB]
NVIDIA L4, 23034 MiB
NVIDIA L4, 23034 MiB
\.
PREPARE machine_of_smi (text) AS
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour)
SELECT $1, 'community', 'DE', string_agg(DISTINCT gpu_name, ' and '), count(*),
       CASE WHEN count(gib) = count(*) THEN min(gib) END, 'provider', 0.80
  FROM (SELECT gpu_name, CAST(substring(memory from '^ *(\d+) MiB *$') AS double precision) / 1024 AS gib FROM smi) AS s
RETURNING gpu_name, gpu_count, gpu_memory_gib, memory_source;
EXECUTE machine_of_smi ('two L4');
-- Cards of different size: each holds at least what the smallest does.
INSERT INTO smi VALUES ('NVIDIA GeForce RTX 3060', ' 12288 MiB');
EXECUTE machine_of_smi ('mixed');
-- A card that reports none, or in another unit: not known, and never offered.
UPDATE smi SET memory = ' [N/A]' WHERE gpu_name LIKE '%3060';
EXECUTE machine_of_smi ('one says nothing');
UPDATE smi SET memory = ' 12 GiB' WHERE gpu_name LIKE '%3060';
EXECUTE machine_of_smi ('one says GiB');
SELECT machine_id, gpus_used, free_gib_per_gpu FROM recommend_machines(memory_gib => 12, tier => 'community') ORDER BY machine_id COLLATE "C";
-- No output at all is no machine.
SAVEPOINT s;
TRUNCATE smi;
EXECUTE machine_of_smi ('silent');
ROLLBACK TO s;
-- The trap: whole numbers divide to whole numbers.
SELECT 23034 / 1024 AS wrong, 23034 / 1024.0 AS gib;

-- Prices per GPU: gpu_machines holds the whole machine's.
CREATE TEMP TABLE offers (id text, gpu_name text, gpus integer, price_per_gpu numeric);
COPY offers FROM stdin WITH (FORMAT csv, HEADER);
id,gpu_name,gpus,price_per_gpu
offer-1,H100 SXM,8,2.49
offer-2,RTX_4090,3,0.33
offer-3,L4,2,
\.
INSERT INTO gpu_machines (machine_id, tier, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour)
SELECT id, 'secure', gpu_name, gpus, gpu_datasheet_memory(gpu_name), 'datasheet', price_per_gpu * gpus FROM offers
RETURNING machine_id, gpu_memory_gib, price_per_hour;

-- MiB, bytes and GB as GiB.
SELECT 81559 / 1024.0::double precision AS mib, 85899345920 / 2^30 AS bytes, 80 * 1e9 / 2^30 AS gb_of_10_9_bytes;
-- What "GB" means on a datasheet: GiB, where the driver reports about as many.
SELECT gpu_name, memory_gb AS gb, round((memory_gb * 1e9 / 2^30)::numeric, 2) AS if_10_9_bytes, memory_gib,
       round(reported_mib / 1024.0, 2) AS reported_gib
  FROM gpu_types WHERE gpu_name IN ('H100 SXM 80GB', 'H200 SXM 141GB', 'L4 24GB', 'B300') ORDER BY gpu_name COLLATE "C";
SELECT count(*) AS reported, count(*) FILTER (WHERE memory_gib = memory_gb) AS gb_is_gib,
       count(*) FILTER (WHERE reported_mib / 1024.0 > memory_gb * 1e9 / 2^30) AS more_than_10_9_bytes,
       count(*) FILTER (WHERE coalesce(reported_mib_max, reported_mib) > 1024 * memory_gib) AS more_than_gib
  FROM gpu_types WHERE NOT own AND reported_mib IS NOT NULL AND memory_gb IS NOT NULL;
ROLLBACK;
