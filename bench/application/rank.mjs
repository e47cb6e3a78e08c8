// The recommendation in application code, measured beside recommend_machines(): called by bench/run
// as `node rank.mjs '{"rounds": 7}'`, with PGHOST and the like set. Prints one JSON object.
import pg from 'pg';

const GIB = 2 ** 30;
const MARGIN = 5; // one fifth on top
const request = { model: 'meta-llama/Llama-3.1-8B', bits: 16, ctx: 4096, conc: 1, maxPrice: 2, tier: 'secure', limit: 20 };
// The 27 member states: what '{EU}' stands for.
const countries = new Set(
  ('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK').split(' '));

/**
 * The numbers of GPUs that a plain transformer may be split over, fewest first, and the GiB that it
 * needs on each: weights and KV cache, 20 %, and 1 GiB for the runtime. Exact below 2^53 bytes.
 */
function ladder(model, { bits, ctx, conc }) {
  const weights = Math.ceil(model.params * bits / 8);
  const cachePerHead = 2 * model.layers * model.head_dim * 2 * ctx * conc;
  const rungs = [];
  for (let gpus = 1; gpus <= model.attention_heads; gpus++) {
    if (model.attention_heads % gpus !== 0) continue;
    const items = Math.ceil(weights / gpus) + Math.ceil(model.kv_heads / gpus) * cachePerHead;
    rungs.push({ gpus, gib: (items + Math.ceil(items / MARGIN) + GIB) / GIB });
  }
  return rungs;
}

function holds(rungs, gpuCount, gpuMemory) {
  for (const rung of rungs) {
    if (rung.gpus > gpuCount) return false;
    if (rung.gib <= gpuMemory) return true;
  }
  return false;
}

/** Cheapest first, ties by id. */
function before(a, b) {
  return a.price < b.price || (a.price === b.price && a.id < b.id);
}

/** The best `limit` machines, in order: a short sorted list instead of a sort of all. */
function rank(rows, rungs, { maxPrice, tier, limit }) {
  const best = [];
  for (const [id, itsTier, country, gpuCount, gpuMemory, priceText] of rows) {
    if (itsTier !== tier || gpuMemory === null || priceText === null || !countries.has(country)) continue;
    const machine = { id, price: Number(priceText) }; // numeric comes as text
    if (!(machine.price >= 0 && machine.price <= maxPrice) || !holds(rungs, gpuCount, gpuMemory)) continue;
    let place = best.length;
    while (place > 0 && before(machine, best[place - 1])) place--;
    if (place < limit) {
      best.splice(place, 0, machine);
      if (best.length > limit) best.pop();
    }
  }
  return best.map((machine) => machine.id);
}

/** Fetches the available machines, with no more than the columns that the rule asks for. */
async function application(client, model) {
  const { rows } = await client.query({
    text: `SELECT machine_id, tier, country, gpu_count, gpu_memory_gib, price_per_hour
             FROM gpu_machines
            WHERE available`,
    rowMode: 'array',
  });
  return rank(rows, ladder(model, request), request);
}

async function ours(client) {
  const { rows } = await client.query(
    'SELECT * FROM recommend_machines($1, bits => $2, ctx => $3, conc => $4, max_price => $5, tier => $6, countries => $7) LIMIT $8',
    [request.model, request.bits, request.ctx, request.conc, request.maxPrice, request.tier, ['EU'], request.limit]);
  return rows.map((row) => row.machine_id);
}

async function timed(work) {
  const start = performance.now();
  const ids = await work();
  return { ms: performance.now() - start, ids };
}

const { rounds } = JSON.parse(process.argv[2]);
const client = new pg.Client();
await client.connect();
try {
  // The model's figures are there before the clock starts, as an application would hold them.
  const { rows: [row] } = await client.query(
    'SELECT params, layers, attention_heads, kv_heads, head_dim FROM gpu_models WHERE model = $1', [request.model]);
  const model = Object.fromEntries(Object.entries(row).map(([name, figure]) => [name, Number(figure)]));
  const result = { ours: [], application: [], ids: null, same: true };
  for (let round = 0; round <= rounds; round++) { // the first warms up
    const one = await timed(() => ours(client));
    const other = await timed(() => application(client, model));
    result.ids = one.ids;
    result.same &&= one.ids.length === other.ids.length && one.ids.every((id, i) => id === other.ids[i]);
    if (round > 0) {
      result.ours.push(one.ms);
      result.application.push(other.ms);
    }
  }
  console.log(JSON.stringify(result));
} finally {
  await client.end();
}
