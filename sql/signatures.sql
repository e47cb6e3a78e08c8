-- What others build upon: every public function, type, table and view. A line that changes or goes here
-- breaks them; from the first release on it takes an upgrade script and a line in CHANGELOG.md.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\pset format unaligned
\pset tuples_only on
CREATE TEMP VIEW members AS
SELECT d.classid, d.objid FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
 WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'gpu_advisor';

\echo # functions
SELECT format('%s(%s) -> %s, %s', p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
              CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END)
  FROM members AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
 WHERE p.pronamespace <> 'gpu_advisor_internal'::regnamespace ORDER BY p.proname COLLATE "C";
\echo # types
SELECT t.typname FROM members AS m JOIN pg_type AS t ON m.classid = 'pg_type'::regclass AND t.oid = m.objid
 WHERE t.typnamespace <> 'gpu_advisor_internal'::regnamespace AND t.typtype = 'b' AND t.typelem = 0 ORDER BY t.typname COLLATE "C";
\echo # columns of tables and views
SELECT format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN ' not null' END,
              ' default ' || pg_get_expr(d.adbin, d.adrelid))
  FROM members AS m JOIN pg_class AS c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
  JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
 WHERE c.relnamespace <> 'gpu_advisor_internal'::regnamespace AND c.relkind IN ('r', 'v') ORDER BY c.relname COLLATE "C", a.attnum;
\echo # constraints
SELECT format('%s: %s %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
  FROM members AS m JOIN pg_constraint AS c ON m.classid = 'pg_class'::regclass AND c.conrelid = m.objid JOIN pg_class AS r ON r.oid = c.conrelid
 WHERE r.relnamespace <> 'gpu_advisor_internal'::regnamespace AND c.contype <> 'n' ORDER BY c.conrelid::regclass::text COLLATE "C", c.conname COLLATE "C";
\echo # entry points of the library: an older script may name any of them
SELECT DISTINCT p.prosrc COLLATE "C" FROM members AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
  JOIN pg_language AS l ON l.oid = p.prolang WHERE l.lanname = 'c' ORDER BY 1;
\echo # keys of launch_by_workload
BEGIN;
TRUNCATE gpu_machines, gpu_measurements;
INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour)
VALUES ('m1', 'secure', 'DE', 'L4', 1, 24, 'datasheet', 1), ('m2', 'community', 'DE', 'L4', 1, 24, 'provider', 0.5);
WITH RECURSIVE keys (path, value) AS (
    SELECT '', launch_by_workload('llama-3.1-8b', budget => 10, tier => 'secure')
    UNION ALL
    SELECT k.path || n.name, n.value
      FROM keys AS k
     CROSS JOIN LATERAL (SELECT '.' || o.key AS name, o.value FROM jsonb_each(CASE jsonb_typeof(k.value) WHEN 'object' THEN k.value END) AS o
                         UNION ALL
                         SELECT '[]', e.value FROM jsonb_array_elements(CASE jsonb_typeof(k.value) WHEN 'array' THEN k.value END) AS e (value)) AS n
)
SELECT DISTINCT path COLLATE "C" FROM keys WHERE path <> '' ORDER BY 1;
ROLLBACK;
