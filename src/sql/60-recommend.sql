-- What the recommender is made of: the request checked, and the sentences of its answer.

CREATE FUNCTION @extschema@.gpu_countries(codes text[]) RETURNS text[]
    AS 'MODULE_PATHNAME', 'gpu_countries' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @extschema@.gpu_countries(text[]) IS
    'ISO 3166-1 alpha-2 country codes, checked, in upper case, each once and sorted; EU stands for the codes of its 27 member states (and for no territory with a code of its own: RE, GP, MQ, GF, YT, MF, AX). NULL for NULL: any country. Errors (22023): an unknown code, an empty list.';

CREATE FUNCTION gpu_advisor_internal.check_request(model text, bits bigint, ctx bigint, conc bigint,
        memory_gib double precision, budget double precision, max_price double precision, tier text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'gpu_check_request' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_advisor_internal.check_request(text, bigint, bigint, bigint, double precision, double precision, double precision, text) IS 'true, or an error that says which argument of a request is wrong.';

CREATE FUNCTION gpu_advisor_internal.request_need(model text, bits bigint, ctx bigint, conc bigint, task text,
        memory_gib double precision, budget double precision, max_price double precision, tier text, countries text[])
    RETURNS @extschema@.gpu_need
    LANGUAGE sql STABLE PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT CASE WHEN gpu_advisor_internal.check_request(request_need.model, bits, ctx, conc,
                                                        memory_gib, budget, max_price, tier)
                 AND (countries IS NULL OR cardinality(@extschema@.gpu_countries(countries)) > 0)
                THEN @extschema@.gpu_need(request_need.model, bits, ctx, conc, task, memory_gib)
           END;
END;
COMMENT ON FUNCTION gpu_advisor_internal.request_need(text, bigint, bigint, bigint, text, double precision, double precision, double precision, text, text[]) IS 'The need of a request whose every argument was checked.';

CREATE FUNCTION gpu_advisor_internal.need_model(need @extschema@.gpu_need) RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_need_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_advisor_internal.need_model(@extschema@.gpu_need) IS 'The model of a need that is run, by its full name; NULL for a notebook and a fine-tuning, whose speed is another.';

CREATE FUNCTION gpu_advisor_internal.workload_text(need @extschema@.gpu_need) RETURNS text
    AS 'MODULE_PATHNAME', 'gpu_workload_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION gpu_advisor_internal.workload_text(@extschema@.gpu_need) IS 'A workload and its need in words.';

CREATE FUNCTION gpu_advisor_internal.price_text(price numeric) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN price = round(price, 2) THEN round(price, 2) ELSE trim_scale(round(price, 9)) END::text;
END;
COMMENT ON FUNCTION gpu_advisor_internal.price_text(numeric) IS 'A price with two decimals, or more where it has more.';

CREATE FUNCTION gpu_advisor_internal.other_tier_text(tier text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE tier WHEN 'community' THEN 'A community machine instead of a secure one'
                     ELSE 'A secure machine instead of a community one' END;
END;
COMMENT ON FUNCTION gpu_advisor_internal.other_tier_text(text) IS 'What a machine of the other tier is, in words.';

CREATE FUNCTION gpu_advisor_internal.precision_gain(bits bigint, machines bigint, asked bigint, cheapest numeric,
        asked_cheapest numeric) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT format('%s-bit: %s machine%s instead of %s, from %s%s an hour.', bits, machines,
                  CASE machines WHEN 1 THEN '' ELSE 's' END, CASE asked WHEN 0 THEN 'none' ELSE asked::text END,
                  gpu_advisor_internal.price_text(cheapest),
                  CASE WHEN asked_cheapest > cheapest
                       THEN ' instead of ' || gpu_advisor_internal.price_text(asked_cheapest) ELSE '' END);
END;
COMMENT ON FUNCTION gpu_advisor_internal.precision_gain(bigint, bigint, bigint, numeric, numeric) IS 'What a lower precision gains, in words.';

CREATE FUNCTION gpu_advisor_internal.missing_advice(holding bigint, without_price bigint, without_tier bigint,
        without_countries bigint, at_8_bits bigint, at_4_bits bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce((SELECT format('Giving up %s brings %s machine%s.', p.preference, p.machines,
                                   CASE p.machines WHEN 1 THEN '' ELSE 's' END)
                       FROM (VALUES (1, 'max_price', without_price), (2, 'the tier', without_tier),
                                    (3, 'the countries', without_countries)) AS p (place, preference, machines)
                      WHERE p.machines > 0
                      ORDER BY p.machines DESC, p.place
                      LIMIT 1),
                    CASE holding WHEN 0 THEN 'No machine holds the workload: a shorter context, fewer requests or fewer bits need less.'
                                 ELSE 'Giving up no single preference brings a machine.' END)
        || coalesce((SELECT format(' %s bits bring %s.', p.bits, p.machines)
                       FROM (VALUES (8, at_8_bits), (4, at_4_bits)) AS p (bits, machines)
                      WHERE p.machines > 0
                      ORDER BY p.bits DESC
                      LIMIT 1), '');
END;
COMMENT ON FUNCTION gpu_advisor_internal.missing_advice(bigint, bigint, bigint, bigint, bigint, bigint) IS 'What would help most where no machine is left, in words.';
