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
            -- An ordered index scan tests the tier in the index from version 17 on, in its filter before: there it is left out.
            line := regexp_replace(line, '(Index Cond: .*) AND \((m\.)?tier = ANY \([^)]*\)\)', '\1');
            line := regexp_replace(line, 'Filter: \((\((m\.)?tier = ANY \([^)]*\)\) AND )?(.*)\)$', 'Filter: \3');
        END IF;
        RETURN NEXT regexp_replace(line, '(actual rows=\d+)\.00 ', '\1 ');
    END LOOP;
END
$$;
\set ECHO all
