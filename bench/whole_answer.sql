-- The whole answer of launch_by_workload for 20 machines, against the queries that somebody would
-- write for the same content, each run once. By hand there are no sentences.

-- [ours]
SELECT launch_by_workload('meta-llama/Llama-3.1-8B', max_price => 2, tier => 'secure', countries => '{EU}',
                          max_machines => 20);

-- [recommended by hand]
SELECT machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour, interruptible,
       max_booking_hours, :gpus_used AS gpus_used
  FROM gpu_machines
 WHERE available AND :holds
   AND price_per_hour >= 0 AND price_per_hour <= 2
   AND tier = 'secure'
   AND country IN (:eu)
 ORDER BY price_per_hour, machine_id
 LIMIT 20;

-- [alternatives by hand]
WITH counted AS MATERIALIZED (
    SELECT count(*) FILTER (WHERE :holds AND price_per_hour <= 2 AND tier = 'secure') AS asked,
           min(price_per_hour) FILTER (WHERE :holds AND price_per_hour <= 2 AND tier = 'secure') AS asked_cheapest,
           count(*) FILTER (WHERE :holds_8 AND price_per_hour <= 2 AND tier = 'secure') AS at_8,
           min(price_per_hour) FILTER (WHERE :holds_8 AND price_per_hour <= 2 AND tier = 'secure') AS at_8_cheapest,
           count(*) FILTER (WHERE :holds_4 AND price_per_hour <= 2 AND tier = 'secure') AS at_4,
           min(price_per_hour) FILTER (WHERE :holds_4 AND price_per_hour <= 2 AND tier = 'secure') AS at_4_cheapest,
           count(*) FILTER (WHERE :holds AND price_per_hour > 2 AND tier = 'secure') AS over_price,
           count(*) FILTER (WHERE :holds AND price_per_hour <= 2 AND tier <> 'secure') AS other_tier,
           count(*) FILTER (WHERE :holds AND price_per_hour > 2 AND tier <> 'secure') AS both_broken
      FROM gpu_machines
     WHERE available AND price_per_hour >= 0 AND country IN (:eu)
)
SELECT a.*
  FROM ((SELECT CASE WHEN price_per_hour > 2 THEN 'over_price_and_other_tier' ELSE 'other_tier' END AS alternative,
                16 AS bits,
                CASE WHEN price_per_hour > 2 THEN (SELECT both_broken FROM counted)
                     ELSE (SELECT other_tier FROM counted) END AS machines,
                machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour,
                interruptible, max_booking_hours, :gpus_used AS gpus_used
           FROM gpu_machines
          WHERE available AND :holds AND price_per_hour >= 0 AND tier = 'community' AND country IN (:eu)
          ORDER BY price_per_hour, machine_id
          LIMIT 20)
        UNION ALL
        (SELECT 'over_price', 16, (SELECT over_price FROM counted),
                machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour,
                interruptible, max_booking_hours, :gpus_used
           FROM gpu_machines
          WHERE available AND :holds AND price_per_hour > 2 AND tier = 'secure' AND country IN (:eu)
          ORDER BY price_per_hour, machine_id
          LIMIT 20)
        UNION ALL
        (SELECT 'lower_precision', 8, (SELECT at_8 FROM counted),
                machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour,
                interruptible, max_booking_hours, :gpus_used_8
           FROM gpu_machines
          WHERE available AND :holds_8 AND price_per_hour >= 0 AND price_per_hour <= 2 AND tier = 'secure'
            AND country IN (:eu) AND (SELECT at_8 > asked OR at_8_cheapest < asked_cheapest FROM counted)
          ORDER BY price_per_hour, machine_id
          LIMIT 1)
        UNION ALL
        (SELECT 'lower_precision', 4, (SELECT at_4 FROM counted),
                machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour,
                interruptible, max_booking_hours, :gpus_used_4
           FROM gpu_machines
          WHERE available AND :holds_4 AND price_per_hour >= 0 AND price_per_hour <= 2 AND tier = 'secure'
            AND country IN (:eu) AND (SELECT at_4 > asked OR at_4_cheapest < asked_cheapest FROM counted)
          ORDER BY price_per_hour, machine_id
          LIMIT 1)) AS a
 ORDER BY a.price_per_hour, a.machine_id, a.bits DESC
 LIMIT 20;

-- [constraints by hand]
SELECT count(*) AS fleet,
       count(*) FILTER (WHERE available) AS available,
       count(*) FILTER (WHERE available AND known) AS known,
       count(*) FILTER (WHERE available AND known AND holds) AS workload,
       count(*) FILTER (WHERE available AND known AND holds AND in_eu) AS countries,
       count(*) FILTER (WHERE available AND known AND holds AND in_eu AND secure) AS tier,
       count(*) FILTER (WHERE available AND known AND holds AND in_eu AND secure AND in_price) AS max_price
  FROM (SELECT available, price_per_hour >= 0 AND gpu_memory_gib > 0 AND gpu_count > 0 AS known, :holds AS holds,
               country IN (:eu) AS in_eu, tier = 'secure' AS secure, price_per_hour <= 2 AS in_price
          FROM gpu_machines
        OFFSET 0) AS m;

-- [content of ours]
-- What must be the same on both sides: machines and alternatives in order, and the counts.
WITH answer AS MATERIALIZED (
    SELECT launch_by_workload('meta-llama/Llama-3.1-8B', max_price => 2, tier => 'secure', countries => '{EU}',
                              max_machines => 20) AS document
)
SELECT 'recommended', r ->> 'machine_id', r ->> 'gpus_used', NULL, NULL
  FROM answer, jsonb_array_elements(document -> 'recommended') AS r
UNION ALL
SELECT 'alternative', a ->> 'machine_id', a ->> 'gpus_used', a ->> 'alternative', a ->> 'machines'
  FROM answer, jsonb_array_elements(document -> 'alternatives') AS a
UNION ALL
SELECT 'constraint', NULL, NULL, c ->> 'constraint_name', c ->> 'machines_left'
  FROM answer, jsonb_array_elements(document -> 'constraints') AS c
 WHERE c ->> 'constraint_name' <> 'budget';

-- [content by hand]
SELECT 'recommended', machine_id, gpus_used::text, NULL, NULL FROM (:recommended) AS r
UNION ALL
SELECT 'alternative', machine_id, gpus_used::text, alternative, machines::text FROM (:alternatives) AS a
UNION ALL
SELECT 'constraint', NULL, NULL, v.name, v.machines::text
  FROM (:constraints) AS c
 CROSS JOIN LATERAL (VALUES ('fleet', c.fleet), ('available', c.available), ('known', c.known), ('workload', c.workload),
                            ('countries', c.countries), ('tier', c.tier), ('max_price', c.max_price)) AS v (name, machines);
