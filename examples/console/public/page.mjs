// The page: the choice in the address, the question to the server, and what is shown meanwhile.
import { answerElements, summary } from "./answer.mjs";
import { focusFault, readForm, refresh, saidBy, setOptions, showFault, workload, writeForm } from "./form.mjs";
import { make, preferredLanguage, setLanguage, text } from "./texts.mjs";

const form = document.getElementById("form");
const section = document.getElementById("answer");

/** What the answer's place shows: begin, loading, answer or fault, with what belongs to it. */
let view = { state: "begin" };
let asked = null; // the choice that the view is about
let language = null; // as chosen in the address; the browser's otherwise
let question = null; // the request under way, to be given up for a newer one

/** Whole numbers that a double would round stay exact, where the browser gives their digits. */
const exact = (key, value, context) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source) ? BigInt(context.source) : value;

async function fetchJson(path, init) {
  const response = await fetch(path, init);
  const read = JSON.parse(await response.text(), exact);
  if (!response.ok) throw read.error;
  return read;
}

const choice = () => JSON.stringify(readForm());

function address(isAsked) {
  const query = new URLSearchParams(readForm());
  if (language) query.set("lang", language);
  if (isAsked) query.set("ask", "1");
  return `?${query}`;
}

/** An answered choice stays in the history; a draft gives way to the next one. */
function remember(isAsked) {
  const next = address(isAsked);
  if (next === location.search) return;
  if (new URLSearchParams(location.search).has("ask")) history.pushState(null, "", next);
  else history.replaceState(null, "", next);
}

function show(next) {
  view = next;
  const { state, answer, fault } = view;
  section.setAttribute("aria-busy", String(state === "loading"));
  section.dataset.state = state;
  showFault(state === "fault" && fault.kind === "refused" ? fault : null);
  const status = { begin: () => text("begin"), loading: () => text("loading"), answer: () => summary(answer),
    fault: () => fault.kind === "refused" ? text("status_refused") : "" }[state]();
  document.getElementById("status").textContent = status;
  const result = document.getElementById("result");
  if (state === "answer") result.replaceChildren(...answerElements(answer));
  else if (state === "fault" && fault.kind !== "refused") result.replaceChildren(make("div", { class: "fault", role: "alert" }, saidBy(fault)));
  else result.replaceChildren();
  showChanged();
}

function showChanged() {
  document.getElementById("changed").hidden = view.state !== "answer" || asked === choice();
}

/** Asks what the form says. Where somebody pressed the button, the focus goes to what came of it. */
async function ask(isPressed) {
  question?.abort();
  const mine = question = new AbortController();
  asked = choice();
  show({ state: "loading" });
  let next;
  try {
    const answer = await fetchJson("api/launch", { method: "POST", signal: mine.signal,
      headers: { "Content-Type": "application/json" }, body: JSON.stringify(workload()) });
    next = { state: "answer", answer };
  } catch (error) {
    next = { state: "fault", fault: typeof error?.kind === "string" ? error : { kind: "network" } };
  }
  if (mine.signal.aborted) return;
  show(next);
  if (next.fault?.kind === "refused") focusFault();
  else if (isPressed) section.focus();
}

/** Fills in the form from the address, and asks where the address says so. */
function follow() {
  const query = new URLSearchParams(location.search);
  language = query.get("lang");
  speak(preferredLanguage(language));
  writeForm(query);
  if (query.has("ask")) ask(false);
  else show({ state: "begin" });
}

function speak(chosen) {
  setLanguage(chosen);
  for (const button of document.querySelectorAll("[data-lang]")) button.setAttribute("aria-pressed", String(button.dataset.lang === chosen));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  remember(true);
  ask(true);
});
form.addEventListener("input", showChanged);
form.addEventListener("change", () => remember(asked === choice()));
for (const button of document.querySelectorAll("[data-lang]")) {
  button.addEventListener("click", () => {
    language = button.dataset.lang;
    speak(language);
    history.replaceState(null, "", address(view.state !== "begin" && asked === choice()));
    refresh();
    show(view);
  });
}
window.addEventListener("popstate", follow);

follow();
try {
  setOptions(await fetchJson("api/options"));
} catch {
  document.getElementById("hint-model").dataset.text = "options_missing";
  refresh();
}
