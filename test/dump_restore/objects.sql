-- Every object of the extension with all that makes it: definition, owner, privileges, comment. What an
-- update leaves must be what a fresh installation makes.
CREATE TEMP VIEW members AS
SELECT d.classid, d.objid FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
 WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'gpu_advisor';

SELECT pg_describe_object(classid, objid, 0), obj_description(objid, (SELECT relname FROM pg_class WHERE oid = classid))
  FROM members ORDER BY 1;
SELECT pg_get_functiondef(p.oid), p.proowner::regrole, p.proacl, p.prosupport
  FROM members AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid ORDER BY p.oid::regprocedure::text;
SELECT t.oid::regtype, t.typtype, t.typlen, t.typalign, t.typstorage, t.typinput, t.typoutput, t.typreceive, t.typsend, t.typowner::regrole, t.typacl
  FROM members AS m JOIN pg_type AS t ON m.classid = 'pg_type'::regclass AND t.oid = m.objid ORDER BY t.oid::regtype::text;
SELECT n.nspname, n.nspowner::regrole, n.nspacl
  FROM members AS m JOIN pg_namespace AS n ON m.classid = 'pg_namespace'::regclass AND n.oid = m.objid ORDER BY 1;
SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext
  FROM members AS m JOIN pg_cast AS c ON m.classid = 'pg_cast'::regclass AND c.oid = m.objid ORDER BY 1, 2;
SELECT oprname, oprleft::regtype, oprright::regtype, oprcode
  FROM members AS m JOIN pg_operator AS o ON m.classid = 'pg_operator'::regclass AND o.oid = m.objid ORDER BY 1, 2, 3;

CREATE TEMP VIEW relations AS
SELECT c.* FROM members AS m JOIN pg_class AS c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid;
SELECT r.oid::regclass, r.relkind, r.relowner::regrole, r.relacl, r.reloptions, r.relrowsecurity, r.relreplident,
       CASE WHEN r.relkind = 'v' THEN pg_get_viewdef(r.oid) END
  FROM relations AS r ORDER BY r.oid::regclass::text;
SELECT a.attrelid::regclass, row_number() OVER (PARTITION BY a.attrelid ORDER BY a.attnum), a.attname, format_type(a.atttypid, a.atttypmod),
       a.attnotnull, a.attcollation::regcollation, a.attacl, pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum)
  FROM relations AS r JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
 ORDER BY a.attrelid::regclass::text, a.attnum;
SELECT c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid), obj_description(c.oid, 'pg_constraint')
  FROM relations AS r JOIN pg_constraint AS c ON c.conrelid = r.oid ORDER BY c.conrelid::regclass::text, c.conname;
SELECT pg_get_indexdef(i.indexrelid), obj_description(i.indexrelid, 'pg_class')
  FROM relations AS r JOIN pg_index AS i ON i.indrelid = r.oid ORDER BY 1;
SELECT t.tgrelid::regclass, t.tgname, pg_get_triggerdef(t.oid), t.tgenabled, obj_description(t.oid, 'pg_trigger')
  FROM relations AS r JOIN pg_trigger AS t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal ORDER BY t.tgrelid::regclass::text, t.tgname;
SELECT p.polrelid::regclass, p.polname, p.polcmd FROM relations AS r JOIN pg_policy AS p ON p.polrelid = r.oid ORDER BY 1, 2;
SELECT e.extversion, c.* FROM pg_extension AS e, unnest(e.extconfig::regclass[]::text[], e.extcondition) AS c WHERE e.extname = 'gpu_advisor' ORDER BY 2;
