// examples/dashboard: what is on the page is what this test reads from the database itself, once with
// the sample fleet and once with a fleet that has no machine.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { check, same, screenshot, withBrowser } from "./browser.mjs";

/** The rows of a query through psql, as objects. */
function rows(query, database = process.env.PGDATABASE) {
  const json = execFileSync("psql", ["-XAt", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", `SELECT coalesce(json_agg(q), '[]') FROM (${query}) AS q`],
    { encoding: "utf8", maxBuffer: 1 << 26 });
  return JSON.parse(json);
}
const command = (database, ...statements) =>
  execFileSync("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-d", database, ...statements.flatMap((s) => ["-c", s])], { encoding: "utf8" });

// How the page writes figures.
const digits = (value, n) => value.toLocaleString("en-US", { minimumFractionDigits: n, maximumFractionDigits: n });
const count = (value, missing = "–") => (value === null ? missing : digits(value, 0));
const gib = (value, missing = "not known") => (value === null ? missing : digits(value, 2));
const price = (value, missing = "–") => (value === null ? missing : `$${digits(value, 4)}`);
const machines = (n) => (n === 1 ? "1 machine" : `${count(n)} machines`);
const text = (value) => value ?? "–";

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Runs ./serve over a database while the tests look at its page, and ends it with a signal. */
async function served(database, signal, tests) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const child = spawn("./serve", { cwd: process.env.EXAMPLE, env: { ...process.env, PGDATABASE: database, PORT: port }, stdio: ["ignore", "pipe", "pipe"] });
  const exit = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => { output += data; });
  const deadline = Date.now() + 120_000;
  try {
    while (!output.includes(url) && child.exitCode === null && Date.now() < deadline) await new Promise((done) => setTimeout(done, 100));
    check(output.includes(url), `./serve builds the page over ${database} and prints its address`, output);
    while (Date.now() < deadline && !(await fetch(url).then((r) => r.ok, () => false))) await new Promise((done) => setTimeout(done, 100));
    await tests(url);
  } finally {
    child.kill(signal);
    const ended = await Promise.race([exit, new Promise((done) => setTimeout(done, 10_000, null))]);
    check(ended !== null && !(await fetch(url).then(() => true, () => false)), `./serve ends on ${signal}`, { ended });
    if (ended === null) child.kill("SIGKILL");
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }
}

/** Opens the page; what it complains of and whom it asks is kept in page.faults and page.hosts. */
async function open(browser, url, { width = 1280, scheme = "light" } = {}) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  page.faults = [];
  page.hosts = new Set();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("requestfailed", (request) => page.faults.push(`${request.url()} ${request.failure().errorText}`));
  page.on("request", (request) => page.hosts.add(new URL(request.url()).host));
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForSelector("#t-unknown tbody tr");
  await settled(page);
  return page;
}

/** Until the page has not changed for a while. */
async function settled(page) {
  let before;
  for (let i = 0; i < 40; i += 1) {
    const now = await page.evaluate(() => document.querySelector("main").innerHTML.length + document.querySelector("main").textContent);
    if (now === before) return;
    before = now;
    await page.waitForTimeout(250);
  }
}

const cells = (page, id) => page.$$eval(`#${id} tbody tr`, (lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));
const marks = (page, selector) => page.$$eval(selector, (shapes) => shapes.map((shape) => {
  const { left, right } = shape.getBoundingClientRect();
  return { title: shape.querySelector("title")?.textContent ?? "", middle: (left + right) / 2, length: right - left };
}));
const missing = (page, section) => page.$$eval(`#${section} p.missing`, (told) => told.length);
const bars = (page, section) => marks(page, `#${section} svg g[aria-label="bar"] rect`);

/** One table has a line for each row, and nothing else. */
async function sameTable(page, id, expected, line, what) {
  const found = await cells(page, id);
  const lines = expected.length > 0 ? expected.map(line) : [["No row."]];
  const i = lines.findIndex((cell, at) => JSON.stringify(cell) !== JSON.stringify(found[at]));
  check(found.length === lines.length && i === -1, `${what}: ${lines.length} rows`,
    { rows: found.length, expected: lines.length }, i === -1 ? "" : { line: i, found: found[i], expected: lines[i] });
}

/** One bar for each value, with its title, and as long as the value says. */
function sameBars(found, expected, what) {
  same(found.map((bar) => bar.title), expected.map(([title]) => title), `${what}: ${expected.length} bars with their titles`);
  const most = Math.max(...expected.map(([, value]) => value));
  const scale = Math.max(...found.map((bar) => bar.length)) / most;
  const wrong = found.filter((bar, i) => !(Math.abs(bar.length - expected[i]?.[1] * scale) <= 0.6));
  check(found.length > 0 && scale > 0 && wrong.length === 0, `${what}: bars as long as their figures`, wrong);
}

/** The same for stacked bars, which are drawn colour by colour: in the order of their titles. */
function sameStacks(found, expected, what) {
  const by = (title) => (a, b) => (title(a) < title(b) ? -1 : 1);
  sameBars([...found].sort(by((bar) => bar.title)), [...expected].sort(by(([title]) => title)), what);
}

const longest = 20; // rows of a chart

const fitQuery = ({ bits = 16, kind = "%", name = "" }) => `
  SELECT model, kind, needed_gib, machines_that_fit, cheapest_price_per_hour, cheapest_machine_id, cheapest_gpu_name,
         cheapest_gpus_used, longest_context_tokens, most_requests
    FROM gpu_model_fit WHERE bits = ${bits} AND kind LIKE '${kind}' AND strpos(lower(model), lower('${name}')) > 0
   ORDER BY machines_that_fit NULLS LAST, needed_gib DESC, model`;
const fitLine = (d) => [d.model, d.kind, gib(d.needed_gib), count(d.machines_that_fit, "not known"), price(d.cheapest_price_per_hour),
  text(d.cheapest_machine_id), text(d.cheapest_gpu_name), count(d.cheapest_gpus_used), count(d.longest_context_tokens), count(d.most_requests)];

const priceQuery = ({ kind = "%", name = "" }) => `
  SELECT m.model, a.needed_gib IS NOT NULL AS known, a.cheapest_price_per_hour AS at_16, b.cheapest_price_per_hour AS at_8, c.cheapest_price_per_hour AS at_4
    FROM gpu_models AS m JOIN gpu_model_fit AS a USING (model) JOIN gpu_model_fit AS b USING (model) JOIN gpu_model_fit AS c USING (model)
   WHERE a.bits = 16 AND b.bits = 8 AND c.bits = 4 AND m.kind LIKE '${kind}' AND strpos(lower(model), lower('${name}')) > 0
   ORDER BY known DESC, at_16 DESC NULLS FIRST, at_8 DESC NULLS FIRST, at_4 DESC NULLS FIRST, m.model`;

/** The tables and charts of models, for what is chosen above them. */
async function checkModels(page, chosen, database) {
  const said = `models (${Object.entries(chosen).map((pair) => pair.join(" ")).join(", ") || "as opened"})`;
  const { bits = 16 } = chosen;
  const fit = rows(fitQuery(chosen), database);
  await sameTable(page, "t-fit", fit, fitLine, `${said}, table of machines`);
  const drawn = fit.filter((d) => d.machines_that_fit !== null).slice(0, longest);
  sameBars(await bars(page, "fit"), drawn.map((d) => [
    `${d.model}: ${machines(d.machines_that_fit)}, from ${price(d.cheapest_price_per_hour, "no machine")} an hour`, d.machines_that_fit,
  ]), `${said}, machines`);
  same(await page.textContent("#fit h3"), `Machines that hold each model at ${bits} bits`, `${said}: the title says the precision`);
  const said20 = await page.textContent("#fit h3 + p");
  check(said20.includes(`The chart has ${drawn.length} of the ${fit.length} chosen models`), `${said}: the page says how many are drawn`, said20);

  const prices = rows(priceQuery(chosen), database);
  const cell = (d, field) => price(d[field], d.known ? "no machine" : "not known");
  await sameTable(page, "t-prices", prices, (d) => [d.model, cell(d, "at_16"), cell(d, "at_8"), cell(d, "at_4")], `${said}, table of prices`);
  const shown = prices.filter((d) => d.known).slice(0, longest);
  const dots = [16, 8, 4].flatMap((b) => shown.filter((d) => d[`at_${b}`] !== null)
    .map((d) => [`${d.model} at ${b} bits: ${price(d[`at_${b}`])} an hour`, Math.log(d[`at_${b}`])]));
  const found = await marks(page, '#prices svg g[aria-label="dot"] circle');
  same(found.map((dot) => dot.title), dots.map(([title]) => title), `${said}, prices: ${dots.length} dots with their titles`);
  const low = dots.reduce((least, [, value], i) => (value < dots[least][1] ? i : least), 0);
  const high = dots.reduce((most, [, value], i) => (value > dots[most][1] ? i : most), 0);
  const scale = (found[high]?.middle - found[low]?.middle) / (dots[high][1] - dots[low][1]);
  const wrong = found.filter((dot, i) => !(Math.abs(dot.middle - found[low].middle - (dots[i]?.[1] - dots[low][1]) * scale) <= 0.6));
  check(scale > 0 && wrong.length === 0, `${said}: the dots lie at their prices`, wrong);
}

/** The items of one model. */
async function checkItems(page, model, database) {
  await page.selectOption("#items select", model);
  await settled(page);
  const items = rows(`SELECT b.bits, i.item, i.gib, i.bytes, i.formula
    FROM gpu_models AS m, (VALUES (16), (8), (4)) AS b (bits),
         gpu_memory_items(m.model, b.bits, CASE m.kind WHEN 'language' THEN least(4096, m.max_context) ELSE 1 END) AS i
   WHERE m.model = '${model}' ORDER BY b.bits DESC, i.position`, database);
  await sameTable(page, "t-items", items, (d) => [`${d.bits} bits`, d.item, gib(d.gib), count(d.bytes, "not known"), d.formula], `items of ${model}`);
  check((await page.textContent("#items h3")).includes(model), `items of ${model}: the title names it`);
  const known = items.every((d) => d.bytes !== null);
  same(await missing(page, "items"), known ? 0 : 1, `items of ${model}: ${known ? "nothing is" : "it is said that something is"} missing`);
  const found = await bars(page, "items");
  if (!known) {
    same(found.length, 0, `items of ${model}: no bar where an item is not known`);
    return;
  }
  sameStacks(found, items.map((d) => [`${d.item} at ${d.bits} bits: ${gib(d.gib)} GiB`, d.gib]), `items of ${model}`);
  const totals = rows(`SELECT gpu_memory_needed('${model}', b.bits, least(4096, m.max_context)) AS gib
    FROM gpu_models AS m, (VALUES (16), (8), (4)) AS b (bits) WHERE m.model = '${model}' AND m.kind = 'language' ORDER BY b.bits DESC`, database);
  if (totals.length > 0) {
    same(await page.$$eval('#items svg g[aria-label="text"] text', (texts) => texts.map((t) => t.textContent)), totals.map((d) => `${gib(d.gib)} GiB`),
      `items of ${model}: they add up to the need`);
  }
}

const countryQuery = `
  SELECT country, tier, count(*) AS machines, count(*) FILTER (WHERE available) AS available, sum(gpu_count) FILTER (WHERE available) AS gpus,
         min(price_per_hour) FILTER (WHERE available) AS lowest, sum(count(*) FILTER (WHERE available)) OVER (PARTITION BY country) AS in_country
    FROM gpu_machines GROUP BY country, tier ORDER BY in_country DESC, country, tier DESC`;
const tierQuery = `
  SELECT tier, count(*) AS machines, count(*) FILTER (WHERE available) AS available, sum(gpu_count) FILTER (WHERE available) AS gpus,
         min(price_per_hour) FILTER (WHERE available) AS lowest
    FROM gpu_machines GROUP BY tier ORDER BY tier DESC`;
const tierLine = (d) => [d.tier, count(d.machines), count(d.available), count(d.gpus), price(d.lowest, "not known")];

async function checkFleet(page, database) {
  // Countries are named as the browser names them: Node.js may know other names. Their codes are in the table too.
  const codes = rows("SELECT DISTINCT country FROM gpu_machines WHERE country IS NOT NULL", database).map((d) => d.country);
  const names = new Map(await page.evaluate((all) => all.map((code) => [code, new Intl.DisplayNames("en", { type: "region" }).of(code)]), codes));
  const country = (code) => (code === null ? "not known" : names.get(code));
  const [whole] = rows(`SELECT count(*) AS machines, count(*) FILTER (WHERE available) AS available, coalesce(sum(gpu_count) FILTER (WHERE available), 0) AS gpus,
    count(DISTINCT country) AS countries, (SELECT count(*) FROM gpu_models) AS models FROM gpu_machines`, database);
  same(await page.$$eval("#figures b", (figures) => figures.map((b) => b.textContent)), Object.values(whole).map((n) => count(n)), "the fleet and the catalogue in five figures");

  const countries = rows(countryQuery, database);
  await sameTable(page, "t-countries", countries, (d) => [country(d.country), text(d.country), ...tierLine(d)], "table of countries");
  await sameTable(page, "t-tiers", rows(tierQuery, database), tierLine, "table of tiers");
  const places = [...new Set(countries.map((d) => d.country))];
  const shown = countries.filter((d) => places.slice(0, longest).includes(d.country));
  const found = await bars(page, "countries");
  if (countries.length > 0) {
    sameStacks(found, shown.map((d) => [`${country(d.country)}, ${d.tier}: ${machines(d.available)}`, d.available]), "countries");
    const totals = places.slice(0, longest).map((code) => count(countries.find((d) => d.country === code).in_country));
    same(await page.$$eval('#countries svg g[aria-label="text"] text', (texts) => texts.map((t) => t.textContent)), totals, "countries: each bar with its sum");
  } else {
    same([found.length, await missing(page, "countries")], [0, 1], "no country: there is no bar, and the page says so");
  }
}

async function checkPrecisions(page, database) {
  const precisions = rows(`SELECT bits, count(*) AS models, count(*) FILTER (WHERE machines_that_fit > 0) AS held,
      count(*) FILTER (WHERE needed_gib > 0 AND machines_that_fit = 0) AS none, count(*) - count(needed_gib) AS unknown,
      percentile_cont('{0.25,0.5,0.75,1}'::float8[]) WITHIN GROUP (ORDER BY cheapest_price_per_hour) AS prices
    FROM gpu_model_fit GROUP BY bits ORDER BY bits DESC`, database);
  await sameTable(page, "t-precisions", precisions, (d) => [`${d.bits} bits`, count(d.models), count(d.held), count(d.none), count(d.unknown),
    ...(d.prices ?? [null, null, null, null]).map((p) => price(p))], "table of precisions");
}

async function checkGaps(page, database) {
  const gaps = rows(`SELECT * FROM gpu_model_fit AS f LEFT JOIN (SELECT fit_id, short_gib, nearest_machine_id, nearest_gpu_name, nearest_gpu_count,
      nearest_gpu_memory_gib, nearest_price_per_hour, verdict FROM gpu_fleet_gaps) AS g USING (fit_id)
    WHERE f.machines_that_fit = 0 ORDER BY g.short_gib NULLS LAST, fit_id`, database);
  await sameTable(page, "t-gaps", gaps, (d) => [d.model, `${d.bits} bits`, gib(d.short_gib, "no machine at all"), text(d.nearest_machine_id), text(d.nearest_gpu_name),
    count(d.nearest_gpu_count), gib(d.nearest_gpu_memory_gib, "–"), price(d.nearest_price_per_hour), text(d.verdict)], "table of gaps");
  const drawn = gaps.filter((d) => d.short_gib !== null).slice(0, longest);
  const found = await bars(page, "gaps");
  if (drawn.length > 0) sameBars(found, drawn.map((d) => [`${d.fit_id}: ${gib(d.short_gib)} GiB short on ${text(d.nearest_machine_id)}`, d.short_gib]), "gaps");
  else same([found.length, await missing(page, "gaps")], [0, 1], "no nearest machine: there is no bar, and the page says so");
}

async function checkUnknown(page, database) {
  const unknown = rows(`SELECT model, kind, (SELECT string_agg(concat(i.item, ': ', i.formula), '; ' ORDER BY i.position)
        FROM gpu_memory_items(m.model, ctx => least(4096, coalesce(m.max_context, 4096))) AS i WHERE i.bytes IS NULL AND i.item <> 'margin') AS missing
      FROM gpu_models AS m WHERE gpu_model_need(m, ctx => least(4096, coalesce(m.max_context, 4096))) IS NULL ORDER BY kind, model`, database);
  await sameTable(page, "t-unknown", unknown, (d) => [d.model, d.kind, d.missing], "models that cannot be sized, by name");
}

/** In which colours a reader sees the page: contrast of words and what is behind them. */
const contrasts = (page) => page.evaluate(() => {
  const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const parse = (colour) => { // whichever notation it comes in: red, green, blue, opacity
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    return brush.getImageData(0, 0, 1, 1).data;
  };
  const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    const colour = element === null ? [255, 255, 255, 255] : parse(getComputedStyle(element).backgroundColor);
    return colour[3] === 255 ? luminance(colour) : ground(element.parentElement);
  };
  const seen = ["h1", "p.muted", ".card h3", ".card h3 + p", "tbody th", "td", "thead th", "label", "#fit svg text"].map((selector) => {
    const element = document.querySelector(selector);
    const style = getComputedStyle(element);
    const both = [luminance(parse(element.closest("svg") ? style.fill : style.color)), ground(element)];
    return [selector, (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)];
  });
  return { dark: ground(document.querySelector("main")) < 0.1, seen };
});

/** The page scrolls to no side, and no word of a chart is cut off or lies upon another. */
async function checkLayout(page, width) {
  const { wide, outside, upon } = await page.evaluate(() => {
    const outside = [];
    const upon = [];
    for (const svg of document.querySelectorAll(".card svg[aria-label]")) {
      const box = svg.getBoundingClientRect();
      const words = [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim() !== "").map((t) => ({ text: t.textContent, ...t.getBoundingClientRect().toJSON() }));
      outside.push(...words.filter((w) => w.left < box.left - 1 || w.right > box.right + 1 || w.top < box.top - 1 || w.bottom > box.bottom + 1).map((w) => w.text));
      words.forEach((a, i) => words.slice(i + 1).forEach((b) => {
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5) upon.push(`${a.text} / ${b.text}`);
      }));
    }
    return { wide: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth), outside, upon };
  });
  check(wide <= width, `at ${width} pixels the page does not scroll sideways`, { wide });
  same(outside, [], `at ${width} pixels no word of a chart is cut off`);
  same(upon, [], `at ${width} pixels no word of a chart lies upon another`);
}

function checkQuiet(page, url, what) {
  same(page.faults, [], `${what}: nothing to complain of in the console`);
  same([...page.hosts], [new URL(url).host], `${what}: no request to another host`);
}

async function sampleFleet(browser, url, before) {
  const page = await open(browser, url);
  const [{ now }] = rows("SELECT now() AT TIME ZONE 'UTC' AS now");
  const asOf = await page.textContent("#as-of");
  check(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/.test(asOf) && asOf.slice(0, 16) >= before && asOf.slice(0, 16) <= now.replace("T", " ").slice(0, 16),
    "the page says of when its figures are", { asOf, before, now });
  await checkFleet(page);
  await checkPrecisions(page);
  await checkGaps(page);
  await checkUnknown(page);
  await checkModels(page, {});
  await checkLayout(page, 1280);
  const titles = await page.$$eval(".card svg[aria-label]", (charts) => charts.map((svg) => [
    svg.closest("figure, div")?.closest(".card").querySelector("h3")?.textContent ?? "", [...svg.querySelectorAll('[aria-label$="axis label"]')].map((t) => t.textContent).join("")]));
  check(titles.length === 5 && titles.every(([title, label]) => title !== "" && label !== ""), "five charts, each with a title and a unit on its axis", titles);
  await screenshot(page, "dashboard-light");
  await screenshot(page, "dashboard-top", { fullPage: true, clip: { x: 0, y: 0, width: 1280, height: 1600 } });

  for (const model of ["meta-llama/Llama-3.1-70B", "openai/whisper-large-v3", "stabilityai/stable-diffusion-3-medium-diffusers", "Qwen/Qwen-Image"]) await checkItems(page, model);
  const [kind, precision, name] = [page.locator("#filters select").first(), page.locator("#filters select").last(), page.locator("#filters input")];
  await kind.selectOption("image");
  await settled(page);
  await checkModels(page, { kind: "image" });
  await kind.selectOption("");
  await precision.selectOption("4");
  await name.fill("LLAMA-3");
  await settled(page);
  await checkModels(page, { bits: 4, name: "LLAMA-3" });
  await name.fill("no such model");
  await settled(page);
  same([await cells(page, "t-fit"), (await bars(page, "fit")).length, await missing(page, "fit"), await missing(page, "prices")], [[["No row."]], 0, 1, 1],
    "no model of that name: the page says so");
  checkQuiet(page, url, "light, at 1280 pixels");
  await page.close();
}

async function schemes(browser, url) {
  for (const [scheme, width, name] of [["light", 390, "dashboard-phone"], ["dark", 1280, "dashboard-dark"], ["dark", 390, "dashboard-phone-dark"], ["light", 1280, ""]]) {
    const page = await open(browser, url, { width, scheme });
    const { dark, seen } = await contrasts(page);
    same(dark, scheme === "dark", `${scheme} at ${width} pixels: the ground is ${scheme}`);
    check(seen.every(([, ratio]) => ratio >= 4.5), `${scheme} at ${width} pixels: words stand out from their ground`, seen);
    await checkLayout(page, width);
    checkQuiet(page, url, `${scheme}, at ${width} pixels`);
    if (name !== "") await screenshot(page, name);
    await page.close();
  }
}

/** A fleet without a machine: nothing is held, and the page says so. */
async function emptyFleet(browser, url, database) {
  const page = await open(browser, url);
  await checkFleet(page, database);
  await checkPrecisions(page, database);
  await checkGaps(page, database);
  await sameTable(page, "t-fit", rows(fitQuery({}), database), fitLine, "models on no machine");
  same((await marks(page, "#prices svg circle")).length, 0, "no price, no dot");
  await checkItems(page, "me/pipeline", database);
  checkQuiet(page, url, "without a machine");
  await page.close();
}

const database = process.env.PGDATABASE;
const empty = `${database}_empty`;
await withBrowser(async (browser) => {
  const [{ now }] = rows("SELECT now() AT TIME ZONE 'UTC' AS now");
  await served(database, "SIGTERM", async (url) => {
    await sampleFleet(browser, url, now.replace("T", " ").slice(0, 16));
    await schemes(browser, url);
  });
  command("postgres", "SET client_min_messages = warning", `DROP DATABASE IF EXISTS ${empty}`, `CREATE DATABASE ${empty} TEMPLATE ${database}`);
  try {
    // And a pipeline of one's own, whose networks have names of their own.
    command(empty, "TRUNCATE gpu_machines CASCADE", "INSERT INTO gpu_models (model, kind) VALUES ('me/pipeline', 'image')",
      `INSERT INTO gpu_model_networks (model, network, params, position, quantized)
       SELECT 'me/pipeline', 'network ' || n, n * 1000000000::bigint, n, n = 1 FROM generate_series(1, 9) AS n`);
    await served(empty, "SIGINT", (url) => emptyFleet(browser, url, empty));
  } finally {
    command("postgres", `DROP DATABASE ${empty}`);
  }
});
