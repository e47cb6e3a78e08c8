-- GPU types by their names.

CREATE FUNCTION gpu_advisor_internal.gpu_name_key(name text) RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_name_key' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_advisor_internal.gpu_name_key(text) IS
    'The normal form of a GPU''s name: name, MiB of the size in it, maker, with / between. NVIDIA A100-SXM4-80GB is a100sxm4/81920/nvidia, and A100 is a100//.';

CREATE FUNCTION gpu_advisor_internal.gpu_search_keys(names text[]) RETURNS text[]
    AS 'MODULE_PATHNAME', 'gpu_search_keys' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION gpu_advisor_internal.gpu_search_keys(text[]) IS
    'What the names of a GPU type are found by: each in its normal form without size and maker, and those with a size once more with its MiB.';

-- A version that changes the normal form must reindex this.
CREATE INDEX gpu_types_names ON @extschema@.gpu_types
    USING gin (gpu_advisor_internal.gpu_search_keys(array_append(aliases, gpu_name)));

CREATE FUNCTION @extschema@.gpu_datasheet_memory(gpu_name text) RETURNS double precision
    LANGUAGE sql STABLE STRICT PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT CASE WHEN count(t.memory_gib) = count(*) THEN min(t.memory_gib) END
      FROM (SELECT split_part(k.key, '/', 1) AS name, split_part(k.key, '/', 2) AS mib, split_part(k.key, '/', 3) AS maker
              FROM gpu_advisor_internal.gpu_name_key(gpu_datasheet_memory.gpu_name) AS k (key)) AS n,
           @extschema@.gpu_types AS t
     WHERE gpu_advisor_internal.gpu_search_keys(array_append(t.aliases, t.gpu_name)) @> ARRAY[n.name]
       AND (n.maker = '' OR strpos(lower(t.vendor), n.maker) > 0)
       -- GH200 480GB is a name, in which the size is another memory's.
       AND (n.mib = ''
            OR CAST(nullif(n.mib, '') AS double precision) IN (1024 * t.memory_gib, 1024 * t.memory_gb)
            OR gpu_advisor_internal.gpu_search_keys(array_append(t.aliases, t.gpu_name)) @> ARRAY[n.name || '/' || n.mib]);
END;
COMMENT ON FUNCTION @extschema@.gpu_datasheet_memory(text) IS
    'Datasheet memory in GiB of a GPU by its name: gpu_types.memory_gib of the types that have the name among theirs, whole, in any spelling of case, spaces, dashes and underscores, with or without the maker (NVIDIA, AMD, Intel, GeForce, Tesla, Quadro, Radeon, Instinct). A size in the name (80GB, 80G, 81920MiB) chooses among them; without one, a type counts for its names with a size, too. Where cards of several sizes remain, the smallest, which every one of them has: A100 is 40. NULL where no type has the name and the size, or the memory of one that has is not known. The driver may report less than the datasheet: see reported_mib.';
