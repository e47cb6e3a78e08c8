-- A fleet of :machines machines, resampled from the real one that examples/fleet/load.sql has just
-- loaded: a machine keeps the shape, place, tier and kind of the offer it is drawn from, its price is
-- that offer's within 20 %, and one in ten is not available. The same seed gives the same fleet.
CREATE TABLE bench_sample AS
SELECT row_number() OVER (ORDER BY machine_id) AS number, * FROM gpu_machines;
ALTER TABLE bench_sample ADD PRIMARY KEY (number);
ANALYZE bench_sample;
TRUNCATE gpu_machines;
SET max_parallel_workers_per_gather = 0;
SELECT setseed(0.5);

INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source,
                          price_per_hour, available, interruptible, max_booking_hours)
SELECT format('m-%s', lpad(d.i::text, 8, '0')), s.tier, s.country, s.gpu_name, s.gpu_count, s.gpu_memory_gib,
       s.memory_source, round(s.price_per_hour * d.factor, 4), d.available, s.interruptible, s.max_booking_hours
  FROM (SELECT i, 1 + floor(random() * (SELECT count(*) FROM bench_sample))::bigint AS number,
               (0.8 + 0.4 * random())::numeric AS factor, random() >= 0.1 AS available
          FROM generate_series(1, :machines) AS i
        OFFSET 0) AS d
  JOIN bench_sample AS s USING (number)
 ORDER BY d.i;

-- One machine in 100,000 (one at least) is larger than every other: 8 GPUs of 288 GiB.
UPDATE gpu_machines
   SET gpu_name = 'MI355X', gpu_count = 8, gpu_memory_gib = 288, memory_source = 'datacenter', tier = 'secure',
       country = 'SE', price_per_hour = 30 + right(machine_id, 8)::integer % 7, available = true
 WHERE right(machine_id, 8)::integer % least(:machines, 100000) = least(:machines, 100000) / 2;

DROP TABLE bench_sample;
VACUUM (FREEZE, ANALYZE) gpu_machines;
ANALYZE gpu_models;
