-- gpu_datasheet_memory: GPU types by every name they go by.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir
-- Own types are rolled back at the end.
BEGIN;

-- Every name in the example fleet, read by hand from the makers' datasheets: the smallest card of
-- the name.
CREATE TEMP TABLE expected (gpu_name text PRIMARY KEY, gib double precision);
INSERT INTO expected VALUES
    ('A10', 24), ('A100', 40), ('A100 PCIE', 40), ('A100 SXM4', 40), ('A100-80GB', 80), ('A100_PCIE_80GB', 80),
    ('A100_SXM_80GB', 80), ('A6000', 48), ('AMD Radeon Pro V520', 8), ('B200', 180), ('B300', 268.6), ('GH200', 96),
    ('H100', 80), ('H100 NVL', 94), ('H100 SXM', 80), ('H100-MEGA', 80), ('H100_NVL', 94), ('H100_PCIE', 80),
    ('H100_SXM', 80), ('H200', 141), ('L4', 24), ('L40', 48), ('L40S', 48), ('M60', 8),
    ('MI25', NULL),                 -- sold in shares, and the whole card's memory is not in gpu_types
    ('MI300X', 192), ('NVIDIA A100', 40), ('NVIDIA A10G', 24), ('NVIDIA B200 Blackwell', 180),
    ('NVIDIA B300 Blackwell', 268.6), ('NVIDIA GRID K520', 4), ('NVIDIA H100', 80), ('NVIDIA H200', 141),
    ('NVIDIA K80', 12), ('NVIDIA L4', 24), ('NVIDIA L40S', 48), ('NVIDIA M60', 8), ('NVIDIA RTX PRO 6000 Blackwell', 96),
    ('NVIDIA T4', 16), ('NVIDIA V100', 16),
    ('RTX 3060', 8),                -- or 12
    ('RTX 3060 Ti', 8), ('RTX 3090', 24),
    ('RTX 4060 Ti', 8),             -- or 16
    ('RTX 4070S Ti', 16),
    ('RTX 4090', 24),               -- or 48, rebuilt
    ('RTX 5070', 12), ('RTX 5090', 32), ('RTX 5880Ada', 48), ('RTX 6000Ada', 48), ('RTX A5000', 24), ('RTX A6000', 48),
    ('RTX PRO 6000 WS', 96), ('RTX6000', 24), ('RTX_4090', 24), ('RTX_5090', 32), ('RTX_PRO_6000', 96), ('T4', 16),
    ('Tesla V100', 16),             -- or 32
    ('V100', 16), ('V100-32GB', 32);
CREATE TEMP TABLE fleet (
    machine_id text, provider text, instance_type text, region text, country text,
    gpu_name text, gpu_count text, gpu_memory_gib double precision, price_per_hour numeric,
    spot_price_per_hour numeric, interruptible text, source text);
\copy fleet from 'data/fleet_real.csv' with (format csv, header match)
SELECT gpu_name, e.gib AS expected, gpu_datasheet_memory(gpu_name) AS got
  FROM (SELECT DISTINCT gpu_name FROM fleet) AS f FULL JOIN expected AS e USING (gpu_name)
 WHERE e.gpu_name IS NULL OR e.gib IS DISTINCT FROM gpu_datasheet_memory(gpu_name);
SELECT count(*) AS names, count(gpu_datasheet_memory(gpu_name)) AS with_memory FROM expected;
-- A lower bound: where sellers state a figure, it is never far below (what ECC and drivers take).
SELECT count(*) AS stated, min(gpu_memory_gib / gpu_datasheet_memory(gpu_name)) > 0.93 AS never_far_below
  FROM fleet WHERE gpu_memory_gib IS NOT NULL;

-- Every name in gpu_types: the smallest memory of the types that list the name, letter by letter. Where the
-- function gives less, a smaller card has the name with its size: an A100 SXM of 40 GB is one too.
CREATE TEMP VIEW names AS
SELECT t.gpu_name AS type, t.vendor, t.memory_gib, name FROM gpu_types AS t, unnest(t.aliases || t.gpu_name) AS name WHERE NOT own;
WITH listed AS (
    SELECT name, CASE WHEN bool_or(memory_gib IS NULL) THEN NULL ELSE min(memory_gib) END AS gib FROM names GROUP BY name
)
SELECT name, gib, gpu_datasheet_memory(name) AS got FROM listed WHERE gib IS DISTINCT FROM gpu_datasheet_memory(name)
 ORDER BY name COLLATE "C";
SELECT count(DISTINCT name) AS names, count(DISTINCT name) FILTER (WHERE gpu_datasheet_memory(name) IS NULL) AS unknown FROM names;
-- The same names misspelt, by other means than the function's: nothing changes.
SELECT how, count(*) FILTER (WHERE gpu_datasheet_memory(name) IS DISTINCT FROM gpu_datasheet_memory(spelt)) AS changed
  FROM (SELECT DISTINCT name FROM names) AS n
 CROSS JOIN LATERAL (VALUES
    ('capitals', upper(name)), ('small letters', lower(name)), ('underscores', translate(name, ' -', '__')),
    ('dashes', lower(translate(name, ' _', '--'))), ('spaces', translate(name, '-_', '  ')),
    ('doubled', ' ' || regexp_replace(name, '[ _-]', ' - ', 'g') || ' '),
    ('a GPU', name || ' GPU'),
    ('without its maker', regexp_replace(name, '^(NVIDIA|AMD|Intel)[ -]', '', 'i')),
    ('G for GB', regexp_replace(name, '(\d)GB', '\1G')), ('GiB for GB', regexp_replace(name, '(\d)GB', '\1 GiB'))
 ) AS v (how, spelt)
 GROUP BY how ORDER BY how COLLATE "C";
-- With its memory behind it, each type is found again; with another one, none is.
SELECT count(*) AS types, count(*) FILTER (WHERE gpu_datasheet_memory(name || ' ' || memory_gib || 'GB') = memory_gib) AS found,
       count(*) FILTER (WHERE gpu_datasheet_memory(name || '-' || memory_gib * 1024 || 'MiB') = memory_gib) AS found_by_mib,
       count(gpu_datasheet_memory(name || ' 7GB')) AS with_7_gb
  FROM names WHERE memory_gib = trunc(memory_gib) AND name !~* '\d+GB?\M';
-- No name means cards of two makers.
SELECT count(*) AS of_two_makers
  FROM (SELECT FROM names GROUP BY split_part(gpu_advisor_internal.gpu_name_key(name), '/', 1) HAVING count(DISTINCT vendor) > 1) AS k;

-- Spellings of all kinds.
SELECT name, gpu_datasheet_memory(name) AS gib FROM (VALUES
    (1, 'nvidia_a100_sxm4_80gb'), (2, 'NVIDIA Tesla A100 80G'), (3, 'a100-40gb'), (4, 'A100 (80GB)'), (5, 'A100 80 GB'), (6, 'A100 81920MiB'),
    (7, 'NVIDIA A100-SXM4-80GB, 81920 MiB'), (8, 'nvidia-l4'), (9, 'geforce rtx4090'), (10, 'GeForce RTX 3090 24576MiB'),
    (11, 'RTX 4090 48GB'), (12, 'RTX-3080-20G'), (13, 'NVIDIA H100 94GB'), (14, 'h100 80gb hbm3'), (15, 'amd instinct mi300x 192gb'),
    (16, 'Radeon RX 7900 XTX'), (17, 'Quadro RTX 6000'), (18, 'NVIDIA A100 Tensor Core GPU'), (19, 'Intel Arc A770'),
    (20, 'B300 288GB'),                                 -- the maker's GB, here of 10^9 bytes
    (21, 'NVIDIA GH200 480GB')                          -- the size of another memory, in the card's name
    ) AS v (n, name) ORDER BY n;
-- Neighbours that are not to be confused.
SELECT name, gpu_datasheet_memory(name) AS gib FROM (VALUES
    (1, 'A10'), (2, 'A100'), (3, 'A10G'), (4, 'A2'), (5, 'H100'), (6, 'H100 NVL'), (7, 'RTX 4080'), (8, 'RTX 4080 SUPER'), (9, 'RTX 4090'),
    (10, 'RTX 4090 Laptop'), (11, 'RTX 4090 Mobile'), (12, 'RTX A2000'), (13, 'RTX 2000 Ada'), (14, 'RTX 6000'), (15, 'RTX 6000 Ada'),
    (16, 'RTX PRO 6000'), (17, 'GTX 1060'), (18, 'GTX 1060 6GB'), (19, 'T4'), (20, 'B200'), (21, 'GB200')) AS v (n, name) ORDER BY n;
-- Unknown: no such type, no such size, part of a card, no name, a type whose memory is not known.
SELECT name, gpu_datasheet_memory(name) AS gib FROM (VALUES
    (1, 'A'), (2, 'A1'), (3, 'A1000'), (4, 'A100 60GB'), (5, 'A100 80'), (6, 'H100 NVL 80GB'), (7, 'RTX 4090 Ti'), (8, 'RTX 4090 8GB'), (9, 'RTX'),
    (10, 'NVIDIA A100-SXM4-40GB MIG 1g.5gb'), (11, 'NVIDIA A10-4Q'), (12, 'A100 40GB 80GB'), (13, '2x RTX 4090'), (14, 'NVIDIA'), (15, '80GB'),
    (16, ''), (17, NULL), (18, 'AMD A10'), (19, 'Intel Arc Pro A40'), (20, 'Radeon M60'), (21, 'MI25'), (22, 'RTX A5500'), (23, 'B300 288GiB 268GB'),
    (24, 'GB10 128GB'), (25, repeat('A100 ', 10000))) AS v (n, name) WHERE gpu_datasheet_memory(name) IS NOT NULL;

-- Types of one's own count.
INSERT INTO gpu_types (gpu_name, vendor, memory_gib, aliases) VALUES
    ('RTX 4090 20GB (mine)', 'NVIDIA Corporation', 20, '{RTX 4090}'), ('Ascend 910B', 'Huawei', 64, '{}'), ('L4 rebuilt', 'NVIDIA', NULL, '{L4}');
SELECT gpu_datasheet_memory('NVIDIA rtx4090') AS rtx_4090, gpu_datasheet_memory('RTX 4090 24GB') AS of_24, gpu_datasheet_memory('RTX 4090 20G') AS of_20,
       gpu_datasheet_memory('ascend-910b 64G') AS ascend, gpu_datasheet_memory('L4') AS not_known, gpu_datasheet_memory('L4 24GB') AS known_by_size;
UPDATE gpu_types SET memory_gib = 22 WHERE gpu_name = 'L4 rebuilt';
DELETE FROM gpu_types WHERE gpu_name LIKE 'RTX 4090 20GB%';
SELECT gpu_datasheet_memory('L4') AS l4, gpu_datasheet_memory('RTX 4090') AS rtx_4090;
-- What is no list of names.
SELECT gpu_advisor_internal.gpu_search_keys('{NVIDIA GH200 480GB,gh200,NVIDIA}') AS keys, gpu_advisor_internal.gpu_search_keys('{}') AS none;
SAVEPOINT s;
SELECT gpu_advisor_internal.gpu_search_keys('{{a},{b}}');
ROLLBACK TO s;
SELECT gpu_advisor_internal.gpu_search_keys('{a,NULL}');
ROLLBACK TO s;

-- For anybody who may read gpu_types, wherever the functions are.
CREATE ROLE regress_gpu_names;
SET LOCAL ROLE regress_gpu_names;
SET LOCAL search_path = '';
SELECT public.gpu_datasheet_memory('Tesla T4') AS t4;
RESET search_path;
RESET ROLE;
-- An index finds the types: 100,000 names take seconds.
ANALYZE gpu_types;
EXPLAIN (COSTS OFF) SELECT gpu_name FROM gpu_types
 WHERE gpu_advisor_internal.gpu_search_keys(array_append(aliases, gpu_name)) @> ARRAY['a100'];
ROLLBACK;
