-- Every object of the extension says what it is, and how it may be called.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpu_advisor;
RESET client_min_messages;
\set SHOW_CONTEXT never
CREATE TEMP VIEW members AS
SELECT d.classid, d.objid, d.objsubid FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
 WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'gpu_advisor';

-- Objects without a comment: types of rows and arrays are the tables' own.
SELECT pg_describe_object(classid, objid, 0) AS without_comment
  FROM members AS m
 WHERE obj_description(objid, (SELECT relname FROM pg_class WHERE oid = classid)) IS NULL
   AND NOT (classid = 'pg_type'::regclass AND (SELECT typtype = 'c' OR typelem <> 0 FROM pg_type AS t WHERE t.oid = objid))
   AND NOT (classid = 'pg_class'::regclass AND (SELECT relkind IN ('i', 't') FROM pg_class AS c WHERE c.oid = objid))
 ORDER BY 1;
SELECT a.attrelid::regclass AS relation, a.attname AS column_without_comment
  FROM members AS m JOIN pg_class AS c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  JOIN pg_attribute AS a ON a.attrelid = c.oid
 WHERE c.relkind IN ('r', 'v') AND n.nspname <> 'gpu_advisor_internal' AND a.attnum > 0 AND NOT a.attisdropped
   AND col_description(c.oid, a.attnum) IS NULL
 ORDER BY 1, 2;

-- The public functions: one of each name, arguments and results of base types.
SELECT p.oid::regprocedure AS function, p.provolatile AS volatile, p.proparallel AS parallel, p.proisstrict AS strict,
       pg_get_function_result(p.oid) AS result
  FROM members AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid JOIN pg_namespace AS n ON n.oid = p.pronamespace
 WHERE n.nspname <> 'gpu_advisor_internal' ORDER BY p.proname;
SELECT count(*) AS overloaded FROM (SELECT p.proname FROM members AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
    GROUP BY p.pronamespace, p.proname HAVING count(*) > 1) AS t;
-- Nothing runs as its owner.
SELECT count(*) AS definers FROM members AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid WHERE p.prosecdef;
-- PL/pgSQL binds names when it runs: such functions keep to pg_catalog, whatever the caller's search_path. launch_by_workload
-- alone does not, since a fleet's own functions may count on it: each name in it is qualified.
SELECT p.oid::regproc AS not_bound
  FROM members AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid JOIN pg_language AS l ON l.oid = p.prolang
 WHERE l.lanname = 'plpgsql' AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false)
 ORDER BY 1;
