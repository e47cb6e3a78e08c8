// All figures of the page, read while it is built. One transaction: they are of one moment.
// Counts are cast to integer and prices to float8, which arrive as numbers; bigint and numeric would be text.
import postgres from "postgres";

const about = (sql) => sql`
  SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS as_of,
         (SELECT count(*)::integer FROM gpu_models) AS models,
         coalesce(sum(machines), 0)::integer AS machines, coalesce(sum(machines_available), 0)::integer AS available,
         coalesce(sum(gpus_available), 0)::integer AS gpus, count(DISTINCT country)::integer AS countries,
         coalesce(sum(machines) FILTER (WHERE country IS NULL), 0)::integer AS without_country
    FROM gpu_fleet_summary`;

// The hardest to place come first.
const fit = (sql) => sql`
  SELECT fit_id, model, kind, bits, context_tokens AS context, needed_gib AS gib, machines_that_fit AS machines,
         cheapest_price_per_hour AS price, cheapest_machine_id AS machine, cheapest_country AS country,
         cheapest_gpu_name AS gpu, cheapest_gpus_used AS gpus, longest_context_tokens AS longest_context, most_requests
    FROM gpu_model_fit
   ORDER BY machines_that_fit, needed_gib DESC, model, bits DESC`;

const precisions = (sql) => sql`
  SELECT bits, count(*)::integer AS models, count(*) FILTER (WHERE machines_that_fit > 0)::integer AS held,
         count(*) FILTER (WHERE machines_that_fit = 0)::integer AS without_machine,
         count(*) FILTER (WHERE needed_gib IS NULL)::integer AS not_known,
         percentile_cont(0.25) WITHIN GROUP (ORDER BY cheapest_price_per_hour) AS lower_quartile,
         percentile_cont(0.5) WITHIN GROUP (ORDER BY cheapest_price_per_hour) AS median,
         percentile_cont(0.75) WITHIN GROUP (ORDER BY cheapest_price_per_hour) AS upper_quartile,
         max(cheapest_price_per_hour) AS highest
    FROM gpu_model_fit
   GROUP BY bits
   ORDER BY bits DESC`;

// One row for each model. The need of a model is known at every precision or at none.
const prices = (sql) => sql`
  SELECT model, kind, bool_and(needed_gib IS NOT NULL) AS known,
         max(cheapest_price_per_hour) FILTER (WHERE bits = 16) AS at_16,
         max(cheapest_price_per_hour) FILTER (WHERE bits = 8) AS at_8,
         max(cheapest_price_per_hour) FILTER (WHERE bits = 4) AS at_4
    FROM gpu_model_fit
   GROUP BY model, kind
   ORDER BY known DESC, at_16 DESC NULLS FIRST, at_8 DESC NULLS FIRST, at_4 DESC NULLS FIRST, model`;

// Counts and lowest prices of the view's rows add up to those of a country; its quartiles would not.
const countries = (sql) => sql`
  SELECT country, tier, machines, available, gpus, lowest_price, sum(available) OVER (PARTITION BY country)::integer AS in_country
    FROM (SELECT country, tier, sum(machines)::integer AS machines, sum(machines_available)::integer AS available,
                 sum(gpus_available)::integer AS gpus, min(lowest_price_per_hour) AS lowest_price
            FROM gpu_fleet_summary
           GROUP BY country, tier) AS s
   ORDER BY in_country DESC, country, tier DESC`;

const tiers = (sql) => sql`
  SELECT tier, sum(machines)::integer AS machines, sum(machines_available)::integer AS available,
         sum(gpus_available)::integer AS gpus, min(lowest_price_per_hour) AS lowest_price
    FROM gpu_fleet_summary
   GROUP BY tier
   ORDER BY tier DESC`;

// The same workload as the view's, so that the items add up to its needed_gib.
const items = (sql) => sql`
  SELECT f.fit_id, i.item, i.formula, i.bytes::float8 AS bytes, i.gib
    FROM gpu_model_fit AS f
   CROSS JOIN LATERAL gpu_memory_items(f.model, f.bits, ctx => coalesce(f.context_tokens, 1), conc => 1) AS i
   ORDER BY f.model, f.bits DESC, i.position`;

const gaps = (sql) => sql`
  SELECT fit_id, model, bits, short_gib, nearest_machine_id AS machine, nearest_gpu_name AS gpu, nearest_gpu_count AS gpus,
         nearest_gpu_memory_gib AS gpu_gib, nearest_price_per_hour AS price, verdict
    FROM gpu_fleet_gaps
   ORDER BY short_gib, fit_id`;

// The margin is left out: it is only unknown because another item is.
const unknown = (sql) => sql`
  SELECT f.model, f.kind, string_agg(i.item || ': ' || i.formula, '; ' ORDER BY i.position) AS missing
    FROM gpu_model_fit AS f
   CROSS JOIN LATERAL gpu_memory_items(f.model, f.bits, ctx => coalesce(f.context_tokens, 1), conc => 1) AS i
   WHERE f.bits = 16 AND f.needed_gib IS NULL AND i.bytes IS NULL AND i.item <> 'margin'
   GROUP BY f.model, f.kind
   ORDER BY f.kind, f.model`;

const sql = postgres({ max: 1 });
const data = await sql.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY", async (sql) => {
  const read = { about, fit, precisions, prices, countries, tiers, items, gaps, unknown };
  for (const name in read) read[name] = await read[name](sql);
  return { ...read, about: read.about[0] };
});
await sql.end();
process.stdout.write(JSON.stringify(data));
