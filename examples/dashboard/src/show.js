// How figures are written, the tables and the charts. Nothing is calculated here.
import * as Plot from "@observablehq/plot";

const digits = (least, most) => new Intl.NumberFormat("en-US", { minimumFractionDigits: least, maximumFractionDigits: most });
const [whole, two, money] = [digits(0, 0), digits(2, 2), digits(2, 4)];
const regions = new Intl.DisplayNames("en", { type: "region" });

/** What is shown for each kind of value; missing says what NULL means there. */
export const count = (value, missing = "–") => (value === null ? missing : whole.format(value));
export const gib = (value, missing = "not known") => (value === null ? missing : two.format(value));
export const price = (value, missing = "–") => (value === null ? missing : `$${money.format(value)}`);
export const text = (value, missing = "–") => value ?? missing;
export const country = (code) => (code === null ? "not known" : regions.of(code));

/** An element of the page; what is no element among its contents is text. */
export function element(name, attributes, ...contents) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...contents);
  return made;
}

/** A form control with its label; it is the control that holds the value. */
export const labelled = (label, control) => element("label", {}, element("span", {}, label), control);

/** options: [value, label]. */
export function choice(options, selected) {
  const select = element("select", {}, ...options.map(([value, label]) => element("option", { value }, label)));
  if (options.some(([value]) => value === selected)) select.value = selected;
  return select;
}

/**
 * A table of all the rows. columns: [heading, row => what the cell shows, class], where the class "n"
 * is for figures and "long" for sentences. The box around it scrolls, never the page.
 */
export function table(id, caption, columns, rows) {
  const head = columns.map(([heading, , kind = ""]) => element("th", { scope: "col", class: kind }, heading));
  const line = (row) => element("tr", {}, ...columns.map(([, show, kind = ""], i) =>
    (i === 0 ? element("th", { scope: "row", class: kind }, show(row)) : element("td", { class: kind }, show(row)))));
  const none = element("tr", {}, element("td", { class: "none", colspan: columns.length }, "No row."));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element("table", { id },
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...(rows.length > 0 ? rows.map(line) : [none]))));
}

export const colours = {
  precision: { domain: ["16 bits", "8 bits", "4 bits"], range: ["#4269d0", "#efb118", "#3ca951"] },
  tier: { domain: ["secure", "community"], range: ["#4269d0", "#efb118"] },
  item: {
    domain: ["weights", "weights: denoiser", "weights: text_encoder", "weights: text_encoder_2", "weights: text_encoder_3",
      "weights: vae", "kv_cache", "margin", "runtime"],
    range: ["#4269d0", "#4269d0", "#97bbf5", "#6cc5b0", "#3ca951", "#a463f2", "#efb118", "#9498a0", "#ff725c"],
  },
};

// Names stand beside the bars where there is room, and above them on a phone.
const roomy = (width) => width >= 640;

/** Rows of one chart with a long name each: `row` is the height of one where the name stands beside it. */
function named(width, rows, { row = 24, margin = 320 } = {}) {
  const beside = roomy(width);
  return {
    layout: {
      width, marginLeft: beside ? margin : 4, marginRight: 24, marginTop: 34, marginBottom: 42,
      height: 76 + rows.length * (beside ? row : row + 18),
      style: { fontSize: "12px" },
      y: { domain: rows.map((d) => d.model), label: null, axis: beside ? "left" : null, tickSize: 0, padding: beside ? 0.25 : 0 },
    },
    inset: beside ? { insetTop: 0, insetBottom: 0 } : { insetTop: 18, insetBottom: 4 },
    shift: beside ? 0 : 7,
    names: beside ? [] : [Plot.text(rows, { y: "model", frameAnchor: "left", textAnchor: "start", dy: -11, text: "model" })],
  };
}

export function fitChart(rows, width) {
  const { layout, inset, shift, names } = named(width, rows);
  return Plot.plot({
    ...layout,
    marginRight: 130,
    ariaLabel: "Machines that hold each model",
    x: { label: "machines that can be rented now and hold the model →", labelAnchor: "left", grid: true, nice: true, ticks: roomy(width) ? 8 : 3 },
    marks: [
      Plot.barX(rows, { ...inset, y: "model", x: "machines", fill: "#4269d0",
        title: (d) => `${d.model}: ${count(d.machines)} machines, from ${price(d.price, "no machine")} an hour` }),
      Plot.text(rows, { y: "model", x: "machines", dx: 6, dy: shift, textAnchor: "start",
        text: (d) => (d.price === null ? "0, no machine" : `${count(d.machines)}, from ${price(d.price)}`) }),
      Plot.ruleX([0]),
      ...names,
    ],
  });
}

/** One row of `rows` is a model; its three prices lie in lanes, so that equal ones do not hide each other. */
export function priceChart(rows, width) {
  const { layout, shift, names } = named(width, rows, { row: 28 });
  const lanes = [["16 bits", "at_16", -7], ["8 bits", "at_8", 0], ["4 bits", "at_4", 7]];
  return Plot.plot({
    ...layout,
    ariaLabel: "Price of the cheapest machine for each model by precision",
    color: { ...colours.precision, legend: true },
    x: { label: "US dollars an hour, whole machine, logarithmic →", labelAnchor: "left", type: "log", grid: true,
      ticks: roomy(width) ? 8 : 4, tickFormat: (d) => `$${d}` },
    marks: [
      Plot.ruleY(rows, { y: "model", dy: shift, stroke: "var(--theme-foreground-faintest)" }),
      // A logarithmic axis has no place for a machine that is free: that price is in the table only.
      ...lanes.map(([precision, field, lane]) => Plot.dot(rows.filter((d) => d[field] > 0), {
        y: "model", x: field, dy: shift + lane, r: 4, fill: () => precision,
        title: (d) => `${d.model} at ${precision}: ${price(d[field])} an hour` })),
      ...names,
    ],
  });
}

/** rows: countries by tier; shown: the countries, most machines first. */
export function countryChart(rows, shown, width) {
  return Plot.plot({
    width, height: 90 + shown.length * 24, marginLeft: 138, marginRight: 20, marginTop: 34, marginBottom: 42,
    ariaLabel: "Machines by country and tier",
    style: { fontSize: "12px" },
    color: { ...colours.tier, legend: true },
    x: { label: "machines that can be rented now →", labelAnchor: "left", grid: true, ticks: roomy(width) ? 8 : 3 },
    y: { domain: shown.map(country), label: null, tickSize: 0, padding: 0.25 },
    marks: [
      Plot.barX(rows, { y: (d) => country(d.country), x: "available", fill: "tier", order: colours.tier.domain,
        title: (d) => `${country(d.country)}, ${d.tier}: ${count(d.available)} machines` }),
      Plot.ruleX([0]),
    ],
  });
}

/** rows: the items of a model at each precision, with bits; totals: its rows of the fit. */
export function itemChart(rows, totals, width) {
  const present = colours.item.domain.filter((item) => rows.some((d) => d.item === item));
  const other = [...new Set(rows.map((d) => d.item))].filter((item) => !present.includes(item));
  const range = present.map((item) => colours.item.range[colours.item.domain.indexOf(item)]);
  return Plot.plot({
    width, height: 230, marginLeft: 56, marginRight: 76, marginTop: 34, marginBottom: 42,
    ariaLabel: "GPU memory needed by item and precision",
    style: { fontSize: "12px" },
    color: { domain: [...present, ...other], range: [...range, ...other.map(() => "#9c6b4e")], legend: true },
    x: { label: "GiB (2^30 bytes) on one GPU →", labelAnchor: "left", grid: true, ticks: roomy(width) ? 8 : 4 },
    y: { domain: colours.precision.domain, label: null, tickSize: 0, padding: 0.3 },
    marks: [
      Plot.barX(rows, { y: (d) => `${d.bits} bits`, x: "gib", fill: "item", order: [...present, ...other],
        title: (d) => `${d.item} at ${d.bits} bits: ${gib(d.gib)} GiB` }),
      Plot.text(totals, { y: (d) => `${d.bits} bits`, x: "gib", dx: 6, textAnchor: "start", text: (d) => `${gib(d.gib)} GiB` }),
      Plot.ruleX([0]),
    ],
  });
}

export function gapChart(rows, width) {
  const named_rows = rows.map((d) => ({ ...d, model: d.fit_id }));
  const { layout, inset, shift, names } = named(width, named_rows, { row: 30 });
  return Plot.plot({
    ...layout,
    marginRight: 84,
    ariaLabel: "GiB that the nearest machine is short",
    x: { label: "GiB that the nearest machine is short, over all its GPUs →", labelAnchor: "left", grid: true, ticks: roomy(width) ? 8 : 4 },
    marks: [
      Plot.barX(named_rows, { ...inset, y: "model", x: "short_gib", fill: "#ff725c",
        title: (d) => `${d.fit_id}: ${gib(d.short_gib)} GiB short on ${text(d.machine)}` }),
      Plot.text(named_rows, { y: "model", x: "short_gib", dx: 6, dy: shift, textAnchor: "start", text: (d) => `${gib(d.short_gib)} GiB` }),
      Plot.ruleX([0]),
      ...names,
    ],
  });
}
