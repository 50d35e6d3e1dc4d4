// A browser on the server under test. Every page is watched: an error in the console, an exception or a request to
// another origin fails the test that caused it.

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";

const needed = (name) => {
  const value = process.env[name];
  assert(value, `${name} is not set: cargo test --test browser runs these tests`);
  return value;
};

/** The server's address, without a slash at its end. */
export const SERVER = needed("ROWHOUSE_URL");
/** An admin's token. */
export const TOKEN = needed("ROWHOUSE_TOKEN");
const SCREENSHOTS = needed("ROWHOUSE_SCREENSHOTS");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const PATIENCE_MILLIS = 30_000;

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
});

after(() => browser?.close());

/**
 * Runs a test in a window of its own. `mayFail` names the answers that the test provokes: the browser writes a line
 * to the console for each.
 */
export async function inWindow({ viewport = WIDE, colorScheme = "light", mayFail = [], ...options }, test) {
  const context = await browser.newContext({
    viewport, colorScheme, acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"],
    hasTouch: viewport.width < 600, ...options,
  });
  const faults = [];
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MILLIS);
    page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
    page.on("console", (message) => {
      const isExpected = mayFail.some((status) => message.text().includes(`status of ${status}`));
      if (message.type() === "error" && !isExpected) faults.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (!["blob:", "data:"].includes(url.protocol) && url.origin !== SERVER) faults.push(`a request to ${url}`);
    });
    await test(page);
  } finally {
    await context.close();
  }
  assert.deepEqual(faults, []);
}

/** Signs in by the form. */
export async function signIn(page, token = TOKEN) {
  await page.goto(`${SERVER}/web/`);
  await page.getByLabel("Personal access token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Sections" }).waitFor();
}

/** Goes to a section by its link. */
export const section = (page, name) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true }).click();

/** Replaces the editor's text as one would with the keyboard. */
export async function write(page, sql) {
  const editor = page.getByRole("textbox", { name: "SQL" });
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(sql);
  // What opened while writing must not take the next key.
  await page.keyboard.press("Escape");
}

/** Runs a statement by the keyboard. */
export async function run(page, sql) {
  await write(page, sql);
  await page.keyboard.press("Control+Enter");
}

/** The fact beside the tabs of a result: `5 rows`, `Failed`. */
export const resultFacts = (page) => page.locator(".result-facts");

export async function waitForRows(page, text) {
  await resultFacts(page).filter({ hasText: text }).waitFor();
}

/** Repeats assertions until they hold: what the page shows follows an action some time after it. */
export async function eventually(assertions) {
  const deadline = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > deadline) throw error;
    }
    await setTimeout(20);
  }
}

/** A cell by its row, from 1, and its column, from 1. */
export const cell = (page, row, column) =>
  page.locator(`[role=row][aria-rowindex="${row + 1}"] [role=gridcell][aria-colindex="${column}"]`);

/** Waits until a cell shows a text, exactly. */
export async function cellIs(page, row, column, text) {
  await eventually(async () => assert.equal(await cell(page, row, column).textContent(), text));
}

/** Asks the API as programs do. */
export async function api(path, body, method = body ? "POST" : "GET") {
  const answer = await fetch(`${SERVER}/api/v1/${path}`, {
    method,
    headers: { Authorization: `Token ${TOKEN}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.json();
}

export const demo = async () => (await api("workspaces")).find((workspace) => workspace.sqlName === "demo");

/** Keeps a picture of the page among the files of the test run. */
export async function picture(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const path = join(SCREENSHOTS, `${name}.png`);
  await page.screenshot({ path });
  assert(existsSync(path));
}
