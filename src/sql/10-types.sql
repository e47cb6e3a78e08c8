-- The type gpu_need: what a workload needs, computed once and compared with any number of machines.

-- The script runs as a superuser, even where a role without rights creates the trusted extension in a
-- schema of its own, which would be searched: an operator or function there may match better than
-- PostgreSQL's, and would be called, or bound in a function or a constraint for good. So nothing is
-- searched but pg_catalog, and each name of the extension's own is written with its schema. Update
-- scripts begin with the same line. A call of a public function has all of its arguments, in their
-- types: then nobody can add a function to the extension's schema that matches better.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE SCHEMA gpu_advisor_internal;
COMMENT ON SCHEMA gpu_advisor_internal IS
    'Parts of gpu_advisor that its public functions are made of. Not for direct use: they may change with any version.';
GRANT USAGE ON SCHEMA gpu_advisor_internal TO PUBLIC;

-- Library and SQL come from one build. An older library lacks what this SQL needs; a newer one keeps
-- what it had.
CREATE FUNCTION gpu_advisor_internal.library_version() RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_library_version' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gpu_advisor_internal.library_version() IS 'The version of the library that is loaded, such as 0.1.0.';

CREATE FUNCTION gpu_advisor_internal.check_library(needed text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF string_to_array(gpu_advisor_internal.library_version(), '.')::integer[] < string_to_array(needed, '.')::integer[] THEN
        RAISE EXCEPTION 'the library of gpu_advisor is version %, and its SQL is version %', gpu_advisor_internal.library_version(), needed
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'Install both from one build, and connect anew: a session keeps the library that it loaded.';
    END IF;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.check_library(text) IS 'An error where the loaded library is older than a version. Every script of the extension begins with it.';
SELECT gpu_advisor_internal.check_library('@version@');

CREATE TYPE @extschema@.gpu_need;

CREATE FUNCTION gpu_advisor_internal.gpu_need_in(cstring) RETURNS @extschema@.gpu_need
    AS 'MODULE_PATHNAME', 'gpu_need_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gpu_advisor_internal.gpu_need_in(cstring) IS 'Input of gpu_need: one JSON object.';

CREATE FUNCTION gpu_advisor_internal.gpu_need_out(@extschema@.gpu_need) RETURNS cstring
    AS 'MODULE_PATHNAME', 'gpu_need_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gpu_advisor_internal.gpu_need_out(@extschema@.gpu_need) IS 'Output of gpu_need: one JSON object.';

CREATE FUNCTION gpu_advisor_internal.gpu_need_recv(internal) RETURNS @extschema@.gpu_need
    AS 'MODULE_PATHNAME', 'gpu_need_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gpu_advisor_internal.gpu_need_recv(internal) IS 'Binary input of gpu_need; trusts nothing it reads.';

CREATE FUNCTION gpu_advisor_internal.gpu_need_send(@extschema@.gpu_need) RETURNS bytea
    AS 'MODULE_PATHNAME', 'gpu_need_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gpu_advisor_internal.gpu_need_send(@extschema@.gpu_need) IS 'Binary output of gpu_need.';

-- Stored plain and aligned: the fit test reads it in place, millions of times a query.
CREATE TYPE @extschema@.gpu_need (
    INPUT = gpu_advisor_internal.gpu_need_in,
    OUTPUT = gpu_advisor_internal.gpu_need_out,
    RECEIVE = gpu_advisor_internal.gpu_need_recv,
    SEND = gpu_advisor_internal.gpu_need_send,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = double,
    STORAGE = plain
);
COMMENT ON TYPE @extschema@.gpu_need IS
    'What a workload needs of GPU memory, item by item in bytes, and over which numbers of GPUs it splits. Made by gpu_need() and gpu_model_need(), compared with machines by gpu_fits() and gpus_needed(). Its text form is one JSON object; total_bytes in it is the need on one GPU.';
