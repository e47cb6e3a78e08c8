// What the browser tests share: a page in headless Chromium, and results as `ok` lines.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

let failed = 0;

/** A line of text: no character of it controls the terminal. */
const line = (text) => text.replace(/[\x00-\x1f\x7f]+/g, " ");

/** Prints one result; whatever else is given is shown where it is not ok. */
export function check(good, what, ...details) {
  console.log(`${good ? "ok" : "not ok"} - ${line(what)}`);
  if (good) return;
  failed += 1;
  for (const detail of details) console.log(`#   ${typeof detail === "string" ? detail : JSON.stringify(detail)}`);
}

/** Two values are the same, compared as JSON. */
export function same(found, expected, what) {
  check(JSON.stringify(found) === JSON.stringify(expected), what, { found }, { expected });
}

/**
 * Runs the tests with a browser, closes it, and ends with status 1 where a result was not ok.
 * The pages are our own on loopback, so the sandbox, which root cannot have, is not needed.
 */
export async function withBrowser(tests) {
  const browser = await chromium.launch({
    executablePath: execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
  try {
    await tests(browser);
  } catch (error) {
    check(false, "the tests run to their end", error.stack);
  } finally {
    await browser.close();
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Keeps a picture of the page in build/browser/screenshots, to be looked at. */
export async function screenshot(page, name, options = {}) {
  mkdirSync("screenshots", { recursive: true });
  await page.screenshot({ path: `screenshots/${name}.png`, fullPage: true, ...options });
}
