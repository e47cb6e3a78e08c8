-- Plants in the schema public functions and operators that match better than those which the
-- extension uses, types and relations of the same names, and the same in pg_temp. Whatever is called
-- raises an error that says by whom. Needs a table planter.names of the names in the install script,
-- and planter.functions (name, argument_types, defaults) of the extension's own public functions.
SET search_path = pg_catalog;
SET client_min_messages = warning;

-- To have an error in any query that reads a planted relation, or in any value of a planted type.
CREATE FUNCTION planter.caught(what text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'planted % was called as %', what, current_user;
END
$$;
CREATE PROCEDURE planter.plant_function(name text, argument_types text[], result text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', name, array_to_string(argument_types, ', '), result,
                   format('BEGIN RAISE EXCEPTION %L, current_user; END', 'planted function ' || replace(name, '%', '%%') || ' was called as %'));
EXCEPTION
    WHEN OTHERS THEN NULL; -- there is one already, or it cannot be: anyarray without an array
END
$$;
-- Every list of so many types.
CREATE FUNCTION planter.lists(types text[], length integer) RETURNS SETOF text[] LANGUAGE sql AS $$
    WITH RECURSIVE l AS (
        SELECT '{}'::text[] AS list
        UNION ALL
        SELECT l.list || t FROM l, unnest(types) AS t WHERE cardinality(l.list) < length
    ) SELECT list FROM l WHERE cardinality(list) = length
$$;

DO $$
DECLARE
    f record;
    list text[];
    many constant text[] := '{text,integer,bigint,smallint,double precision,real,numeric,boolean,name,oid,regclass,regtype,regproc,regnamespace,jsonb,text[],bigint[],integer[],oid[],name[],anyelement,anyarray,cstring,record}';
    several constant text[] := '{text,integer,bigint,double precision,numeric,boolean,jsonb,text[],name,anyelement}';
    few constant text[] := '{text,integer,bigint,boolean,text[],anyelement}';
BEGIN
    FOR f IN SELECT p.proname::text AS name, min(p.prorettype::regtype::text) AS result, max(p.pronargs) AS arguments, bool_or(p.provariadic <> 0) AS variadic
               FROM pg_proc AS p JOIN pg_type AS t ON t.oid = p.prorettype
              WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname IN (SELECT n.name FROM planter.names AS n)
                AND t.typtype <> 'p'
              GROUP BY p.proname LOOP
        IF f.arguments >= 1 OR f.variadic THEN
            FOR list IN SELECT planter.lists(many, 1) LOOP CALL planter.plant_function(f.name, list, f.result); END LOOP;
        END IF;
        IF f.arguments >= 2 OR f.variadic THEN
            FOR list IN SELECT planter.lists(several, 2) LOOP CALL planter.plant_function(f.name, list, f.result); END LOOP;
        END IF;
        IF f.arguments = 3 OR f.variadic THEN
            FOR list IN SELECT planter.lists(few, 3) LOOP CALL planter.plant_function(f.name, list, f.result); END LOOP;
        END IF;
        IF f.variadic THEN
            FOR list IN SELECT l FROM generate_series(4, 7) AS n, planter.lists('{text,bigint}', n) AS l LOOP
                CALL planter.plant_function(f.name, list, f.result);
            END LOOP;
        END IF;
        CALL planter.plant_function(f.name, '{}', f.result);
    END LOOP;
END
$$;

-- Operators, for every two types.
DO $$
DECLARE
    o record;
    l text;
    r text;
    result text;
    types constant text[] := '{text,integer,bigint,double precision,numeric,boolean,jsonb,text[],name,oid,regclass,regproc,regnamespace,anyelement}';
BEGIN
    FOREACH l IN ARRAY types LOOP
        FOREACH r IN ARRAY types LOOP
            CALL planter.plant_function('planted operator', ARRAY[l, r], 'boolean');
            CALL planter.plant_function('planted operator of text', ARRAY[l, r], 'text');
        END LOOP;
    END LOOP;
    FOR o IN SELECT DISTINCT p.oprname AS name, min(p.oprresult::regtype::text) = 'boolean' AS tells
               FROM pg_operator AS p WHERE p.oprname IN (SELECT n.name FROM planter.names AS n) AND p.oprkind = 'b' GROUP BY p.oprname LOOP
        FOREACH l IN ARRAY types LOOP
            FOREACH r IN ARRAY types LOOP
                CONTINUE WHEN l = 'anyelement' AND r = 'anyelement' AND o.name = '=>';
                EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.%I)', o.name, l, r,
                               CASE WHEN o.tells THEN 'planted operator' ELSE 'planted operator of text' END);
            END LOOP;
        END LOOP;
    END LOOP;
END
$$;

-- The extension's own functions: with fewer arguments than have no default, and with types that a
-- call is nearer to.
DO $$
DECLARE
    f record;
    given integer;
    n integer;
    other text;
    list text[];
BEGIN
    FOR f IN SELECT * FROM planter.functions LOOP
        FOR given IN cardinality(f.argument_types) - f.defaults .. cardinality(f.argument_types) LOOP
            list := f.argument_types[1:given];
            FOREACH other IN ARRAY '{integer,numeric,anyelement}'::text[] LOOP
                FOR n IN 1 .. given LOOP
                    CALL planter.plant_function(f.name, list[:n - 1] || other || list[n + 1:], 'text');
                END LOOP;
                IF 'bigint' = ANY (list) THEN
                    CALL planter.plant_function(f.name, array_replace(list, 'bigint', other), 'text');
                END IF;
            END LOOP;
            -- With all of them it is the extension's own function, which cannot be there twice.
            IF given < cardinality(f.argument_types) THEN
                CALL planter.plant_function(f.name, list, 'text');
            END IF;
        END LOOP;
    END LOOP;
END
$$;

-- Relations named like PostgreSQL's own, and types.
DO $$
DECLARE
    n text;
BEGIN
    FOR n IN SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind IN ('r', 'v')
                AND c.relname IN (SELECT names.name FROM planter.names) LOOP
        EXECUTE format('CREATE VIEW public.%I AS SELECT planter.caught(%L) AS oid', n, 'relation ' || n);
    END LOOP;
    FOREACH n IN ARRAY '{text,int2,int4,int8,float8,numeric,bool,jsonb,name,oid,regclass,regtype,regproc,regnamespace,regprocedure,timestamptz,record}'::text[] LOOP
        EXECUTE format('CREATE DOMAIN public.%I AS pg_catalog.text CHECK (planter.caught(%L))', n, 'type ' || n);
    END LOOP;
END
$$;
