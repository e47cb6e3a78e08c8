// What the console asks the database, and what it says where the database refuses.
import pg from "pg";

const SECONDS = 1000;

// Reading is all that is ever done here, so writing is off, whatever the role may do.
const pool = new pg.Pool({
  max: 8,
  connectionTimeoutMillis: 5 * SECONDS,
  idleTimeoutMillis: 30 * SECONDS,
  statement_timeout: 10 * SECONDS,
  query_timeout: 12 * SECONDS, // where the server does not even say that it stopped
  application_name: "gpu_advisor console",
  options: `${process.env.PGOPTIONS ?? ""} -c default_transaction_read_only=on`,
});
// A connection that is lost while nobody uses it is replaced by the next query.
pool.on("error", () => {});

export const close = () => pool.end();

/** A request that is refused before it reaches the database. */
export class Refusal extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    Object.assign(this, { status, headers });
  }
}

/** The arguments of launch_by_workload: those of the form, under their names in SQL. */
const ARGUMENTS = ["model", "bits", "ctx", "conc", "task", "memory_gib", "budget", "max_price", "tier", "countries", "max_machines"];

const isText = (value) => typeof value === "string";
const isValue = (name, value) => name === "countries" ? Array.isArray(value) && value.every(isText) : isText(value);

/**
 * The answer to a workload, as the text of its jsonb: figures beyond 2^53 stay exact. Values are the texts
 * of the form, which the database reads. What is left out has the function's own default.
 */
export async function launch(workload) {
  if (workload === null || typeof workload !== "object" || Array.isArray(workload)) {
    throw new Refusal(400, "the body must be an object of arguments");
  }
  const names = Object.keys(workload);
  for (const name of names) {
    if (!ARGUMENTS.includes(name)) throw new Refusal(400, `unknown argument: ${JSON.stringify(name)}`);
    if (!isValue(name, workload[name])) throw new Refusal(400, `${name} must be ${name === "countries" ? "an array of texts" : "a text"}`);
  }
  const list = names.map((name, place) => `${name} => $${place + 1}`).join(", ");
  try {
    const { rows } = await pool.query(`SELECT launch_by_workload(${list})::text AS answer`, names.map((name) => workload[name]));
    return rows[0].answer;
  } catch (error) {
    error.arguments = namedArguments(error, names);
    throw error;
  }
}

/** Which arguments an error is about, the likeliest first: that of the parameter, else those that its message names. */
function namedArguments({ message = "", where = "" }, names) {
  const parameter = /parameter \$(\d+)/.exec(where);
  if (parameter) return [names[parameter[1] - 1]];
  const beforeValues = message.split('"', 1)[0];
  const words = beforeValues.match(/\w+/g) ?? [];
  return [...new Set(words.map((word) => word === "country" ? "countries" : word))].filter((word) => ARGUMENTS.includes(word));
}

/** What the form offers. Countries are those of the fleet of launch_by_workload, whose schema has its views too. */
export async function options() {
  const { rows } = await pool.query(`
    SELECT jsonb_build_object(
      'models', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                     'model', m.model, 'kind', m.kind, 'params', m.params, 'max_context', m.max_context,
                     'licence', m.licence, 'networks', n.networks) ORDER BY lower(m.model)), '[]')
                   FROM gpu_models AS m
                   LEFT JOIN (SELECT model, jsonb_agg(jsonb_build_object(
                                  'network', network, 'class_name', class_name, 'params', params,
                                  'native_resolution', native_resolution) ORDER BY position) AS networks
                                FROM gpu_model_networks GROUP BY model) AS n USING (model)),
      'countries', (SELECT coalesce(jsonb_agg(DISTINCT country ORDER BY country), '[]')
                      FROM gpu_fleet_summary WHERE machines_available > 0 AND country IS NOT NULL),
      'defaults', (SELECT jsonb_object_agg(name, value)
                     FROM pg_proc AS p,
                          unnest(p.proargnames, string_to_array(pg_get_expr(p.proargdefaults, 0), ', ')) AS a (name, value)
                    WHERE p.oid = 'launch_by_workload'::regproc AND value ~ '^[0-9]+$'))::text AS options`);
  return rows[0].options;
}

const UNREACHABLE = /^(08|28|3D|53|57P)/; // connection, authorisation, no such database, no resources, shutting down

/**
 * An error as the page shows it: a status of HTTP, a kind (refused, timeout, unreachable, database, request,
 * server), and what the database said. Where a connection was tried is nobody's business.
 */
export function explain(error) {
  if (error instanceof Refusal) return { status: error.status, kind: "request", message: error.message, headers: error.headers };
  if (error instanceof pg.DatabaseError) {
    const { code, message, detail, hint } = error;
    const said = { code, message, detail, hint, arguments: error.arguments ?? [] };
    if (code.startsWith("22")) return { status: 400, kind: "refused", ...said };
    if (code === "57014") return { status: 504, kind: "timeout", ...said };
    if (UNREACHABLE.test(code)) return { status: 503, kind: "unreachable", code };
    return { status: 500, kind: "database", ...said };
  }
  if (error?.message === "Query read timeout") return { status: 504, kind: "timeout" };
  if (error?.syscall || /connect|timeout|terminated|ended/i.test(error?.message ?? "")) return { status: 503, kind: "unreachable" };
  return { status: 500, kind: "server", message: "the server cannot answer this" };
}
