// examples/console in Chromium. EXAMPLE is the directory of the installed copy, PG* the database.
//
// The form is filled in as a user does it, and every figure of the page is compared with what
// launch_by_workload says over a connection of the test's own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { createRequire } from "node:module";
import net from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, same, screenshot, withBrowser } from "./browser.mjs";

const EXAMPLE = process.env.EXAMPLE;
const pg = createRequire(join(EXAMPLE, "package.json"))("pg");
const texts = {};
for (const language of ["en", "de"]) {
  texts[language] = (await import(pathToFileURL(join(EXAMPLE, "public", `${language}.mjs`)))).default;
}

// ---- the server, and the database beside it

/** Starts the console with a free port as a role that may only log in; resolves once it prints its URL. */
async function startServer(environment = {}) {
  const child = spawn(process.execPath, ["server.mjs"], {
    cwd: EXAMPLE, env: { ...process.env, PORT: "0", PGUSER: "console_reader", ...environment }, stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (bytes) => { said += bytes; });
  const url = await Promise.race([
    once(child.stdout, "data").then(([bytes]) => String(bytes).trim()),
    once(child, "exit").then(() => { throw new Error(`the server did not start: ${said}`); }),
  ]);
  return { child, url, port: Number(new URL(url).port), said: () => said };
}

async function endServer({ child }, signal) {
  if (child.exitCode !== null) return child.exitCode;
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
  const [status] = await once(child, "exit");
  clearTimeout(timer);
  return status;
}

const database = new pg.Client();

/** The answer to arguments given as texts, or the error: what the page must show. */
async function asked(values) {
  const names = Object.keys(values);
  const list = names.map((name, place) => `${name} => $${place + 1}`).join(", ");
  const given = names.map((name) => name === "countries" ? values.countries.split(/[\s,]+/) : values[name]);
  try {
    const { rows } = await database.query(`SELECT launch_by_workload(${list}) AS answer`, given);
    return { answer: rows[0].answer };
  } catch (error) {
    return { error };
  }
}

// ---- what the page must show, as texts by data-field

/** Names of countries as this Chromium has them; those of Node.js differ in places. */
const countryNames = {};

async function readCountryNames(page) {
  const { rows: [{ codes }] } = await database.query("SELECT array_agg(DISTINCT country) FILTER (WHERE country IS NOT NULL) AS codes FROM gpu_machines");
  for (const language of ["en", "de"]) {
    countryNames[language] = await page.evaluate(([of, all]) => {
      const names = new Intl.DisplayNames([of], { type: "region" });
      return Object.fromEntries(all.map((code) => [code, names.of(code)]));
    }, [language, codes]);
  }
}

function formats(language) {
  const number = (options) => (value) => new Intl.NumberFormat(language, options).format(value);
  return {
    count: number({ maximumFractionDigits: 0 }),
    gib: (value) => `${number({ minimumFractionDigits: 2, maximumFractionDigits: 2 })(value)} GiB`,
    price: number({ minimumFractionDigits: 2, maximumFractionDigits: 9 }),
    hours: (value) => `${number({ maximumFractionDigits: 1 })(value)} h`,
    country: (code) => `${countryNames[language][code]} (${code})`,
  };
}

const known = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
const ifKnown = (value, format) => value === null ? null : format(value);

function machineTexts(m, language) {
  const f = formats(language);
  const t = texts[language];
  return known({
    gpu_count: f.count(m.gpu_count),
    gpu_name: m.gpu_name ?? t.gpu_unnamed,
    price_per_hour: f.price(m.price_per_hour),
    tier: t[`tier_${m.tier}`],
    country: ifKnown(m.country, f.country) ?? t.country_unknown,
    confidence: t[`confidence_${m.confidence}`],
    interruptible: m.interruptible ? t.interruptible : null,
    machine_id: m.machine_id,
    why: m.why,
    needed_gib_per_gpu: f.gib(m.needed_gib_per_gpu),
    free_gib_per_gpu: f.gib(m.free_gib_per_gpu),
    gpu_memory_gib: f.gib(m.gpu_memory_gib),
    memory_source: ifKnown(m.memory_source, (value) => t[`memory_source_${value}`]),
    gpus_used: f.count(m.gpus_used),
    budget_hours: ifKnown(m.budget_hours, f.hours),
    max_booking_hours: ifKnown(m.max_booking_hours, f.hours),
    measured_speed: ifKnown(m.measured_speed, f.count),
    measured_unit: m.measured_unit,
    limits: m.limits.length === 0 ? null : m.limits,
  });
}

function answerTexts(answer, language) {
  const f = formats(language);
  const t = texts[language];
  const orUnknown = (value, format) => value === null ? t.need_not_known : format(value);
  const bytes = (value) => t.bytes.replace("{n}", f.count(value));
  const need = answer.gpu_memory_needed;
  const last = answer.constraints.at(-1).machines_left;
  const shown = answer.recommended.length;
  return {
    status: shown > 0 ? t.status_machines.replace("{shown}", f.count(shown)).replace("{all}", f.count(last))
      : last > 0 ? t.status_not_shown.replace("{all}", f.count(last)) : need.total_gib === null ? t.status_unknown : t.status_none,
    change: last > 0 ? [] : answer.constraints.filter((c) => c.advice !== null).map((c) => ({ value: c.value, advice: c.advice })),
    workload: need.workload === null ? [] : [{ workload: need.workload }],
    items: need.items.map((i) => ({
      item: i.item, gib: orUnknown(i.gib, f.gib), formula: i.formula, bytes: orUnknown(i.bytes, bytes), assumption: i.assumption,
    })),
    total: [{ total_gib: orUnknown(need.total_gib, f.gib), total_bytes: orUnknown(need.total_bytes, bytes) }],
    machines: answer.recommended.map((m) => machineTexts(m, language)),
    alternatives: answer.alternatives.map((a) => ({
      alternative: t[`alternative_${a.alternative}`], gain: a.gain, bits: t.bits_count.replace("{n}", f.count(a.bits)),
      machines: f.count(a.machines), ...machineTexts(a, language),
    })),
    constraints: answer.constraints.map((c) => known({ machines_left: f.count(c.machines_left), value: c.value, advice: c.advice })),
    names: answer.constraints.map((c) => c.constraint_name),
    meters: answer.recommended.map((m) => [m.needed_gib_per_gpu, m.gpu_memory_gib]),
  };
}

/** The same from the page. */
const pageTexts = (page) => page.evaluate(() => {
  const fieldsOf = (element) => Object.fromEntries([...element.querySelectorAll("[data-field]")].map((f) =>
    [f.dataset.field, f.tagName === "UL" ? [...f.children].map((li) => li.textContent) : f.textContent]));
  const all = (selector) => [...document.querySelectorAll(selector)].map(fieldsOf);
  const workload = document.querySelector("#need > [data-field=workload]");
  return {
    status: document.getElementById("status").textContent,
    change: all("#change > p").filter((p) => p.advice),
    workload: workload ? [{ workload: workload.textContent }] : [],
    items: all("#need [data-item]"),
    total: all("#need .total"),
    machines: all("#machines [data-machine]"),
    alternatives: all("#alternatives [data-machine]"),
    constraints: all("#constraints [data-constraint]"),
    names: [...document.querySelectorAll("[data-constraint]")].map((li) => li.dataset.constraint),
    meters: [...document.querySelectorAll("#machines meter")].map((m) => [m.value, m.max]),
  };
});

/** Compares two answers figure by figure, and shows only the figures that differ. */
function sameLeaves(found, expected, what) {
  const leaves = (value, path = "") => value !== null && typeof value === "object"
    ? [[`${path} has`, Object.keys(value).sort().join(" ")], ...Object.keys(value).sort().flatMap((key) => leaves(value[key], `${path}.${key}`))] : [[path, value]];
  const [shown, wanted] = [new Map(leaves(found)), new Map(leaves(expected))];
  const differ = [...new Set([...shown.keys(), ...wanted.keys()])].filter((path) => shown.get(path) !== wanted.get(path));
  figures += wanted.size;
  check(differ.length === 0, what, ...differ.slice(0, 10).map((path) => ({ path, found: shown.get(path), expected: wanted.get(path) })));
}

let figures = 0;

// ---- the form, as a user fills it in

const answered = (page) => page.waitForSelector("#answer[aria-busy=false][data-state=answer], #answer[aria-busy=false][data-state=fault]", { timeout: 20_000 });

async function press(page) {
  await page.click("button.ask");
  await answered(page);
}

/** Types and clicks; a model is looked for in the list and chosen there, a free one stays as it is typed. */
async function fillIn(page, { task, model, free, bits, tier, eu, ...typed }) {
  if (task) await page.check(`input[name=task][value=${task}]`);
  if (model) {
    await page.click("#model");
    await page.fill("#model", model.replace("/", " ").slice(0, -1));
    await page.click(`#models [data-value="${model}"]`);
  }
  if (free !== undefined) {
    await page.fill("#model", free);
    await page.press("#model", "Tab"); // which closes the list
  }
  if (bits) await page.check(`input[name=bits][value="${bits}"]`);
  if (tier) await page.check(`input[name=tier][value=${tier}]`);
  if (eu) await page.check("[data-country=EU]");
  for (const [name, value] of Object.entries(typed)) await page.fill(`#${name}`, value);
}

/** The same as arguments of launch_by_workload. */
function argumentsOf({ task = "run", model, free, eu, bits = "16", tier = "both", ...typed }) {
  const given = { task, ...(task === "notebook" ? {} : { model: model ?? free, bits }), tier, ...typed };
  if (eu) given.countries = "EU";
  return given;
}

const WORKLOADS = [
  ["a model on one GPU", "en", { model: "meta-llama/Llama-3.1-8B", max_machines: "50" }],
  ["a model on several GPUs", "de", { model: "meta-llama/Llama-3.1-70B", ctx: "8192", conc: "4", max_price: "6" }],
  ["a quantised model in the EU, with a budget", "en", { model: "Qwen/Qwen3-32B", bits: "8", ctx: "16384", conc: "4", eu: true, max_price: "3", budget: "100" }],
  ["fine-tuning", "de", { task: "finetune", model: "mistralai/Mistral-7B-v0.3", bits: "4", ctx: "2048", conc: "4", tier: "secure" }],
  ["an image pipeline", "en", { task: "image", model: "black-forest-labs/FLUX.1-dev", bits: "8", max_price: "1" }],
  ["a notebook", "de", { task: "notebook", memory_gib: "79.6", countries: "de, fr nl", budget: "12.5" }],
  ["no machine passes", "en", { model: "meta-llama/Llama-3.1-70B", max_price: "2", tier: "secure", countries: "DE, FR" }],
  ["community machines", "de", { free: "llama-3.1-8b", bits: "4", max_price: "0.5", tier: "community", countries: "DE" }],
  ["speech", "en", { model: "openai/whisper-large-v3", conc: "16", eu: true }],
  ["a need that is not known", "de", { task: "image", model: "Efficient-Large-Model/Sana_1600M_1024px_diffusers" }],
  ["no machine asked for", "en", { free: "llama-3.1-8b", max_machines: "0" }],
  ["the cheapest machines, free of charge and without a name", "de", { task: "notebook", memory_gib: "23", budget: "10", max_price: "0.2", max_machines: "8" }],
];

// Rows of the fleet as the sample has none: no country, no name, no price, a booking limit, a measured speed, hostile names.
const HOSTILE = '"><img src=x onerror="window.hit = 1">';
const OWN_ROWS = `
  INSERT INTO gpu_machines (machine_id, tier, country, gpu_name, gpu_count, gpu_memory_gib, memory_source, price_per_hour, max_booking_hours) VALUES
    ('console-test/1', 'secure', NULL, NULL, 1, 24, 'datacenter', 0, 48.5),
    ('console-test/2${HOSTILE}', 'community', 'DE', '<script>window.hit = 1</script>', 2, 24, NULL, 0.000001, NULL);
  INSERT INTO gpu_measurements (machine_id, model, bits, value, unit, measured_at)
    SELECT 'console-test/1', 'meta-llama/Llama-3.1-8B', 16, 1234, 'tokens/s <b>', '2026-05-04'`;
const NO_OWN_ROWS = "DELETE FROM gpu_measurements WHERE machine_id LIKE 'console-test/%'; DELETE FROM gpu_machines WHERE machine_id LIKE 'console-test/%'";

async function compareAnswer(page, workload, language, what) {
  const { answer, error } = await asked(argumentsOf(workload));
  if (error) return check(false, what, error.message);
  sameLeaves(await pageTexts(page), answerTexts(answer, language), what);
  return answer;
}

async function workloads(page, url) {
  const counts = { machines: 0, alternatives: 0, several: 0, empty: 0 };
  for (const [name, language, workload] of WORKLOADS) {
    await page.goto(`${url}?lang=${language}`);
    await page.waitForSelector("#country-list input", { state: "attached" });
    await fillIn(page, workload);
    await press(page);
    const answer = await compareAnswer(page, workload, language, `${name} (${language}): every figure is the database's`);
    if (!answer) continue;
    counts.machines += answer.recommended.length;
    counts.alternatives += answer.alternatives.length;
    counts.several += answer.recommended.filter((m) => m.gpus_used > 1).length;
    counts.empty += answer.constraints.at(-1).machines_left === 0 ? 1 : 0;
  }
  check(counts.machines > 100 && counts.alternatives > 20 && counts.several > 5 && counts.empty === 2, "the workloads show what they are for", counts);

  // Beyond 2^53 a double would round: the digits are the database's.
  const huge = { free: "llama-3.1-8b", conc: "23456789" };
  await page.goto(`${url}?lang=en`);
  await fillIn(page, huge);
  await press(page);
  const { rows: [{ bytes }] } = await database.query(
    "SELECT launch_by_workload('llama-3.1-8b', conc => 23456789) #>> '{gpu_memory_needed,total_bytes}' AS bytes");
  check(BigInt(Number(bytes)) !== BigInt(bytes), "a need is of so many bytes that a double would round them", bytes);
  same(await page.textContent("[data-field=total_bytes]"), `${new Intl.NumberFormat("en").format(BigInt(bytes))} bytes`, "its bytes are exact");
}

/** The lists of the form are the catalogue's, and the facts of a model are its row. */
async function lists(page, url) {
  const kinds = { run: ["language", "speech"], finetune: ["language"], image: ["image"] };
  await page.goto(`${url}?lang=en`);
  await page.waitForSelector("#country-list input", { state: "attached" });
  for (const [task, of] of Object.entries(kinds)) {
    await page.check(`input[name=task][value=${task}]`);
    await page.click("#model");
    const shown = await page.$$eval("#models [role=option]", (all) => all.map((o) => o.dataset.value));
    const { rows } = await database.query("SELECT model FROM gpu_models WHERE kind = ANY ($1) ORDER BY lower(model)", [of]);
    same(shown, rows.map((r) => r.model), `the list for ${task} has the catalogue's models`);
    await page.keyboard.press("Escape");
  }
  await page.fill("#model", "FLUX dev");
  same(await page.$$eval("#models [role=option]", (all) => all.map((o) => o.dataset.value).includes("black-forest-labs/FLUX.1-dev")), true,
    "the list is searched by words");
  await page.fill("#model", "black-forest-labs/FLUX.1-dev");
  const { rows } = await database.query("SELECT network, params FROM gpu_model_networks WHERE model = 'black-forest-labs/FLUX.1-dev' ORDER BY position");
  same(await page.$$eval("#facts li", (all) => all.map((li) => li.textContent)),
    rows.map((r) => `${r.network} ${new Intl.NumberFormat("en").format(r.params)}`), "an image pipeline shows its networks");
  const { rows: [{ countries }] } = await database.query("SELECT array_agg(DISTINCT country ORDER BY country) FILTER (WHERE country IS NOT NULL) AS countries FROM gpu_machines WHERE available");
  same((await page.$$eval("#country-list [data-country]", (all) => all.map((b) => b.dataset.country))).sort(), countries, "the countries are the fleet's");
  same(await page.getAttribute("#max_machines", "placeholder"), "20 if empty", "a default is the function's own");
}

async function keyboard(page, url) {
  await page.goto(`${url}?lang=en`);
  await page.waitForSelector("#country-list input", { state: "attached" });
  let unmarked = [];
  const focused = () => page.evaluate(() => {
    const element = document.activeElement;
    const drawn = ["radio"].includes(element.type) ? element.nextElementSibling : element;
    const style = getComputedStyle(drawn);
    return { is: element.name || element.id || element.dataset.lang || element.dataset.country || element.tagName,
      visible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 };
  });
  const visited = [];
  async function tabTo(name) {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press("Tab");
      const at = await focused();
      visited.push(at.is);
      if (!at.visible) unmarked.push(at.is);
      if (at.is === name) return;
    }
    throw new Error(`no way by Tab to ${name}: ${visited.join(" ")}`);
  }
  await tabTo("task");
  await page.keyboard.press("ArrowRight");
  await tabTo("model");
  await page.keyboard.type("llama-3.1 8b");
  same(await page.getAttribute("#model", "aria-expanded"), "true", "typing opens the list of models");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const active = await page.getAttribute("#model", "aria-activedescendant");
  same(await page.getAttribute(`#${active}`, "aria-selected"), "true", "the marked entry is named to a screen reader");
  await page.keyboard.press("Enter");
  const model = await page.inputValue("#model");
  check(/llama-3\.1-8b/i.test(model), "Enter takes it", model);
  await tabTo("bits");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  for (const [field, typed] of Object.entries({ ctx: "2048", conc: "2", max_price: "1.5", budget: "30" })) {
    await tabTo(field);
    await page.keyboard.type(typed);
  }
  await tabTo("tier");
  await page.keyboard.press("ArrowRight");
  await tabTo("countries");
  await tabTo("EU");
  await page.keyboard.press("Space");
  await tabTo("max_machines");
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await answered(page);
  await compareAnswer(page, { task: "finetune", model, bits: "4", ctx: "2048", conc: "2", max_price: "1.5", budget: "30", tier: "secure", eu: true, max_machines: "3" },
    "en", "the three steps by keyboard alone end in the right answer");
  same(await page.evaluate(() => document.activeElement.id), "answer", "the focus goes to the answer");
  same(unmarked, [], "the focus is visible at every stop");
  same(await page.evaluate(() => [...document.querySelectorAll("input:not([type=radio], [type=checkbox])")].filter((i) => i.labels.length === 0).map((i) => i.id)), [], "every field has a label");
  same(await page.evaluate(() => [...document.querySelectorAll("input[type=radio]")].filter((i) => !i.closest("fieldset")?.querySelector("legend")).map((i) => i.name)), [], "every group has a legend");
  same(await page.getAttribute("#status", "aria-live"), "polite", "the answer is announced");
}

const WRONG = [
  ["model", { free: "Llama 3.1 8B" }],
  ["model", { free: "" }],
  ["ctx", { free: "llama-3.1-8b", ctx: "200000" }],
  ["ctx", { free: "llama-3.1-8b", ctx: "lots" }],
  ["ctx", { free: "llama-3.1-8b", ctx: "4.5" }],
  ["ctx", { free: "llama-3.1-8b", ctx: "99999999999999999999" }],
  ["conc", { free: "llama-3.1-8b", conc: "0" }],
  ["max_price", { free: "llama-3.1-8b", max_price: "-1" }],
  ["max_price", { free: "llama-3.1-8b", max_price: "2,50" }],
  ["budget", { free: "llama-3.1-8b", budget: "Infinity" }],
  ["countries", { free: "llama-3.1-8b", countries: "DE, UK" }],
  ["countries", { free: "llama-3.1-8b", countries: "Germany" }],
  ["max_machines", { free: "llama-3.1-8b", max_machines: "-3" }],
  ["memory_gib", { task: "notebook", memory_gib: "-24" }],
  ["memory_gib", { task: "notebook" }],
  ["task", { task: "image", free: "llama-3.1-8b" }],
  ["task", { task: "finetune", free: "openai/whisper-large-v3" }],
  ["form", { free: "llama-3.1-8b", conc: "9000000000000" }],
];

/** The database's error, as it must stand beside the field. */
const errorTexts = ({ message, detail, hint }, language) => [message,
  detail ? `${texts[language].detail}: ${detail}` : null, hint ? `${texts[language].hint}: ${hint}` : null].filter(Boolean);

async function wrongAt(page, argument, expected, language, what) {
  const place = `#error-${argument}`;
  same(await page.$$eval(`${place}:not([hidden]) p`, (all) => all.map((p) => p.textContent)), errorTexts(expected, language), what);
  const tied = await page.evaluate((name) => {
    const element = document.activeElement;
    const of = element.closest("[data-argument]")?.dataset.argument ?? (element.id === "error-form" ? "form" : null);
    return { of, described: name === "form" || (element.getAttribute("aria-describedby") ?? "").split(" ").includes(`error-${name}`),
      others: [...document.querySelectorAll(".error:not([hidden])")].length };
  }, argument);
  same(tied, { of: argument, described: true, others: argument === "form" ? 0 : 1 }, `${what}: the field has the focus and names its error`);
}

async function errors(page, url) {
  for (const [place, [argument, wrong]] of WRONG.entries()) {
    const language = place % 2 === 0 ? "en" : "de";
    await page.goto(`${url}?lang=${language}`);
    await page.waitForSelector("#country-list input", { state: "attached" });
    await fillIn(page, wrong);
    await press(page);
    const given = argumentsOf(wrong);
    if (given.model === "") delete given.model;
    const { error } = await asked(given);
    if (!error) { check(false, `${JSON.stringify(wrong)} is wrong`); continue; }
    await wrongAt(page, argument, error, language, `beside ${argument}: ${error.message}`);
  }
  // What an address holds and the form does not offer is sent too.
  for (const [argument, query, given] of [
    ["bits", "model=llama-3.1-8b&bits=5", { model: "llama-3.1-8b", bits: "5" }],
    ["tier", "model=llama-3.1-8b&tier=best", { model: "llama-3.1-8b", tier: "best" }],
    ["task", "model=llama-3.1-8b&task=dance", { model: "llama-3.1-8b", task: "dance" }],
  ]) {
    await page.goto(`${url}?lang=en&ask=1&${query}`);
    await answered(page);
    await wrongAt(page, argument, (await asked(given)).error, "en", `an address with ${query}`);
  }
  // The error goes once the input is right.
  await page.goto(`${url}?lang=en&ask=1&model=llama-3.1-8b&ctx=0`);
  await answered(page);
  await page.fill("#ctx", "4096");
  await press(page);
  same(await page.$$eval(".error:not([hidden]), .fault:not([hidden]), [aria-invalid]", (all) => all.length), 0, "an error goes with the next answer");
}

async function hostileNames(page, url) {
  const names = ["<script>window.hit = 1</script>", HOSTILE, "'; DROP TABLE gpu_models; --", "x".repeat(10_000), "\u202e\u0000 &lt;b&gt; {n}", "模型 ".repeat(80)];
  for (const free of names) {
    await page.goto(`${url}?lang=en`);
    await fillIn(page, { free });
    await press(page);
    const typed = await page.inputValue("#model");
    const { error } = await asked({ task: "run", model: typed, bits: "16", tier: "both" });
    same(await page.$$eval("#error-model:not([hidden]) p", (all) => all.map((p) => p.textContent)), errorTexts(error, "en"), `shown as text: ${free.slice(0, 40)}`);
    await page.reload();
    await answered(page);
    same([await page.inputValue("#model"), await page.$$eval("#error-model:not([hidden]) .message", (all) => all.map((p) => p.textContent))],
      [typed, [error.message]], "and again from the address");
  }
  same(await page.evaluate(() => [window.hit, document.scripts.length, document.images.length]), [undefined, 1, 0], "no markup came of a name");
  same((await database.query("SELECT count(*)::int AS n FROM gpu_models")).rows[0].n > 400, true, "the catalogue is untouched");
}

async function languages(browser, url) {
  same(Object.keys(texts.de), Object.keys(texts.en), "both languages have the same keys");
  const holes = (dictionary) => Object.fromEntries(Object.entries(dictionary).map(([key, value]) => [key, (value.match(/\{\w+\}/g) ?? []).sort()]));
  same(holes(texts.de), holes(texts.en), "and the same values in their texts");
  const context = await browser.newContext({ locale: "de-AT" });
  const page = await watched(await context.newPage(), url);
  await page.goto(url);
  await page.waitForSelector("#country-list input", { state: "attached" });
  same([await page.textContent("h1"), await page.getAttribute("html", "lang")], [texts.de.title, "de"], "the language is the browser's");
  await fillIn(page, { model: "meta-llama/Llama-3.1-70B", ctx: "8192", max_price: "6" });
  await press(page);
  const workload = { model: "meta-llama/Llama-3.1-70B", ctx: "8192", max_price: "6" };
  await compareAnswer(page, workload, "de", "German numbers");
  check((await page.textContent("[data-field=total_gib]")).includes(","), "a comma in a German number");
  const left = await page.evaluate((values) => {
    const own = new Set(values);
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (nodes.nextNode()) {
      const { parentElement: parent, textContent } = nodes.currentNode;
      if (parent.closest("[lang=en], noscript, script, [hidden], [role=listbox]") || !own.has(textContent.trim())) continue;
      found.push(textContent.trim());
    }
    return found;
  }, Object.entries(texts.en).filter(([key, value]) => texts.de[key] !== value).map(([, value]) => value));
  same(left, [], "no English text of the page stays on the German one");
  same(await page.$$eval("[data-field=why], [data-field=formula], [data-field=gain], [data-field=limits], [data-field=assumption], [data-field=value]",
    (all) => all.length > 50 && all.every((e) => e.lang === "en")), true, "what the database says is marked as English");
  await page.fill("#conc", "7");
  same(await page.isVisible("#changed"), true, "a change since the answer is said");
  await page.fill("#conc", "");
  await page.click("[data-lang=en]");
  same([await page.textContent("h1"), await page.inputValue("#ctx"), new URL(page.url()).searchParams.get("lang")], [texts.en.title, "8192", "en"], "the language is switched, the form stays");
  await compareAnswer(page, workload, "en", "the answer is there in the other language");
  await page.reload();
  await answered(page);
  await compareAnswer(page, workload, "en", "the address brings the answer back");
  await page.fill("#max_price", "3");
  await press(page);
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("max_price").value === "6");
  await answered(page);
  await compareAnswer(page, workload, "en", "so does the way back");
  await context.close();
}

// ---- how it looks

/** Texts whose contrast to what is behind them is below 4.5, as "text: ratio". */
const faintTexts = (page) => page.evaluate(() => {
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, place) => sum + v * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const [r, g, b, a = 1] = channels(getComputedStyle(e).backgroundColor);
      if (a === 1) return [r, g, b];
      if (a > 0) throw new Error("a ground that is half transparent");
    }
    return [255, 255, 255];
  };
  const ratio = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  let judged = 0;
  const judge = (element, style, what) => {
    judged += 1;
    const r = ratio(channels(style.color), behind(element));
    if (r < 4.5) found.push(`${what}: ${r.toFixed(2)}`);
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility()) continue;
    const own = [...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
    if (own) judge(element, getComputedStyle(element), element.textContent.trim().slice(0, 30));
    if (element.placeholder) judge(element, getComputedStyle(element, "::placeholder"), element.placeholder);
  }
  return { found: [...new Set(found)], judged };
});

/** What sticks out of the window at the side. */
const overflowing = (page) => page.evaluate(() => [
  ...(document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} wide`] : []),
  ...[...document.body.querySelectorAll("*")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 0.5)
    .map((e) => `${e.tagName}.${e.className}`)]);

const LOOKS = [
  ["answer", "model=meta-llama/Llama-3.1-70B&bits=8&ctx=8192&conc=4&max_price=4&budget=100&tier=secure&countries=EU&max_machines=4"],
  ["empty", "model=meta-llama/Llama-3.1-70B&max_price=2&tier=secure&countries=DE, FR&max_machines=3"],
  ["error", "model=llama-3.1-8b&ctx=200000"],
  ["long-name", `model=${"a-very-long-name/".padEnd(240, "WithoutAnyPlaceToBreak")}`],
  ["50-machines", "model=meta-llama/Llama-3.1-8B&max_machines=50&budget=20"],
  ["image", "task=image&model=black-forest-labs/FLUX.1-dev&bits=8&max_machines=2"],
  ["finetune", "task=finetune&model=meta-llama/Llama-3.1-8B&bits=4&ctx=2048&conc=2&max_machines=2"],
];

async function looks(browser, url) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [device, width, height] of [["desktop", 1280, 900], ["phone", 390, 844], ["narrow", 360, 740]]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height } });
      const page = await watched(await context.newPage(), url);
      for (const language of ["en", "de"]) {
        for (const [name, query] of LOOKS) {
          // The answer is looked at in every way; the other states in half of them, each scheme and language once.
          if (name !== "answer" && (colorScheme === "light") !== (language === "en")) continue;
          await page.goto(`${url}?lang=${language}&ask=1&${query}`);
          await answered(page);
          await page.waitForSelector("#country-list input", { state: "attached" });
          const what = `${name}-${device}-${colorScheme}-${language}`;
          same(await overflowing(page), [], `${what}: nothing is cut off at the side`);
          if (device === "narrow") continue;
          const { found, judged } = await faintTexts(page);
          check(found.length === 0 && judged > 30, `${what}: the contrast of ${judged} texts is 4.5 or more`, found);
          await screenshot(page, `console-${what}`);
        }
      }
      await context.close();
    }
  }
}

// ---- the server

/** A request whose path stays as it is written. */
const raw = ({ port }, path, { method = "GET", headers = {}, body } = {}) => new Promise((resolve, reject) => {
  const request = http.request({ host: "127.0.0.1", port, path, method, headers }, async (response) => {
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() });
  });
  request.on("error", reject);
  request.end(body);
});

const post = (server, body, headers = {}) =>
  raw(server, "/api/launch", { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body });

async function refuses(server) {
  const isFault = ({ status, headers, body }, expected) =>
    status === expected && /json/.test(headers["content-type"]) && typeof JSON.parse(body).error.kind === "string";
  for (const path of ["/../server.mjs", "/..%2fserver.mjs", "/%2e%2e/database.mjs", "//etc/passwd", "/public/page.mjs", "/server.mjs",
    "/package.json", "/node_modules/pg/package.json", "/page.mjs/", "/__proto__", "/%00", "/index.html%00", "/api", "/api/launch/"]) {
    const got = await raw(server, path);
    check(isFault(got, 404), `${path} is no page`, got);
  }
  for (const [what, expected, got] of [
    ["a body that is too large", 413, await post(server, JSON.stringify({ model: "x".repeat(70_000) }))],
    ["a body of 5 MB", 413, await post(server, "x".repeat(5_000_000))],
    ["no JSON", 400, await post(server, "{model:")],
    ["no object", 400, await post(server, "[]")],
    ["null", 400, await post(server, "null")],
    ["an argument that there is not", 400, await post(server, '{"model) --": "x"}')],
    ["the argument __proto__", 400, await post(server, '{"__proto__": "x"}')],
    ["a number where a text is meant", 400, await post(server, '{"ctx": 4096}')],
    ["countries that are no list", 400, await post(server, '{"countries": "DE"}')],
    ["another content type", 415, await post(server, "{}", { "Content-Type": "text/plain" })],
    ["GET for a question", 405, await raw(server, "/api/launch")],
    ["POST for a file", 405, await raw(server, "/", { method: "POST" })],
    ["DELETE for the lists", 405, await raw(server, "/api/options", { method: "DELETE" })],
    ["what the database refuses", 400, await post(server, '{"model": "none"}')],
  ]) check(isFault(got, expected), `${what}: ${expected} with JSON`, got);
  same((await raw(server, "/api/launch")).headers.allow, "POST", "405 says which method is for it");

  const socket = net.connect(server.port, "127.0.0.1");
  socket.end("no http\r\n\r\n");
  let said = "";
  for await (const bytes of socket) said += bytes;
  check(/^HTTP\/1\.1 400 /.test(said) && said.includes('"kind"'), "what is no HTTP gets a fault too", said);
  const long = await raw(server, `/?${"x".repeat(200_000)}`);
  check(isFault(long, 431), "an address of 200,000 characters is refused", long.status);

  const { headers } = await raw(server, "/");
  check(/default-src 'none'/.test(headers["content-security-policy"]) && !/unsafe|\*/.test(headers["content-security-policy"]) &&
    headers["x-content-type-options"] === "nosniff", "a strict Content-Security-Policy", headers);
  const open = await post(server, '{"model": "llama-3.1-8b", "max_machines": "1"}');
  check(open.status === 200 && JSON.parse(open.body).recommended.length === 1, "the server answers after all of this", open.status);
  const { rows } = await database.query("SELECT rolname, rolsuper OR rolcreatedb OR rolcreaterole AS mighty FROM pg_roles WHERE rolname IN (SELECT usename FROM pg_stat_activity WHERE application_name = 'gpu_advisor console')");
  same(rows, [{ rolname: "console_reader", mighty: false }], "a role that may only read is enough");
}

/** The database does not answer: it waits for a lock, or it is not there. */
async function databaseFaults(page, server, browser) {
  const locker = new pg.Client();
  await locker.connect();
  await locker.query("BEGIN; LOCK TABLE gpu_machines IN ACCESS EXCLUSIVE MODE");
  await page.goto(`${server.url}?lang=en&ask=1&model=llama-3.1-8b`);
  await page.waitForSelector("#answer[aria-busy=true]");
  same(await page.textContent("#status"), texts.en.loading, "while it waits the page says so");
  await screenshot(page, "console-loading");
  await answered(page);
  const said = await page.textContent("#result .fault");
  check(said.startsWith(texts.en.fault_timeout) && said.includes("statement timeout"), "a statement that takes too long is stopped, and said", said);
  await locker.query("ROLLBACK");
  await press(page);
  same(await page.getAttribute("#answer", "data-state"), "answer", "and asked again, it is answered");

  const lost = await startServer({ PGPORT: "1" });
  const context = await browser.newContext();
  const other = await context.newPage();
  for (const language of ["en", "de"]) {
    await other.goto(`${lost.url}?lang=${language}&ask=1&model=llama-3.1-8b`);
    await answered(other);
    same(await other.textContent("#result .fault"), texts[language].fault_unreachable, `without a database the page says so (${language})`);
    await other.waitForFunction((text) => document.getElementById("hint-model").textContent === text, texts[language].options_missing);
  }
  await screenshot(other, "console-unreachable");
  const fault = await post(lost, "{}");
  check(fault.status === 503 && !/port|socket|127|ECONN|ENOENT/i.test(fault.body), "the fault does not say where the database would be", fault.body);
  same(await endServer(lost, "SIGINT"), 0, "SIGINT ends a server without a database with status 0");
  await other.click("button.ask");
  await answered(other);
  same(await other.textContent("#result .fault"), texts.de.fault_network, "a server that is gone is said as well");
  await context.close();

  // A request under way is answered before the server ends.
  await locker.query("BEGIN; LOCK TABLE gpu_machines IN ACCESS EXCLUSIVE MODE");
  const last = post(server, '{"model": "llama-3.1-8b", "max_machines": "1"}');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const ended = endServer(server, "SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 500));
  await locker.query("ROLLBACK");
  same((await last).status, 200, "a question under way is answered");
  same(await ended, 0, "SIGTERM ends the server with status 0");
  await locker.end();
  check(isGone(server.child.pid), "no process is left");
  const { rows } = await database.query("SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'gpu_advisor console'");
  same(rows, [{ n: 0 }], "no connection is left");
  same(server.said(), "", "the server had nothing to complain of");
}

function isGone(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

// ---- all of it

const complaints = [];

/** Collects what a page complains of and where it asks. A refusal's status is no complaint. */
async function watched(page, url) {
  page.on("console", (message) => {
    const isRefusal = /status of (400|504)/.test(message.text()) && message.location().url.startsWith(`${url}api/`);
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) complaints.push(`a request to ${request.url()}`);
  });
  return page;
}

await withBrowser(async (browser) => {
  await database.connect();
  await database.query(`DROP ROLE IF EXISTS console_reader; CREATE ROLE console_reader LOGIN; ${NO_OWN_ROWS}; ${OWN_ROWS}`);
  const server = await startServer();
  try {
    const page = await watched(await (await browser.newContext({ locale: "en-GB" })).newPage(), server.url);
    await readCountryNames(page);
    await workloads(page, server.url);
    await lists(page, server.url);
    await keyboard(page, server.url);
    await errors(page, server.url);
    await hostileNames(page, server.url);
    await languages(browser, server.url);
    await looks(browser, server.url);
    await refuses(server);
    await databaseFaults(page, server, browser);
    check(figures > 10_000, `${figures} figures and texts of answers were compared`);
    same(complaints, [], "no page complained, and none asked elsewhere");
  } finally {
    await endServer(server, "SIGTERM");
    await database.query(`${NO_OWN_ROWS}; DROP ROLE console_reader`);
    await database.end();
  }
});
