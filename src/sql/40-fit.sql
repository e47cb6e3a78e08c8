-- Whether a machine holds a need.

CREATE FUNCTION @extschema@.gpus_needed(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision)
    RETURNS bigint
    AS 'MODULE_PATHNAME', 'gpus_needed' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION @extschema@.gpus_needed(@extschema@.gpu_need, bigint, double precision) IS
    'The smallest number of a machine''s gpu_count GPUs, of gpu_memory_gib GiB each, on which a need fits; NULL where there is none, where a value is missing, and for a memory or count that is no measure (NaN, infinite, zero or less).';

CREATE FUNCTION @extschema@.gpu_fits(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'gpu_fits' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION @extschema@.gpu_fits(@extschema@.gpu_need, bigint, double precision) IS
    'Whether a need fits on some of a machine''s gpu_count GPUs of gpu_memory_gib GiB each; NULL where a value is missing.';

CREATE FUNCTION @extschema@.gpu_fit_verdict(need @extschema@.gpu_need, gpu_count bigint, gpu_memory_gib double precision)
    RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_fit_verdict' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.gpu_fit_verdict(@extschema@.gpu_need, bigint, double precision) IS
    'One sentence for any machine: what fits and how, or by how many GiB it is short on the best allowed number of GPUs and what rules the other numbers out. NULL where a value is missing.';

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
