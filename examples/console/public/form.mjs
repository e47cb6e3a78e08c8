// The form: what it offers, what stands in it, and what is wrong with it. It judges nothing: whatever is
// typed is sent as it is, and the database's errors are shown beside the field that they are about.
import { combobox } from "./combobox.mjs";
import { countryName, make, numbers, text, translateDocument } from "./texts.mjs";

const form = document.getElementById("form");
const model = document.getElementById("model");
const KINDS = { run: ["language", "speech"], finetune: ["language"], image: ["image"] };

let options = { models: [], countries: [], defaults: {} };
let fault = null;

const fields = () => [...form.querySelectorAll("[data-argument]")];
const field = (argument) => form.querySelector(`[data-argument="${argument}"]`);
const isVisible = (element) => !element.closest("[hidden]");
const codes = (typed) => typed.split(/[\s,;]+/).filter(Boolean);
const chosenModel = () => options.models.find((m) => m.model.toLowerCase() === model.value.trim().toLowerCase());

/** What the form is for: the task, or speech for a model that transcribes. An unknown task looks like run. */
function use() {
  const task = form.elements.task.value;
  if (task === "run" && chosenModel()?.kind === "speech") return "speech";
  return Object.hasOwn(KINDS, task) || task === "notebook" ? task : "run";
}

/** The arguments as they stand in the form: those of the task, and none that is empty. */
export function readForm() {
  const shown = fields().filter(isVisible).map((f) => f.dataset.argument);
  return Object.fromEntries(shown.map((name) => [name, form.elements[name].value]).filter(([, value]) => value !== ""));
}

/** The same as the body of a request: countries are a list. */
export function workload() {
  const { countries, ...rest } = readForm();
  return countries === undefined ? rest : { ...rest, countries: codes(countries) };
}

/** Fills in what an address holds. A value that the form does not offer is added to it, for the database to judge. */
export function writeForm(values) {
  form.reset();
  for (const name of fields().map((f) => f.dataset.argument)) {
    const value = values.get(name);
    if (!value) continue;
    const element = form.elements[name];
    if (element instanceof RadioNodeList && ![...element].some((radio) => radio.value === value)) addChoice(element[0], value);
    form.elements[name].value = value;
  }
  refresh();
}

function addChoice(radio, value) {
  const label = radio.closest("label");
  const added = label.cloneNode(true);
  added.querySelector("input").value = value;
  const shown = added.querySelector("span");
  shown.removeAttribute("data-text");
  shown.replaceChildren(value);
  label.parentElement.append(added);
}

/** Shows what belongs to the task, in the page's language. */
export function refresh() {
  const now = use();
  translateDocument(now);
  for (const element of form.querySelectorAll("[data-uses]")) element.hidden = !element.dataset.uses.split(" ").includes(now);
  form.querySelector("[data-text=step_model]").textContent = text(now === "notebook" ? "step_memory" : "step_model");
  for (const [name, value] of Object.entries(options.defaults)) {
    if (form.elements[name] instanceof HTMLInputElement) form.elements[name].placeholder = text("default_value", { n: numbers.count(value) });
  }
  showFacts();
  showCountries();
  showFault(fault);
}

/** What the catalogue knows of the model that is typed. */
function showFacts() {
  const facts = document.getElementById("facts");
  const known = chosenModel();
  facts.hidden = options.models.length === 0 || model.value.trim() === "";
  if (facts.hidden) return;
  facts.replaceChildren(known ? make("dl", {}, factsOf(known).map(([name, value]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value)))) : make("p", { class: "hint" }, text("no_model")));
}

function factsOf({ kind, params, max_context: context, licence, networks }) {
  const count = (value) => value === null ? text("unknown") : numbers.count(value);
  const resolution = networks?.find((n) => n.native_resolution !== null)?.native_resolution;
  return [
    [text("parameters"), count(params)],
    kind === "language" ? [text("longest_context"), context === null ? text("unknown") : text("tokens_count", { n: count(context) })] : null,
    networks ? [text("networks"), make("ul", {}, networks.map((n) => make("li", {},
      make("span", { lang: "en" }, n.network), " ", make("span", { class: "number-cell" }, count(n.params)))))] : null,
    resolution ? [text("native_resolution"), text("pixels", { n: count(resolution) })] : null,
    [text("licence"), licence ?? text("unknown")],
  ].filter(Boolean);
}

function showCountries() {
  const typed = codes(form.elements.countries.value).map((code) => code.toUpperCase());
  const list = document.getElementById("country-list");
  const named = options.countries.map((code) => [countryName(code), code]).sort(([a], [b]) => a.localeCompare(b, document.documentElement.lang));
  const focused = document.activeElement?.dataset?.country;
  list.replaceChildren(...named.map(([name, code]) =>
    make("label", { class: "check" }, make("input", { type: "checkbox", "data-country": code }), make("span", {}, `${name} (${code})`))));
  form.querySelector("details").hidden = named.length === 0;
  for (const box of form.querySelectorAll("[data-country]")) {
    box.checked = typed.includes(box.dataset.country);
    if (box.dataset.country === focused) box.focus();
  }
}

/** A box writes its code into the field, or takes it out: the field is what is asked. */
function toggleCountry({ dataset: { country }, checked }) {
  const others = codes(form.elements.countries.value).filter((code) => code.toUpperCase() !== country);
  form.elements.countries.value = [...others, ...(checked ? [country] : [])].join(", ");
}

/** Shows a fault beside the first visible field that it names, else above the form; null takes it away. */
export function showFault(shown) {
  fault = shown;
  for (const element of form.querySelectorAll(".error, .fault")) element.hidden = true;
  for (const f of fields()) describe(f, false);
  if (fault === null) return;
  const about = (fault.arguments ?? []).map(field).find((f) => f && isVisible(f));
  if (about) describe(about, true);
  const place = document.getElementById(`error-${about?.dataset.argument ?? "form"}`);
  place.replaceChildren(...saidBy(fault));
  place.hidden = false;
}

/** Ties the error to the field, or unties it: what a screen reader says of the field includes it. */
function describe(f, isWrong) {
  const id = `error-${f.dataset.argument}`;
  for (const element of [f, ...f.querySelectorAll("input:not([type=checkbox])")]) {
    if (element === f && f.tagName !== "FIELDSET") continue;
    const ids = (element.getAttribute("aria-describedby") ?? "").split(" ").filter((other) => other && other !== id);
    if (isWrong) ids.push(id);
    if (ids.length > 0) element.setAttribute("aria-describedby", ids.join(" "));
    else element.removeAttribute("aria-describedby");
    if (element.type !== "radio") element.toggleAttribute("aria-invalid", isWrong);
  }
}

/** The field that the fault is about, or the fault itself above the form. */
export function focusFault() {
  const about = form.querySelector(".error:not([hidden])")?.closest("[data-argument]");
  (about?.querySelector("input:checked, input:not([type=radio], [type=checkbox])") ?? document.getElementById("error-form")).focus();
}

/** A fault in words: the page's own for its kind, and everything that the database says, as it says it. */
export function saidBy({ kind, message, detail, hint }) {
  const said = (key, value) => value ? make("p", {}, make("b", {}, `${text(key)}: `), make("span", { lang: "en" }, value)) : null;
  return [
    kind === "refused" ? null : make("p", { class: "message" }, text(`fault_${kind}`)),
    message ? make("p", { class: "message", lang: "en" }, message) : null,
    said("detail", detail), said("hint", hint),
  ].filter(Boolean);
}

export function setOptions(read) {
  options = read;
  refresh();
}

const note = (m) => [m.params === null ? null : numbers.rough(m.params), m.licence].filter(Boolean).join(" · ");
combobox(model, document.getElementById("models"), () => options.models
  .filter((m) => (KINDS[form.elements.task.value] ?? [m.kind]).includes(m.kind))
  .map((m) => ({ value: m.model, note: note(m) })));
form.addEventListener("input", (event) => {
  if (event.target.dataset.country) toggleCountry(event.target);
  if (event.target.name === "task" || event.target === model || event.target.dataset.country || event.target.name === "countries") refresh();
});
