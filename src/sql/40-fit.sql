-- Whether a machine holds a need, and what the planner makes of the question.

CREATE FUNCTION @extschema@.gpus_needed(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision)
    RETURNS bigint
    AS 'MODULE_PATHNAME', 'gpus_needed' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION @extschema@.gpus_needed(@extschema@.gpu_need, bigint, double precision) IS
    'The smallest number of a machine''s gpu_count GPUs, of gpu_memory_gib GiB each, on which a need fits; NULL where there is none, where a value is missing, and for a memory or count that is no measure (NaN, zero or less, 1e15 or more).';

CREATE FUNCTION gpu_advisor_internal.gpu_fits_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'gpu_fits_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gpu_advisor_internal.gpu_fits_support(internal) IS 'Tells the planner how many machines a need fits, by the statistics of gpu_count and gpu_memory_gib, and offers the test to an index on gpu_memory_gib.';

CREATE FUNCTION @extschema@.gpu_fits(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'gpu_fits' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2
    SUPPORT gpu_advisor_internal.gpu_fits_support;
COMMENT ON FUNCTION @extschema@.gpu_fits(@extschema@.gpu_need, bigint, double precision) IS
    'Whether a need fits on some of a machine''s gpu_count GPUs of gpu_memory_gib GiB each; NULL where a value is missing.';

CREATE FUNCTION gpu_advisor_internal.least_memory(need @extschema@.gpu_need) RETURNS double precision
    AS 'MODULE_PATHNAME', 'gpu_least_memory' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION gpu_advisor_internal.least_memory(@extschema@.gpu_need) IS 'The least GiB of one GPU on which a need fits, over as many GPUs as help.';

-- A machine's capacity, gpu_count * gpu_memory_gib, rules out most machines for a large need, and an
-- index on it finds the others. Beside gpu_fits() the condition takes no machine away.
CREATE FUNCTION gpu_advisor_internal.least_capacity(need @extschema@.gpu_need) RETURNS double precision
    AS 'MODULE_PATHNAME', 'gpu_least_capacity' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION gpu_advisor_internal.least_capacity(@extschema@.gpu_need) IS 'The least GiB over all GPUs of a machine that may hold a need.';

CREATE FUNCTION gpu_advisor_internal.estimated_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'gpu_estimated_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gpu_advisor_internal.estimated_support(internal) IS 'Makes the planner estimate with the second argument of estimated().';

CREATE FUNCTION gpu_advisor_internal.estimated(value double precision, estimate double precision) RETURNS double precision
    AS 'MODULE_PATHNAME', 'gpu_estimated' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT gpu_advisor_internal.estimated_support;
COMMENT ON FUNCTION gpu_advisor_internal.estimated(double precision, double precision) IS 'The value; the planner, which does not know it yet, estimates with the estimate.';

CREATE FUNCTION gpu_advisor_internal.capacity_holds_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'gpu_capacity_holds_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gpu_advisor_internal.capacity_holds_support(internal) IS 'Offers capacity_holds() to an index on the capacity.';

CREATE FUNCTION gpu_advisor_internal.capacity_holds(capacity double precision, least_capacity double precision) RETURNS boolean
    AS 'MODULE_PATHNAME', 'gpu_capacity_holds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3
    SUPPORT gpu_advisor_internal.capacity_holds_support;
COMMENT ON FUNCTION gpu_advisor_internal.capacity_holds(double precision, double precision) IS 'Whether a machine''s capacity is at least what a need takes: true wherever gpu_fits() is.';

CREATE FUNCTION @extschema@.gpu_fit_verdict(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision)
    RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_fit_verdict' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.gpu_fit_verdict(@extschema@.gpu_need, bigint, double precision) IS
    'One sentence for any machine: what fits and how, or by how many GiB it is short on the best allowed number of GPUs and what rules the other numbers out. NULL where a value is missing.';

CREATE FUNCTION gpu_advisor_internal.short_gib(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision)
    RETURNS double precision
    AS 'MODULE_PATHNAME', 'gpu_short_gib' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION gpu_advisor_internal.short_gib(@extschema@.gpu_need, bigint, double precision) IS 'By how many GiB a machine is short of a need, over as many of its GPUs as the need may be split over; NULL where the need fits.';

CREATE FUNCTION gpu_advisor_internal.why(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision)
    RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_why' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION gpu_advisor_internal.why(@extschema@.gpu_need, bigint, double precision) IS 'Why a need fits a machine, in a sentence.';

CREATE FUNCTION gpu_advisor_internal.confidence(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision,
        memory_source text) RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_confidence' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 50;
COMMENT ON FUNCTION gpu_advisor_internal.confidence(@extschema@.gpu_need, bigint, double precision, text) IS 'How sure a fit is: high, medium or low.';

CREATE FUNCTION gpu_advisor_internal.limits(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision,
        memory_source text, tier text, interruptible boolean, max_booking_hours double precision) RETURNS text[]
    AS 'MODULE_PATHNAME', 'gpu_limits' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 50;
COMMENT ON FUNCTION gpu_advisor_internal.limits(@extschema@.gpu_need, bigint, double precision, text, text, boolean, double precision) IS 'What to know before renting a machine, a sentence each.';
