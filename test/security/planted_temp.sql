-- In the session's own schema, which PostgreSQL searches first for relations and types.
DO $$
DECLARE
    n pg_catalog.text;
BEGIN
    FOR n IN SELECT c.relname FROM pg_catalog.pg_class AS c
              WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,v}'::pg_catalog."char"[]) AND c.relnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace::pg_catalog.oid
                AND c.relname::pg_catalog.text OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT names.name FROM planter.names))
             UNION ALL SELECT t FROM pg_catalog.unnest('{gpu_models,gpu_model_networks,gpu_types,gpu_machines,gpu_measurements,gpu_model_fit,gpu_fleet_summary,gpu_fleet_gaps,workload,counted,shapes}'::pg_catalog.text[]) AS t LOOP
        EXECUTE pg_catalog.format('CREATE TEMP VIEW %I AS SELECT planter.caught(%L::pg_catalog.text) AS oid', VARIADIC ARRAY[n, n]);
    END LOOP;
    FOREACH n IN ARRAY '{text,int4,int8,float8,numeric,bool,jsonb,name,oid,regclass,regtype,regproc,regnamespace,gpu_need,record}'::pg_catalog.text[] LOOP
        EXECUTE pg_catalog.format('CREATE DOMAIN pg_temp.%I AS pg_catalog.text CHECK (planter.caught(%L::pg_catalog.text))', VARIADIC ARRAY[n, n]);
    END LOOP;
END
$$;
