-- From a price list to gpu_machines: data/fleet_real.csv, 3,557 offers of six sellers.
-- Run it from the repository root, in a database that has the extension:
--
--     psql -f examples/fleet/load.sql
--
-- It may run again: machines are updated, not doubled.
\set ON_ERROR_STOP on

-- 1. The file as it is. gpu_count is not always a whole number.
CREATE TEMP TABLE staging (
    machine_id          text PRIMARY KEY,
    provider            text NOT NULL,
    instance_type       text,
    region              text,
    country             text,
    gpu_name            text NOT NULL,
    gpu_count           numeric NOT NULL,
    gpu_memory_gib      double precision,
    price_per_hour      numeric,
    spot_price_per_hour numeric,
    interruptible       text NOT NULL CHECK (interruptible IN ('yes', 'no')),
    source              text
);

\copy staging from 'data/fleet_real.csv' with (format csv, header)

-- 2. The machines.
WITH offer AS (
    SELECT s.*,
           -- A marketplace of other people's machines is 'community'. RunPod sells both
           -- kinds, and names the kind in the instance type.
           CASE WHEN s.provider = 'vast' OR s.instance_type LIKE '%\_COMMUNITY'
                THEN 'community' ELSE 'secure' END AS tier,
           -- Where the seller gives no figure: the datasheet's, by the name. Of several cards
           -- of a name it is the smallest, which all of them have ('H100' is 80 or 94: 80), and
           -- NULL where that is not known: no fit is claimed. Azure's NVas_v4 machines hold a
           -- share of an MI25, and 1 GPU in the file: the whole card's memory would be wrong.
           CASE WHEN s.gpu_memory_gib IS NULL AND (s.instance_type LIKE 'Standard\_NV%as\_v4') IS NOT TRUE
                THEN gpu_datasheet_memory(s.gpu_name) END AS datasheet_gib
    FROM staging s
    -- A share of a GPU (0.5, 0.333, ...) is not a machine with one GPU.
    WHERE s.gpu_count = trunc(s.gpu_count)
)
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib,
                          memory_source, price_per_hour, available, interruptible,
                          max_booking_hours)
SELECT o.machine_id || p.suffix,
       o.tier,
       o.country,               -- empty in the file: NULL, in no country
       o.gpu_name,
       o.gpu_count::integer,
       coalesce(o.gpu_memory_gib, o.datasheet_gib),
       -- The file's figure is the seller's: the operator's own of a data centre, what
       -- the machine reports on a marketplace. No figure, no source.
       CASE WHEN o.gpu_memory_gib IS NOT NULL AND o.tier = 'secure' THEN 'datacenter'
            WHEN o.gpu_memory_gib IS NOT NULL                       THEN 'provider'
            WHEN o.datasheet_gib IS NOT NULL                        THEN 'datasheet' END,
       p.price,                 -- of the whole machine, in the file too
       true,                    -- available: the file does not say; assumed here
       p.interruptible,
       NULL                     -- max_booking_hours: the file does not say
FROM offer o
-- The list price is one machine. A spot price beside it is a second one, which the seller
-- may take back; an offer with nothing but a spot price is that machine alone.
-- Without any price there is no machine.
CROSS JOIN LATERAL (VALUES
    ('', o.price_per_hour, o.interruptible = 'yes'),
    (CASE WHEN o.price_per_hour IS NULL THEN '' ELSE '/spot' END, o.spot_price_per_hour, true)
) AS p (suffix, price, interruptible)
WHERE p.price IS NOT NULL
ON CONFLICT (machine_id) DO UPDATE SET
    tier              = excluded.tier,
    country           = excluded.country,
    gpu_name          = excluded.gpu_name,
    gpu_count         = excluded.gpu_count,
    gpu_memory_gib    = excluded.gpu_memory_gib,
    memory_source     = excluded.memory_source,
    price_per_hour    = excluded.price_per_hour,
    available         = excluded.available,
    interruptible     = excluded.interruptible,
    max_booking_hours = excluded.max_booking_hours;

-- 3. What became of the offers, counted in the table itself.
WITH fate AS (
    SELECT s.gpu_count <> trunc(s.gpu_count) AS fraction,
           coalesce(s.price_per_hour, s.spot_price_per_hour) IS NULL AS unpriced,
           m.machine_id IS NOT NULL OR spot.machine_id IS NOT NULL AS stored,
           (m.machine_id IS NOT NULL)::int + (spot.machine_id IS NOT NULL)::int AS machines,
           (m.interruptible IS TRUE)::int + (spot.interruptible IS TRUE)::int AS interruptible,
           CASE WHEN m.gpu_memory_gib IS NULL THEN
               (m.machine_id IS NOT NULL)::int + (spot.machine_id IS NOT NULL)::int
           ELSE 0 END AS without_memory
    FROM staging s
    LEFT JOIN gpu_machines m ON m.machine_id = s.machine_id
    LEFT JOIN gpu_machines spot ON spot.machine_id = s.machine_id || '/spot'
)
SELECT what, n
FROM (SELECT count(*) AS offers,
             count(*) FILTER (WHERE fraction) AS fraction,
             count(*) FILTER (WHERE unpriced AND NOT fraction) AS unpriced,
             count(*) FILTER (WHERE stored) AS stored,
             sum(machines) AS machines,
             sum(machines) - sum(interruptible) AS list_price,
             sum(interruptible) AS interruptible,
             sum(without_memory) AS without_memory
      FROM fate) AS f
CROSS JOIN LATERAL (VALUES
    (1, 'offers read', offers),
    (2, 'left out: a fraction of a GPU', fraction),
    (3, 'left out: no price', unpriced),
    (4, 'offers that became machines', stored),
    (5, 'machines', machines),
    (6, '  at the list price', list_price),
    (7, '  interruptible, at the spot price', interruptible),
    (8, '  memory unknown: never recommended', without_memory)
) AS line (position, what, n)
ORDER BY position;

DROP TABLE staging;
