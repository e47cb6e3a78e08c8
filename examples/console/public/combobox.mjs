// A text field with a list to choose from (the combobox of the ARIA practices): any text may stay in it.
// Arrows move in the list, Enter takes the marked entry, Escape closes.
import { make } from "./texts.mjs";

/**
 * entries() gives the list as { value, note }. It shows all of them when it opens, and those that have
 * every typed word once something is typed.
 */
export function combobox(input, list, entries) {
  let marked = -1;

  const isOpen = () => !list.hidden;

  function open(words) {
    const found = entries().filter(({ value }) => words.every((part) => value.toLowerCase().includes(part)));
    list.replaceChildren(...found.map(({ value, note }, place) =>
      make("li", { role: "option", id: `${list.id}-${place}`, "data-value": value, "aria-selected": "false" },
        make("span", {}, value), make("small", {}, note))));
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(isOpen()));
    mark(-1);
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  }

  function mark(place) {
    list.children[marked]?.setAttribute("aria-selected", "false");
    marked = place;
    const option = list.children[place];
    if (!option) return input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  }

  function take(option) {
    input.value = option.dataset.value;
    close();
    for (const type of ["input", "change"]) input.dispatchEvent(new CustomEvent(type, { bubbles: true, detail: "chosen" }));
  }

  function step(by) {
    if (!isOpen()) return open([]);
    const count = list.children.length;
    mark(marked < 0 && by < 0 ? count - 1 : (marked + by + count) % count);
  }

  input.addEventListener("input", (event) => {
    if (event.detail !== "chosen") open(input.value.toLowerCase().split(/\s+/).filter(Boolean));
  });
  input.addEventListener("click", () => (isOpen() ? close() : open([])));
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const option = list.children[marked];
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Escape" && isOpen()) close();
    else if (event.key === "Enter" && isOpen() && option) take(option);
    else return;
    event.preventDefault();
  });
  // The field keeps the focus while the list is pressed.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) take(option);
  });
}
