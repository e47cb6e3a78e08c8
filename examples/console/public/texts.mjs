// The language of the page: its texts, its numbers, and how elements are made of them.
import de from "./de.mjs";
import en from "./en.mjs";

const dictionaries = { en, de };
let language = "en";

/** The language of the address, else the first of the browser's that there are texts in, else English. */
export function preferredLanguage(asked) {
  const wanted = [asked, ...navigator.languages].map((tag) => String(tag).split("-")[0]);
  return wanted.find((tag) => Object.hasOwn(dictionaries, tag)) ?? "en";
}

export function setLanguage(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
}

/** A text, with {names} replaced by values. */
export const text = (key, values = {}) => dictionaries[language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** A word of the database in the page's language where there is a text for it, else as it is. */
export const word = (prefix, value) => dictionaries[language][`${prefix}_${value}`] ?? value;

const format = (options) => (value) => new Intl.NumberFormat(language, options).format(value);

/** Prices and memory have two decimals, a price more where it has more. Nothing is calculated. */
export const numbers = {
  count: format({ maximumFractionDigits: 0 }),
  gib: format({ minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  price: format({ minimumFractionDigits: 2, maximumFractionDigits: 9 }),
  hours: format({ maximumFractionDigits: 1 }),
  speed: format({ maximumFractionDigits: 2 }),
  rough: format({ notation: "compact", maximumSignificantDigits: 3 }),
};

/** The name of a country in the page's language; the code itself where it is none. */
export function countryName(code) {
  try {
    return new Intl.DisplayNames([language], { type: "region" }).of(code);
  } catch {
    return code;
  }
}

/** An element with attributes and children; text is only ever text, never markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** The texts that stand in the document itself. */
export function translateDocument(use) {
  document.title = text("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", text(element.dataset.label));
  for (const element of document.querySelectorAll("[data-text-by-use]")) {
    element.textContent = word(element.dataset.textByUse, use);
  }
}
