-- Rows of the user's own in the catalogue: they win over shipped ones, are dumped and restored, and
-- stay as they are when a later version ships others.

-- What the extension ships, kept apart from what users add: a user's row replaces the shipped one
-- of the same key, and the shipped one comes back when the user's is deleted.
CREATE TABLE gpu_advisor_internal.shipped_gpu_models AS TABLE @extschema@.gpu_models;
CREATE TABLE gpu_advisor_internal.shipped_gpu_model_networks AS TABLE @extschema@.gpu_model_networks;
CREATE TABLE gpu_advisor_internal.shipped_gpu_types AS TABLE @extschema@.gpu_types;
-- They have keys like the tables that they stand behind: without one a table in a publication FOR ALL
-- TABLES takes no change, and the next update of the extension would fail.
ALTER TABLE gpu_advisor_internal.shipped_gpu_models ADD PRIMARY KEY (model);
ALTER TABLE gpu_advisor_internal.shipped_gpu_model_networks ADD PRIMARY KEY (model, network);
ALTER TABLE gpu_advisor_internal.shipped_gpu_types ADD PRIMARY KEY (gpu_name);
COMMENT ON TABLE gpu_advisor_internal.shipped_gpu_models IS 'The rows of gpu_models that this version ships.';
COMMENT ON TABLE gpu_advisor_internal.shipped_gpu_model_networks IS 'The rows of gpu_model_networks that this version ships.';
COMMENT ON TABLE gpu_advisor_internal.shipped_gpu_types IS 'The rows of gpu_types that this version ships.';

-- A pipeline and its networks are the user's own together: as soon as one of them differs from what
-- is shipped, all count as own, are dumped, and stay as they are when a later version ships others.
-- pg_restore -j fills gpu_models and gpu_model_networks in any order, and both at once: the triggers
-- give the same result whichever comes first. A row of a dump says own = true; where a user adds one
-- the column is left out.

CREATE FUNCTION gpu_advisor_internal.one_writer() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- Before a statement: the triggers of a table change others, and two writers would deadlock; and an
-- update of the catalogue would not see the row that another transaction is about to make the user's own.
BEGIN
    PERFORM pg_advisory_xact_lock('@extschema@.gpu_models'::regclass::oid::bigint);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.one_writer() IS 'Trigger: one transaction at a time changes the catalogue.';

CREATE FUNCTION gpu_advisor_internal.keep_own_row() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- Before a row is stored: "own" says whether it differs from what is shipped, and a shipped row of
-- the same key makes way. TG_ARGV holds the columns of the key.
DECLARE
    same_key text := (SELECT string_agg(format('t.%1$I = $1.%1$I', k), ' AND ') FROM unnest(TG_ARGV) AS k);
    is_shipped boolean;
    in_the_way boolean;
BEGIN
    NEW.own := false;
    EXECUTE format('SELECT EXISTS (SELECT FROM gpu_advisor_internal.%I AS t WHERE %s AND to_jsonb(t) = to_jsonb($1))',
                   'shipped_' || TG_TABLE_NAME, same_key)
        INTO is_shipped USING NEW;
    NEW.own := NOT is_shipped;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I.%I AS t WHERE %s AND NOT t.own)',
                   TG_TABLE_SCHEMA, TG_TABLE_NAME, same_key)
        INTO in_the_way USING NEW;
    IF in_the_way AND (TG_OP = 'INSERT' OR to_jsonb(OLD) ->> TG_ARGV[0] IS DISTINCT FROM to_jsonb(NEW) ->> TG_ARGV[0]) THEN
        EXECUTE format('DELETE FROM %I.%I AS t WHERE %s AND NOT t.own', TG_TABLE_SCHEMA, TG_TABLE_NAME, same_key)
            USING NEW;
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.keep_own_row() IS 'Trigger: marks rows of the user''s own, and lets them replace shipped ones.';

CREATE FUNCTION gpu_advisor_internal.keep_own_pipeline() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- Before a model is stored, and before keep_own_row. A pipeline's figures are the sums of its
-- networks, whatever was set. A restored one whose networks came first takes the place of the row
-- that they left; one that replaces a shipped pipeline takes none of its networks over.
DECLARE
    columns text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.own AND NEW.kind = 'image'
            AND EXISTS (SELECT FROM @extschema@.gpu_models AS m
                         WHERE m.model = NEW.model AND m.kind = 'image' AND m.own)
            AND EXISTS (SELECT FROM @extschema@.gpu_model_networks AS n WHERE n.model = NEW.model) THEN
            SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) INTO columns
              FROM pg_catalog.pg_attribute AS a
             WHERE a.attrelid = TG_RELID AND a.attnum > 0 AND NOT a.attisdropped;
            EXECUTE format('UPDATE @extschema@.gpu_models SET (%s) = (SELECT ($1).*) WHERE model = ($1).model', columns)
                USING NEW;
            RETURN NULL;
        END IF;
        RETURN NEW;
    END IF;
    IF EXISTS (SELECT FROM @extschema@.gpu_model_networks AS n WHERE n.model = NEW.model) THEN
        IF NEW.kind <> 'image' THEN
            RAISE EXCEPTION '% has networks, and must stay an image pipeline', NEW.model
                USING ERRCODE = 'invalid_parameter_value', HINT = 'Delete its rows of gpu_model_networks first.';
        END IF;
        SELECT CASE WHEN count(*) = count(n.params) THEN sum(n.params) END,
               CASE WHEN bool_and(n.quantized OR n.params IS NOT NULL)
                    THEN coalesce(sum(n.params) FILTER (WHERE NOT n.quantized), 0) END
          INTO NEW.params, NEW.unquantized_params
          FROM @extschema@.gpu_model_networks AS n
         WHERE n.model = NEW.model;
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.keep_own_pipeline() IS 'Trigger: a pipeline''s figures are the sums of its networks, in whichever order they are restored.';

CREATE FUNCTION gpu_advisor_internal.own_with_networks() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- Before a model is stored, and after keep_own_row: an own network makes the pipeline own, and an own
-- pipeline that replaced a shipped one has none of its networks.
BEGIN
    IF TG_OP = 'INSERT' AND NEW.own THEN
        DELETE FROM @extschema@.gpu_model_networks AS n WHERE n.model = NEW.model AND NOT n.own;
    END IF;
    NEW.own := NEW.own OR EXISTS (SELECT FROM @extschema@.gpu_model_networks AS n WHERE n.model = NEW.model AND n.own);
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.own_with_networks() IS 'Trigger: a pipeline is the user''s own where one of its networks is.';

CREATE FUNCTION gpu_advisor_internal.own_networks() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- After a pipeline became the user's own: its networks do.
BEGIN
    UPDATE @extschema@.gpu_model_networks AS n SET own = true WHERE n.model = NEW.model AND NOT n.own;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.own_networks() IS 'Trigger: the networks of an own pipeline are the user''s own.';

CREATE FUNCTION gpu_advisor_internal.keep_own_network() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- Before a network is stored. A dump holds all networks of an own pipeline, as own: the shipped ones
-- make way together. A pipeline that is restored after its networks has a row until then.
DECLARE
    stated constant boolean := NEW.own;
BEGIN
    NEW.own := false;
    NEW.own := stated OR NOT EXISTS (SELECT FROM gpu_advisor_internal.shipped_gpu_model_networks AS s
                                      WHERE s.model = NEW.model AND s.network = NEW.network AND to_jsonb(s) = to_jsonb(NEW));
    IF TG_OP = 'INSERT' OR (OLD.model, OLD.network) IS DISTINCT FROM (NEW.model, NEW.network) THEN
        NEW.own := NEW.own OR EXISTS (SELECT FROM @extschema@.gpu_models AS m WHERE m.model = NEW.model AND m.own);
        IF NOT EXISTS (SELECT FROM @extschema@.gpu_models AS m WHERE m.model = NEW.model) THEN
            INSERT INTO @extschema@.gpu_models (model, kind) VALUES (NEW.model, 'image');
        END IF;
        DELETE FROM @extschema@.gpu_model_networks AS n
         WHERE n.model = NEW.model AND NOT n.own AND (n.network = NEW.network OR TG_OP = 'INSERT' AND stated);
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.keep_own_network() IS 'Trigger: marks networks of the user''s own, and lets them replace shipped ones.';

CREATE FUNCTION gpu_advisor_internal.restore_shipped_row() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- After a row of the user's own went away: the shipped one of the same key comes back. A pipeline
-- takes its networks along, and comes back with all that it is shipped with.
DECLARE
    of_key text := (SELECT string_agg(format('s.%1$I = $1.%1$I', k), ' AND ') FROM unnest(TG_ARGV) AS k);
    same_key text := (SELECT string_agg(format('t.%1$I = s.%1$I', k), ' AND ') FROM unnest(TG_ARGV) AS k);
    pipeline_is_gone boolean := false;
BEGIN
    IF TG_TABLE_NAME <> 'gpu_types' THEN
        pipeline_is_gone := NOT EXISTS (SELECT FROM @extschema@.gpu_models AS m WHERE m.model = OLD.model);
        IF pipeline_is_gone AND TG_TABLE_NAME = 'gpu_model_networks' THEN
            RETURN NULL;
        END IF;
    END IF;
    IF pipeline_is_gone THEN
        DELETE FROM @extschema@.gpu_model_networks AS n WHERE n.model = OLD.model;
    END IF;
    EXECUTE format('INSERT INTO %1$I.%2$I SELECT s.* FROM gpu_advisor_internal.%3$I AS s '
                   'WHERE %4$s AND NOT EXISTS (SELECT FROM %1$I.%2$I AS t WHERE %5$s)',
                   TG_TABLE_SCHEMA, TG_TABLE_NAME, 'shipped_' || TG_TABLE_NAME, of_key, same_key)
        USING OLD;
    IF pipeline_is_gone THEN
        INSERT INTO @extschema@.gpu_model_networks
        SELECT s.* FROM gpu_advisor_internal.shipped_gpu_model_networks AS s WHERE s.model = OLD.model;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.restore_shipped_row() IS 'Trigger: brings a shipped row back when the user''s own is deleted.';

-- Triggers run in the order of their names.
CREATE TRIGGER one_writer BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.gpu_models
    FOR EACH STATEMENT EXECUTE FUNCTION gpu_advisor_internal.one_writer();
CREATE TRIGGER one_writer BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.gpu_model_networks
    FOR EACH STATEMENT EXECUTE FUNCTION gpu_advisor_internal.one_writer();
CREATE TRIGGER one_writer BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.gpu_types
    FOR EACH STATEMENT EXECUTE FUNCTION gpu_advisor_internal.one_writer();
CREATE TRIGGER keep_own_pipeline BEFORE INSERT OR UPDATE ON @extschema@.gpu_models
    FOR EACH ROW EXECUTE FUNCTION gpu_advisor_internal.keep_own_pipeline();
CREATE TRIGGER keep_own_row BEFORE INSERT OR UPDATE ON @extschema@.gpu_models
    FOR EACH ROW EXECUTE FUNCTION gpu_advisor_internal.keep_own_row('model');
CREATE TRIGGER own_with_networks BEFORE INSERT OR UPDATE ON @extschema@.gpu_models
    FOR EACH ROW EXECUTE FUNCTION gpu_advisor_internal.own_with_networks();
CREATE TRIGGER own_networks AFTER UPDATE ON @extschema@.gpu_models
    FOR EACH ROW WHEN (NEW.own AND NOT OLD.own) EXECUTE FUNCTION gpu_advisor_internal.own_networks();
CREATE TRIGGER restore_shipped_row AFTER DELETE OR UPDATE ON @extschema@.gpu_models
    FOR EACH ROW WHEN (OLD.own) EXECUTE FUNCTION gpu_advisor_internal.restore_shipped_row('model');
CREATE TRIGGER keep_own_network BEFORE INSERT OR UPDATE ON @extschema@.gpu_model_networks
    FOR EACH ROW EXECUTE FUNCTION gpu_advisor_internal.keep_own_network();
CREATE TRIGGER restore_shipped_row AFTER DELETE OR UPDATE ON @extschema@.gpu_model_networks
    FOR EACH ROW WHEN (OLD.own) EXECUTE FUNCTION gpu_advisor_internal.restore_shipped_row('model', 'network');
CREATE TRIGGER keep_own_row BEFORE INSERT OR UPDATE ON @extschema@.gpu_types
    FOR EACH ROW EXECUTE FUNCTION gpu_advisor_internal.keep_own_row('gpu_name');
CREATE TRIGGER restore_shipped_row AFTER DELETE OR UPDATE ON @extschema@.gpu_types
    FOR EACH ROW WHEN (OLD.own) EXECUTE FUNCTION gpu_advisor_internal.restore_shipped_row('gpu_name');

-- Deferred: a shipped model may make way for a user's own, and come back, within a transaction.
ALTER TABLE @extschema@.gpu_model_networks ADD CONSTRAINT model_is_in_gpu_models
    FOREIGN KEY (model) REFERENCES @extschema@.gpu_models
    ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED;

CREATE FUNCTION gpu_advisor_internal.pipeline_is_shipped(pipeline text) RETURNS boolean
    LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT EXISTS (SELECT FROM @extschema@.gpu_models AS m
                     JOIN gpu_advisor_internal.shipped_gpu_models AS s ON s.model = m.model
                    WHERE m.model = pipeline AND to_jsonb(m) - 'own' = to_jsonb(s) - 'own')
       AND (SELECT jsonb_agg(to_jsonb(n) - 'own' ORDER BY n.network)
              FROM @extschema@.gpu_model_networks AS n WHERE n.model = pipeline)
         = (SELECT jsonb_agg(to_jsonb(s) - 'own' ORDER BY s.network)
              FROM gpu_advisor_internal.shipped_gpu_model_networks AS s WHERE s.model = pipeline);
END;
COMMENT ON FUNCTION gpu_advisor_internal.pipeline_is_shipped(text) IS 'Whether a pipeline and its networks are as they are shipped, own or not.';

CREATE FUNCTION gpu_advisor_internal.sum_networks() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- After a network changed: its pipeline's row holds the sums, so that a need takes that row alone. A
-- pipeline that is again as it is shipped is no longer the user's own; while one is inserted, network
-- by network, that says nothing.
DECLARE
    pipeline text;
BEGIN
    FOREACH pipeline IN ARRAY ARRAY[CASE WHEN TG_OP <> 'INSERT' THEN OLD.model END,
                                    CASE WHEN TG_OP <> 'DELETE' THEN NEW.model END] LOOP
        CONTINUE WHEN pipeline IS NULL;
        UPDATE @extschema@.gpu_models AS m
           SET (params, unquantized_params) = (
                SELECT CASE WHEN count(*) = count(n.params) THEN sum(n.params) END,
                       CASE WHEN bool_and(n.quantized OR n.params IS NOT NULL)
                            THEN coalesce(sum(n.params) FILTER (WHERE NOT n.quantized), 0) END
                  FROM @extschema@.gpu_model_networks AS n
                 WHERE n.model = pipeline)
         WHERE m.model = pipeline AND m.kind = 'image';
        IF NOT FOUND AND EXISTS (SELECT FROM @extschema@.gpu_models AS m WHERE m.model = pipeline) THEN
            RAISE EXCEPTION '% is no image pipeline, and takes no networks', pipeline
                USING ERRCODE = 'invalid_parameter_value', HINT = 'Set its kind to image in gpu_models.';
        END IF;
        IF TG_OP <> 'INSERT' AND gpu_advisor_internal.pipeline_is_shipped(pipeline) THEN
            UPDATE @extschema@.gpu_model_networks AS n SET own = false WHERE n.model = pipeline AND n.own;
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.sum_networks() IS 'Trigger: keeps the sums of a pipeline''s networks in gpu_models.';
CREATE TRIGGER sum_networks AFTER INSERT OR UPDATE OR DELETE ON @extschema@.gpu_model_networks
    FOR EACH ROW EXECUTE FUNCTION gpu_advisor_internal.sum_networks();

CREATE FUNCTION gpu_advisor_internal.update_shipped_rows(shipped text, key text, kept text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- One table of the catalogue made equal to its shipped rows, but for the keys in kept. Rows are
-- updated in place where their key stays: a foreign key of the user's may point at them.
DECLARE
    same_key text := format('t.%1$I = s.%1$I', key);
    columns text;
    main text;
BEGIN
    SELECT format('%I.%I', n.nspname, substring(shipped from '^shipped_(.*)')) INTO main
      FROM pg_catalog.pg_extension AS e
      JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace
     WHERE e.extname = 'gpu_advisor';
    SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) INTO columns
      FROM pg_catalog.pg_attribute AS a
     WHERE a.attrelid = format('gpu_advisor_internal.%I', shipped)::pg_catalog.regclass
       AND a.attnum > 0 AND NOT a.attisdropped;
    EXECUTE format('DELETE FROM %s AS t WHERE t.%I <> ALL ($1) '
                   'AND NOT EXISTS (SELECT FROM gpu_advisor_internal.%I AS s WHERE %s)',
                   main, key, shipped, same_key)
        USING kept;
    EXECUTE format('UPDATE %1$s AS t SET (%2$s) = (SELECT %2$s FROM gpu_advisor_internal.%3$I AS s WHERE %4$s) '
                   'WHERE t.%5$I <> ALL ($1) '
                   'AND to_jsonb(t) <> (SELECT to_jsonb(s) FROM gpu_advisor_internal.%3$I AS s WHERE %4$s)',
                   main, columns, shipped, same_key, key)
        USING kept;
    EXECUTE format('INSERT INTO %1$s (%2$s) SELECT %2$s FROM gpu_advisor_internal.%3$I AS s '
                   'WHERE s.%5$I <> ALL ($1) AND NOT EXISTS (SELECT FROM %1$s AS t WHERE %4$s)',
                   main, columns, shipped, same_key, key)
        USING kept;
    -- A kept row may have become equal to a shipped one, or stopped being so: the trigger looks.
    EXECUTE format('UPDATE %s AS t SET own = t.own WHERE t.%I = ANY ($1)', main, key) USING kept;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.update_shipped_rows(text, text, text[]) IS 'Makes one table of the catalogue equal to its shipped rows, but for the keys that are kept.';

CREATE FUNCTION gpu_advisor_internal.update_rows() RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- The catalogue brought up to date without touching rows of the user's own. A pipeline counts whole,
-- with its networks.
DECLARE
    own_models text[];
    own_types text[];
    deferred text[] := '{}';
    later text;
    c record;
BEGIN
    -- Who adds rows at the same moment is waited for; then each statement sees them.
    PERFORM pg_advisory_xact_lock('@extschema@.gpu_models'::regclass::oid::bigint);
    -- With the rights of another no trigger may be left for the end of the transaction.
    FOR c IN SELECT format('%I.%I', n.nspname, o.conname) AS name, o.condeferred
               FROM pg_constraint AS o JOIN pg_namespace AS n ON n.oid = o.connamespace
              WHERE o.condeferrable AND ARRAY[o.conrelid, o.confrelid]
                 && ARRAY['@extschema@.gpu_models', '@extschema@.gpu_model_networks', '@extschema@.gpu_types']::regclass[]::oid[] LOOP
        EXECUTE format('SET CONSTRAINTS %s IMMEDIATE', c.name);
        deferred := deferred || CASE WHEN c.condeferred THEN ARRAY[c.name] END;
    END LOOP;
    -- Found out first: on the way a pipeline differs from the shipped one for a moment.
    own_models := ARRAY(SELECT m.model FROM @extschema@.gpu_models AS m WHERE m.own);
    own_types := ARRAY(SELECT t.gpu_name FROM @extschema@.gpu_types AS t WHERE t.own);
    -- Models are stored while they have no networks, or would be held against the sums of the old.
    DELETE FROM @extschema@.gpu_model_networks AS n WHERE n.model <> ALL (own_models);
    PERFORM gpu_advisor_internal.update_shipped_rows('shipped_gpu_models', 'model', own_models);
    INSERT INTO @extschema@.gpu_model_networks
    SELECT s.* FROM gpu_advisor_internal.shipped_gpu_model_networks AS s WHERE s.model <> ALL (own_models);
    PERFORM gpu_advisor_internal.update_shipped_rows('shipped_gpu_types', 'gpu_name', own_types);
    FOREACH later IN ARRAY deferred LOOP
        EXECUTE format('SET CONSTRAINTS %s DEFERRED', later);
    END LOOP;
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.update_rows() IS 'Brings the catalogue up to date with the shipped rows.';

-- An update script runs as a superuser. Whoever created the extension owns the catalogue, and may have
-- put a trigger or a constraint there that calls code of their own.
CREATE FUNCTION gpu_advisor_internal.run_as_owner(owned regclass, statement text) RETURNS void
    AS 'MODULE_PATHNAME', 'gpu_run_as_owner' LANGUAGE C STRICT;
COMMENT ON FUNCTION gpu_advisor_internal.run_as_owner(regclass, text) IS 'For superusers: runs a statement with the rights of a table''s owner, and leaves nothing of it for later.';
REVOKE EXECUTE ON FUNCTION gpu_advisor_internal.run_as_owner(regclass, text) FROM PUBLIC;

CREATE FUNCTION gpu_advisor_internal.update_catalogue() RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
-- For the update script of a version, after it replaced the rows of shipped_*.
BEGIN
    PERFORM gpu_advisor_internal.run_as_owner('@extschema@.gpu_models', 'SELECT gpu_advisor_internal.update_rows()');
END
$$;
COMMENT ON FUNCTION gpu_advisor_internal.update_catalogue() IS 'For update scripts: brings the catalogue up to date with the shipped rows; the user''s own stay.';

-- Whoever creates the extension owns the tables and may fill them; everybody may read them.
ALTER TABLE @extschema@.gpu_models OWNER TO @extowner@;
ALTER TABLE @extschema@.gpu_model_networks OWNER TO @extowner@;
ALTER TABLE @extschema@.gpu_types OWNER TO @extowner@;
GRANT SELECT ON @extschema@.gpu_models, @extschema@.gpu_model_networks, @extschema@.gpu_types,
    gpu_advisor_internal.shipped_gpu_models, gpu_advisor_internal.shipped_gpu_model_networks,
    gpu_advisor_internal.shipped_gpu_types TO PUBLIC;

SELECT pg_catalog.pg_extension_config_dump('@extschema@.gpu_models', 'WHERE own');
SELECT pg_catalog.pg_extension_config_dump('@extschema@.gpu_model_networks', 'WHERE own');
SELECT pg_catalog.pg_extension_config_dump('@extschema@.gpu_types', 'WHERE own');
