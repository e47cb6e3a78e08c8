-- Machines, and speeds measured on them.

CREATE TABLE @extschema@.gpu_machines (
    machine_id text PRIMARY KEY,
    tier text NOT NULL CONSTRAINT tier_is_secure_or_community CHECK (tier IN ('secure', 'community')),
    country text CONSTRAINT country_is_two_capital_letters CHECK (country ~ '^[A-Z]{2}$'),
    gpu_name text,
    gpu_count integer CONSTRAINT gpu_count_is_above_zero CHECK (gpu_count > 0),
    gpu_memory_gib double precision
        CONSTRAINT gpu_memory_gib_is_above_zero CHECK (gpu_memory_gib > 0)
        CONSTRAINT gpu_memory_gib_is_below_1e15 CHECK (gpu_memory_gib < 1e15),
    memory_source text
        CONSTRAINT memory_source_is_datacenter_datasheet_or_provider
        CHECK (memory_source IN ('datacenter', 'datasheet', 'provider')),
    price_per_hour numeric
        CONSTRAINT price_per_hour_is_zero_or_more CHECK (price_per_hour >= 0)
        CONSTRAINT price_per_hour_is_below_1e15 CHECK (price_per_hour < 1e15),
    available boolean NOT NULL DEFAULT true,
    interruptible boolean NOT NULL DEFAULT false,
    max_booking_hours double precision
        CONSTRAINT max_booking_hours_is_above_zero CHECK (max_booking_hours > 0 AND max_booking_hours < 'infinity')
);
COMMENT ON TABLE @extschema@.gpu_machines IS
    'The fleet: machines that can be rented. Fill it, or bind the recommender to a table or view of your own with the same columns.';
COMMENT ON COLUMN @extschema@.gpu_machines.machine_id IS 'Name of the machine or offer; decides between equal prices.';
COMMENT ON COLUMN @extschema@.gpu_machines.tier IS 'secure (a data centre''s) or community (a provider''s own hardware).';
COMMENT ON COLUMN @extschema@.gpu_machines.country IS 'ISO 3166-1 alpha-2 code; NULL where not known: never inside chosen countries.';
COMMENT ON COLUMN @extschema@.gpu_machines.gpu_name IS 'Name of the GPU, as the source writes it.';
COMMENT ON COLUMN @extschema@.gpu_machines.gpu_count IS 'GPUs of the machine.';
COMMENT ON COLUMN @extschema@.gpu_machines.gpu_memory_gib IS 'Memory of one GPU in GiB (2^30 bytes); NULL where not known: never offered.';
COMMENT ON COLUMN @extschema@.gpu_machines.memory_source IS 'Where gpu_memory_gib comes from: datacenter, datasheet or provider (as its machine reports it, unchecked).';
COMMENT ON COLUMN @extschema@.gpu_machines.price_per_hour IS 'Price an hour of the whole machine; NULL where not known: never offered.';
COMMENT ON COLUMN @extschema@.gpu_machines.available IS 'Whether it can be rented now (community: online, secure: in stock).';
COMMENT ON COLUMN @extschema@.gpu_machines.interruptible IS 'Whether it may be taken away while rented (a spot offer).';
COMMENT ON COLUMN @extschema@.gpu_machines.max_booking_hours IS 'Longest booking in hours; NULL: no limit.';

-- Cheapest first, ties by id: the order of every answer. The capacity and the tier are tested in the
-- index, so that a machine which is too small or of the other tier is not fetched.
CREATE INDEX gpu_machines_price ON @extschema@.gpu_machines (price_per_hour, machine_id, (gpu_count * gpu_memory_gib), tier)
    WHERE available AND gpu_memory_gib IS NOT NULL;
-- Few machines are large: these find the ones that may hold a large need, over many GPUs or on one.
-- Not partial, so that the planner takes the statistics of the product.
CREATE INDEX gpu_machines_capacity ON @extschema@.gpu_machines ((gpu_count * gpu_memory_gib));
CREATE INDEX gpu_machines_memory ON @extschema@.gpu_machines (gpu_memory_gib);

CREATE TABLE @extschema@.gpu_measurements (
    machine_id text NOT NULL,
    model text NOT NULL,
    bits integer NOT NULL CONSTRAINT bits_is_16_8_or_4 CHECK (bits IN (16, 8, 4)),
    value double precision NOT NULL CONSTRAINT value_is_above_zero CHECK (value > 0 AND value < 'infinity'),
    unit text NOT NULL CONSTRAINT unit_is_named CHECK (unit <> ''),
    measured_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (machine_id, model, bits, measured_at, unit)
);
COMMENT ON TABLE @extschema@.gpu_measurements IS
    'Measured speeds. The recommender shows the latest one of a machine, model and precision, and never estimates one.';
COMMENT ON COLUMN @extschema@.gpu_measurements.machine_id IS 'The machine that was measured.';
COMMENT ON COLUMN @extschema@.gpu_measurements.model IS 'The model, by its full name in gpu_models.';
COMMENT ON COLUMN @extschema@.gpu_measurements.bits IS 'Precision of the weights: 16, 8 or 4.';
COMMENT ON COLUMN @extschema@.gpu_measurements.value IS 'The speed, in the unit beside it.';
COMMENT ON COLUMN @extschema@.gpu_measurements.unit IS 'Unit of the speed, such as tokens/s or images/min.';
COMMENT ON COLUMN @extschema@.gpu_measurements.measured_at IS 'When it was measured.';

ALTER TABLE @extschema@.gpu_machines OWNER TO @extowner@;
ALTER TABLE @extschema@.gpu_measurements OWNER TO @extowner@;
GRANT SELECT ON @extschema@.gpu_machines, @extschema@.gpu_measurements TO PUBLIC;

SELECT pg_catalog.pg_extension_config_dump('@extschema@.gpu_machines', '');
SELECT pg_catalog.pg_extension_config_dump('@extschema@.gpu_measurements', '');
