-- The example fleet: examples/fleet/load.sql, and what must come of it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir
-- Rolled back at the end: other tests see no machine of this.
BEGIN;
DELETE FROM gpu_machines;
\set ECHO none
\i examples/fleet/load.sql
\set ECHO all
-- By tier and source.
SELECT tier, memory_source, interruptible, count(*), count(gpu_memory_gib) AS with_memory,
       count(country) AS with_country, count(DISTINCT gpu_name) AS gpus, sum(price_per_hour) AS prices
FROM gpu_machines GROUP BY tier, memory_source, interruptible
ORDER BY tier COLLATE "C", memory_source COLLATE "C", interruptible;
SELECT seller, tier, count(*),
       count(*) FILTER (WHERE machine_id LIKE '%/spot') AS spot_beside_list_price,
       count(*) FILTER (WHERE interruptible) AS interruptible
FROM gpu_machines, split_part(machine_id, '/', 1) AS seller
GROUP BY seller, tier ORDER BY seller COLLATE "C", tier COLLATE "C";
-- Names without a memory size: shares of a card that has no figure either.
SELECT gpu_name, count(*) FROM gpu_machines WHERE gpu_memory_gib IS NULL
GROUP BY gpu_name ORDER BY gpu_name COLLATE "C";

-- Every machine a second time, from the file and by other means.
CREATE TEMP TABLE csv_fleet (
    machine_id text, provider text, instance_type text, region text, country text,
    gpu_name text, gpu_count text, gpu_memory_gib double precision, price_per_hour numeric,
    spot_price_per_hour numeric, interruptible text, source text);
\copy csv_fleet from 'data/fleet_real.csv' with (format csv, header match)
ANALYZE csv_fleet;
CREATE TEMP TABLE card_names AS
SELECT DISTINCT regexp_replace(upper(name), '[-_]', ' ', 'g') AS name, gpu_name,
       coalesce(memory_gib, 0) AS size
FROM gpu_types, unnest(array_append(aliases, gpu_name)) AS name;
CREATE TEMP TABLE wanted (
    machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source,
    price_per_hour, available, interruptible, max_booking_hours) AS
WITH whole AS (
    SELECT *, provider = 'vast' OR (provider = 'runpod' AND region = 'community') AS community
    FROM csv_fleet WHERE gpu_count !~ '\.'
),
cards AS MATERIALIZED (
    SELECT f.gpu_name, array_agg(DISTINCT c.size) AS sizes
    FROM (SELECT DISTINCT gpu_name FROM csv_fleet) f
    JOIN card_names c ON c.name = regexp_replace(upper(f.gpu_name), '[-_]', ' ', 'g')
    GROUP BY f.gpu_name
),
sized AS (
    SELECT w.*, CASE WHEN 0 <> ALL (c.sizes) THEN (SELECT min(s) FROM unnest(c.sizes) s) END AS sheet
    FROM whole w LEFT JOIN cards c USING (gpu_name)
),
priced AS (
    SELECT machine_id AS id, price_per_hour AS price, false AS spot, sized.* FROM sized
    WHERE price_per_hour IS NOT NULL
    UNION ALL
    SELECT machine_id || '/spot', spot_price_per_hour, true, sized.* FROM sized
    WHERE price_per_hour IS NOT NULL AND spot_price_per_hour IS NOT NULL
    UNION ALL
    SELECT machine_id, spot_price_per_hour, true, sized.* FROM sized
    WHERE price_per_hour IS NULL AND spot_price_per_hour IS NOT NULL
)
SELECT id, CASE WHEN community THEN 'community' ELSE 'secure' END, country, gpu_name,
       gpu_count::bigint, coalesce(gpu_memory_gib, sheet),
       CASE WHEN gpu_memory_gib IS NULL AND sheet IS NULL THEN NULL
            WHEN gpu_memory_gib IS NULL THEN 'datasheet'
            WHEN community THEN 'provider' ELSE 'datacenter' END,
       price, true, spot, NULL::double precision
FROM priced;
ANALYZE wanted;
CREATE TEMP VIEW held AS
SELECT machine_id, tier, country, gpu_name, gpu_count::bigint, gpu_memory_gib::double precision,
       memory_source, price_per_hour::numeric, available, interruptible,
       max_booking_hours::double precision
FROM gpu_machines;
SELECT count(*) AS rows_compared FROM held;
SELECT * FROM (TABLE wanted EXCEPT ALL TABLE held) AS d ORDER BY machine_id COLLATE "C";
SELECT * FROM (TABLE held EXCEPT ALL TABLE wanted) AS d ORDER BY machine_id COLLATE "C";
-- Marked interruptible exactly where there is no list price.
SELECT count(*) AS otherwise FROM csv_fleet
WHERE (interruptible = 'yes') <> (price_per_hour IS NULL);
-- The file's price is that of the whole machine: twice the GPUs, about twice the price,
-- in the median of each seller and GPU.
WITH median AS (
    SELECT provider, gpu_name, interruptible, gpu_count::numeric AS gpus,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY coalesce(price_per_hour, spot_price_per_hour)) AS price
    FROM csv_fleet GROUP BY 1, 2, 3, 4
)
SELECT a.provider, count(*) AS pairs, round(min(b.price / a.price)::numeric, 1) AS lowest,
       round((percentile_cont(0.5) WITHIN GROUP (ORDER BY b.price / a.price))::numeric, 1) AS median
FROM median a JOIN median b USING (provider, gpu_name, interruptible)
WHERE b.gpus = 2 * a.gpus GROUP BY a.provider ORDER BY a.provider COLLATE "C";

-- Read by hand in the file.
SELECT machine_id, tier, country, gpu_name, gpu_count AS n, gpu_memory_gib AS gib, memory_source,
       price_per_hour AS price, interruptible AS i
FROM gpu_machines
WHERE machine_id IN (
    'aws/ap-northeast-1/g2.2xlarge',                    -- no figure of its own, one card of the name
    'azure/australiaeast/Standard_NC12s_v3',            -- two cards of the name, both 16 GiB
    'azure/australiaeast/Standard_NC12s_v3/spot',
    'azure/eastus/Standard_NV4as_v4',                   -- an eighth of a GPU, sold as one
    'azure/eastus/Standard_ND96isr_H100_v5',            -- 80 or 94 GiB: the smaller
    'azure/eastus/Standard_NV18ads_A10_v5',             -- half a GPU: left out
    'gcp/asia-northeast1-a/a2-highgpu-1g/spot',
    'lambda/europe-central-1/gpu_8x_v100_n',
    'runpod/b-community-spot-1x-B300',                  -- only a spot price
    'runpod/b-secure-on_demand-1x-B300',
    'runpod/b-secure-on_demand-1x-RTX_4090',            -- 24 or 48 GiB: the smaller
    'vast/a-0001',
    'vast/a-0032', 'vast/a-0033')                       -- one name, two sizes, as reported
ORDER BY machine_id COLLATE "C";

-- Once more, over a machine that has changed and one of somebody else.
UPDATE gpu_machines SET tier = 'secure', country = NULL, gpu_name = 'T4', gpu_count = 9,
    gpu_memory_gib = 1, memory_source = 'datacenter', price_per_hour = 99, available = false,
    interruptible = true, max_booking_hours = 1
WHERE machine_id = 'vast/a-0001';
INSERT INTO gpu_machines (machine_id, tier, gpu_name, gpu_count, price_per_hour, available, interruptible)
VALUES ('mine', 'secure', 'L4', 1, 1, true, false);
-- The memory of the whole card is not that of a share.
INSERT INTO gpu_types (gpu_name, vendor, memory_gib) VALUES ('MI25', 'AMD', 16);
\set ECHO none
\i examples/fleet/load.sql
\set ECHO all
SELECT count(*) AS machines FROM gpu_machines;
SELECT * FROM (TABLE wanted EXCEPT ALL TABLE held) AS d ORDER BY machine_id COLLATE "C";
ROLLBACK;
