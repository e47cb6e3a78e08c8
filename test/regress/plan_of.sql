\set ECHO none
-- plan_of(query, options of EXPLAIN, lines to show): a plan as PostgreSQL 14 to 18 all print it. How a
-- parameter is named, and which figures beside the plan are shown, differs between them.
CREATE FUNCTION pg_temp.plan_of(query text, options text DEFAULT '', lines text DEFAULT '') RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF%s) %s', ', ' || nullif(options, ''), query) LOOP
        CONTINUE WHEN line !~ lines OR line ~ '^ *(Params Evaluated|Index Searches|Storage|Window|Disabled): ';
        line := regexp_replace(line, '^( *)InitPlan \d+( \(returns .*\))?$', '\1InitPlan');
        IF line !~ '^ *Remote SQL: ' THEN
            line := regexp_replace(line, '\$\d+|\(InitPlan \d+\)\.col1', '$n', 'g');
        END IF;
        RETURN NEXT regexp_replace(line, '(actual rows=\d+)\.00 ', '\1 ');
    END LOOP;
END
$$;
\set ECHO all
