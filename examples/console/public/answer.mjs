// The answer of launch_by_workload as elements. Every figure is one of the answer's, formatted and nothing
// else; data-field names the key that it shows.
import { countryName, make, numbers, text, word } from "./texts.mjs";

const ENGLISH = { lang: "en" };
const field = (name, shown, attributes = {}, tag = "span") => make(tag, { "data-field": name, ...attributes }, shown);
const gib = (value) => `${numbers.gib(value)} GiB`;
const section = (id, ...children) => make("section", { id, "aria-labelledby": `${id}-title` }, make("h3", { id: `${id}-title` }, text(id)), ...children);

/** What the answer is, in one sentence. */
export function summary({ gpu_memory_needed: need, recommended, constraints }) {
  const all = constraints.at(-1).machines_left;
  if (recommended.length > 0) return text("status_machines", { shown: numbers.count(recommended.length), all: numbers.count(all) });
  if (all > 0) return text("status_not_shown", { all: numbers.count(all) });
  return text(need.total_gib === null ? "status_unknown" : "status_none");
}

export function answerElements(answer) {
  const passes = answer.constraints.at(-1).machines_left > 0;
  return [
    passes ? null : whatToChange(answer),
    needSection(answer.gpu_memory_needed),
    section("machines", answer.recommended.length === 0 ? make("p", { class: "hint" }, text("machines_none"))
      : make("ol", { class: "cards" }, answer.recommended.map((m, place) => machineCard(m, place)))),
    section("alternatives", make("p", { class: "hint" }, text(answer.alternatives.length === 0 ? "alternatives_none" : "alternatives_hint")),
      make("ol", { class: "cards" }, answer.alternatives.map((a, place) => machineCard(a, place, alternativeHead(a))))),
    constraintsSection(answer.constraints),
  ].filter(Boolean);
}

function whatToChange({ constraints, alternatives }) {
  const advised = constraints.filter((c) => c.advice !== null);
  return make("section", { id: "change", class: "callout", "aria-labelledby": "change-title" },
    make("h3", { id: "change-title" }, text("what_to_change")),
    advised.length === 0 ? make("p", {}, text("without_advice")) : advised.map((c) => make("p", {},
      make("b", {}, `${word("constraint", c.constraint_name)}: `), field("value", c.value, ENGLISH), ". ", field("advice", c.advice, ENGLISH))),
    alternatives.length === 0 ? null : make("p", {}, make("a", { href: "#alternatives" }, text("alternatives_below"))));
}

function needSection(need) {
  const known = (value, format) => value === null ? text("need_not_known") : format(value);
  const bytes = (value) => text("bytes", { n: numbers.count(value) });
  return section("need",
    need.workload === null ? null : field("workload", need.workload, { ...ENGLISH, class: "workload" }, "p"),
    make("ul", { class: "items" },
      need.items.map((i, place) => make("li", { "data-item": place },
        field("item", i.item, { ...ENGLISH, class: "name" }),
        field("gib", known(i.gib, gib), { class: "figure" }),
        field("formula", i.formula, { ...ENGLISH, class: "formula" }),
        field("bytes", known(i.bytes, bytes), { class: "small-figure" }),
        field("assumption", i.assumption, { ...ENGLISH, class: "assumption" }))),
      make("li", { class: "total" },
        make("span", { class: "name" }, text("total")),
        field("total_gib", known(need.total_gib, gib), { class: "figure" }),
        field("total_bytes", known(need.total_bytes, bytes), { class: "small-figure" }))));
}

function alternativeHead(a) {
  return make("div", { class: "alternative" },
    make("p", {}, field("alternative", word("alternative", a.alternative), { class: "kind" })),
    field("gain", a.gain, { ...ENGLISH, class: "gain" }, "p"),
    make("dl", { class: "figures" }, figure("alternative_bits", field("bits", text("bits_count", { n: numbers.count(a.bits) }))),
      figure("alternative_machines", field("machines", numbers.count(a.machines)))));
}

const figure = (label, ...values) => make("div", {}, make("dt", {}, text(label)), make("dd", {}, ...values));
const figureIf = (value, label, name, format) => value === null ? null : figure(label, field(name, format(value)));

function machineCard(m, place, head = null) {
  const hours = (value) => text("hours", { n: numbers.hours(value) });
  return make("li", { class: "machine", "data-place": place, "data-machine": m.machine_id },
    head,
    make("div", { class: "title" },
      make("h4", {}, field("gpu_count", numbers.count(m.gpu_count)), " × ", field("gpu_name", m.gpu_name ?? text("gpu_unnamed"))),
      make("p", { class: "price" }, field("price_per_hour", numbers.price(m.price_per_hour)), " ", make("small", {}, text("per_hour")))),
    make("p", { class: "tags" },
      field("tier", word("tier", m.tier), { class: `tag ${m.tier}` }),
      field("country", m.country === null ? text("country_unknown") : `${countryName(m.country)} (${m.country})`, { class: "tag" }),
      field("confidence", word("confidence", m.confidence), { class: `tag confidence ${m.confidence}` }),
      m.interruptible ? field("interruptible", text("interruptible"), { class: "tag warning" }) : null,
      field("machine_id", m.machine_id, { class: "id" })),
    field("why", m.why, { ...ENGLISH, class: "why" }, "p"),
    make("meter", { min: 0, max: m.gpu_memory_gib, value: m.needed_gib_per_gpu, "aria-label": text("needed_gib_per_gpu") }),
    make("dl", { class: "figures" },
      figure("needed_gib_per_gpu", field("needed_gib_per_gpu", gib(m.needed_gib_per_gpu))),
      figure("free_gib_per_gpu", field("free_gib_per_gpu", gib(m.free_gib_per_gpu))),
      figure("gpu_memory_gib", field("gpu_memory_gib", gib(m.gpu_memory_gib))),
      figureIf(m.memory_source, "memory_source", "memory_source", (value) => word("memory_source", value)),
      figure("gpus_used", field("gpus_used", numbers.count(m.gpus_used))),
      figureIf(m.budget_hours, "budget_hours", "budget_hours", hours),
      figureIf(m.max_booking_hours, "max_booking_hours", "max_booking_hours", hours),
      m.measured_speed === null ? null : figure("measured_speed", field("measured_speed", numbers.speed(m.measured_speed)), " ",
        field("measured_unit", m.measured_unit, ENGLISH))),
    m.limits.length === 0 ? null : make("div", { class: "limits" }, make("h5", {}, text("limits")),
      make("ul", { "data-field": "limits", ...ENGLISH }, m.limits.map((limit) => make("li", {}, limit)))));
}

function constraintsSection(constraints) {
  return section("constraints", make("p", { class: "hint" }, text("constraints_hint")),
    make("ol", { class: "constraints" }, constraints.map((c) => make("li", { "data-constraint": c.constraint_name, class: c.machines_left === 0 ? "none" : null },
      make("span", { class: "name" }, `${word("constraint", c.constraint_name)} `, make("code", ENGLISH, c.constraint_name)),
      make("span", { class: "figure" }, make("span", { class: "for-readers" }, `${text("machines_left")}: `), field("machines_left", numbers.count(c.machines_left))),
      field("value", c.value, { ...ENGLISH, class: "value" }),
      c.advice === null ? null : field("advice", c.advice, { ...ENGLISH, class: "advice" })))));
}
