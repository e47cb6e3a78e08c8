// How figures are written, the tables and the charts. Nothing is calculated here.
import * as Plot from "@observablehq/plot";

const digits = (least, most) => new Intl.NumberFormat("en-US", { minimumFractionDigits: least, maximumFractionDigits: most });
const [whole, two, four] = [digits(0, 0), digits(2, 2), digits(4, 4)];
const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const regions = new Intl.DisplayNames("en", { type: "region" });

/** What is shown for each kind of value; missing says what NULL means there. */
export const count = (value, missing = "–") => (value === null ? missing : whole.format(value));
export const gib = (value, missing = "not known") => (value === null ? missing : two.format(value));
export const price = (value, missing = "–") => (value === null ? missing : `$${four.format(value)}`);
export const shortPrice = (value, missing = "–") => (value === null ? missing : `$${short.format(value)}`);
const machines = (n) => (n === 1 ? "1 machine" : `${count(n)} machines`);
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
 * A table of all the rows. columns: [heading, row => what the cell shows, class], where the class "n" is
 * for figures, "name" for names that may break, "long" for sentences. The box around it scrolls, never the page.
 */
export function table(id, caption, columns, rows) {
  const head = columns.map(([heading, , kind = ""]) => element("th", { scope: "col", class: kind }, heading));
  const line = (row) => element("tr", {}, ...columns.map(([, show, kind = ""], i) =>
    (i === 0 ? element("th", { scope: "row", class: kind }, show(row)) : element("td", { class: kind }, show(row)))));
  const none = element("tr", {}, element("td", { class: "none", colspan: columns.length }, "No row."));
  return element("div", {},
    element("p", { class: "caption", id: `${id}-caption` }, caption),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": `${id}-caption` },
      element("table", { id, "aria-labelledby": `${id}-caption` },
        element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...(rows.length > 0 ? rows.map(line) : [none])))));
}

export const colours = {
  precision: { domain: ["16 bits", "8 bits", "4 bits"], range: ["#4269d0", "#efb118", "#3ca951"] },
  tier: { domain: ["secure", "community"], range: ["#4269d0", "#efb118"] },
  item: { weights: "#4269d0", kv_cache: "#efb118", margin: "#9498a0", runtime: "#ff725c" },
  networks: ["#4269d0", "#97bbf5", "#6cc5b0", "#3ca951", "#a463f2", "#9c6b4e", "#ff8ab7"],
};

const blue = "#4269d0";
const red = "#ff725c";

// Names stand beside the bars where there is room, and above them on a phone.
const roomy = (width) => width >= 640;

// What all charts have in common. The axis is below; its label stands below it.
const common = (width) => ({
  width, marginRight: 24, marginTop: 8, marginBottom: 42,
  style: { fontSize: "12px", background: "none", overflow: "visible" },
});
const axis = (width, label) => ({ label, labelAnchor: "center", labelArrow: false, grid: true, ticks: roomy(width) ? 8 : 2 });

/** The layout for rows with a long name each; `row` is the height of one where the name stands beside it. */
function named(width, rows, row) {
  const beside = roomy(width);
  return {
    layout: {
      ...common(width),
      marginLeft: beside ? 320 : 4,
      height: 50 + rows.length * (beside ? row : row + 18),
      y: { type: "band", domain: rows.map((d) => d.model), label: null, axis: beside ? "left" : null, tickSize: 0, padding: beside ? 0.25 : 0 },
    },
    inset: beside ? {} : { insetTop: 18, insetBottom: 4 },
    shift: beside ? 0 : 7,
    names: beside ? []
      : [Plot.text(rows, { y: "model", frameAnchor: "left", textAnchor: "start", dx: 3, dy: -(row / 2), fontSize: 10.5, text: "model" })],
  };
}

export function fitChart(rows, width) {
  const { layout, inset, shift, names } = named(width, rows, 24);
  return Plot.plot({
    ...layout,
    marginRight: 120,
    ariaLabel: "Machines that hold each model",
    x: { ...axis(width, roomy(width) ? "machines that can be rented now and hold the model" : "machines that hold it"),
      domain: [0, Math.max(1, ...rows.map((d) => d.machines))] },
    marks: [
      Plot.barX(rows, { ...inset, y: "model", x: "machines", fill: blue,
        title: (d) => `${d.model}: ${machines(d.machines)}, from ${price(d.price, "no machine")} an hour` }),
      Plot.text(rows, { y: "model", x: "machines", dx: 6, dy: shift, textAnchor: "start",
        text: (d) => (d.price === null ? "0, no machine" : `${count(d.machines)}, from ${shortPrice(d.price)}`) }),
      Plot.ruleX([0]),
      ...names,
    ],
  });
}

/** The three prices of a model lie in lanes, so that equal ones do not hide each other. */
export function priceChart(rows, width) {
  const { layout, shift, names } = named(width, rows, 30);
  const lanes = [["16 bits", "at_16", -7], ["8 bits", "at_8", 0], ["4 bits", "at_4", 7]];
  // A logarithmic axis has no place for a machine that is free: such a price is in the table only.
  const dots = lanes.map(([precision, field, lane]) => ({ precision, field, lane, rows: rows.filter((d) => d[field] > 0) }));
  const shown = dots.flatMap(({ field, rows }) => rows.map((d) => d[field]));
  const ticks = [-3, -2, -1, 0, 1, 2, 3].flatMap((power) => (roomy(width) ? [1, 3] : [1]).map((d) => Number(`${d}e${power}`)));
  return Plot.plot({
    ...layout,
    ariaLabel: "Price of the cheapest machine for each model by precision",
    color: { ...colours.precision, legend: true },
    x: { ...axis(width, "US dollars an hour (logarithmic)"), type: "log", insetLeft: 10, insetRight: 10,
      ticks: ticks.filter((d) => d >= Math.min(...shown) && d <= Math.max(...shown)), tickFormat: (d) => `$${d}` },
    marks: [
      Plot.ruleY(rows, { y: "model", dy: shift, stroke: "var(--theme-foreground-faintest)" }),
      ...dots.map(({ precision, field, lane, rows }) => Plot.dot(rows, { y: "model", x: field, dy: shift + lane, r: 4,
        fill: () => precision, title: (d) => `${d.model} at ${precision}: ${price(d[field])} an hour` })),
      ...names,
    ],
  });
}

/** rows: places by tier; places: each once with its machines, most first. */
export function countryChart(rows, places, width) {
  return Plot.plot({
    ...common(width),
    height: 50 + places.length * 24,
    marginLeft: 138,
    marginRight: 48,
    ariaLabel: "Machines by country and tier",
    color: { ...colours.tier, legend: true },
    x: axis(width, "machines that can be rented now"),
    y: { domain: places.map((d) => country(d.country)), label: null, tickSize: 0, padding: 0.25 },
    marks: [
      Plot.barX(rows, { y: (d) => country(d.country), x: "available", fill: "tier", order: colours.tier.domain,
        title: (d) => `${country(d.country)}, ${d.tier}: ${machines(d.available)}` }),
      Plot.text(places, { y: (d) => country(d.country), x: "in_country", dx: 6, textAnchor: "start", text: (d) => count(d.in_country) }),
      Plot.ruleX([0]),
    ],
  });
}

/** rows: the items of a model with their precision; totals: the needs that they add up to. */
export function itemChart(rows, totals, width) {
  // In the database's order. The networks of a pipeline have names of their own, and the colours in turn.
  const order = [...new Set(rows.map((d) => d.item))];
  const range = order.map((item, i) => colours.item[item] ?? colours.networks[i % colours.networks.length]);
  return Plot.plot({
    ...common(width),
    height: 190,
    marginLeft: 56,
    marginRight: 84,
    ariaLabel: "GPU memory needed by item and precision",
    color: { domain: order, range, legend: true },
    x: axis(width, roomy(width) ? "GPU memory on one GPU, GiB (2^30 bytes)" : "GiB (2^30 bytes) on one GPU"),
    y: { domain: colours.precision.domain, label: null, tickSize: 0, padding: 0.3 },
    marks: [
      Plot.barX(rows, { y: (d) => `${d.bits} bits`, x: "gib", fill: "item", order,
        title: (d) => `${d.item} at ${d.bits} bits: ${gib(d.gib)} GiB` }),
      Plot.text(totals, { y: (d) => `${d.bits} bits`, x: "gib", dx: 6, textAnchor: "start", text: (d) => `${gib(d.gib)} GiB` }),
      Plot.ruleX([0]),
    ],
  });
}

export function gapChart(gaps, width) {
  const rows = gaps.map((d) => ({ ...d, model: d.fit_id }));
  const { layout, inset, shift, names } = named(width, rows, 30);
  return Plot.plot({
    ...layout,
    marginRight: 84,
    ariaLabel: "GiB that the nearest machine is short",
    x: axis(width, roomy(width) ? "GiB short over all GPUs of the nearest machine" : "GiB short over all GPUs"),
    marks: [
      Plot.barX(rows, { ...inset, y: "model", x: "short_gib", fill: red,
        title: (d) => `${d.fit_id}: ${gib(d.short_gib)} GiB short on ${text(d.machine)}` }),
      Plot.text(rows, { y: "model", x: "short_gib", dx: 6, dy: shift, textAnchor: "start", text: (d) => `${gib(d.short_gib)} GiB` }),
      Plot.ruleX([0]),
      ...names,
    ],
  });
}
