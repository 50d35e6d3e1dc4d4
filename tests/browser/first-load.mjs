// What the page's first load takes: bytes over the wire, and the time until it can be used, each with an empty cache.
//
//   ROWHOUSE_URL=http://127.0.0.1:8080 ROWHOUSE_TOKEN=... node tests/browser/first-load.mjs
//
// It judges nothing: docs/performance.md has what it printed.

import { chromium } from "playwright-core";

const { ROWHOUSE_URL: server, ROWHOUSE_TOKEN: token, CHROMIUM: executablePath = "/usr/bin/chromium" } = process.env;
const ROUNDS = 9;

const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });

/** Bytes of the answers with their heads, and milliseconds until something can be used. */
async function load(path, isSignedIn, isUsable) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  if (isSignedIn) await context.addInitScript((kept) => sessionStorage.setItem("rowhouse.token", kept), token);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.goto(server + path, { waitUntil: "commit" });
  await isUsable(page).waitFor();
  const millis = await page.evaluate(() => performance.now());
  await page.waitForLoadState("networkidle");
  await context.close();
  return { bytes, requests, millis };
}

for (const [name, path, isSignedIn, isUsable] of [
  ["sign-in form", "/web/", false, (page) => page.getByLabel("Personal access token")],
  ["SQL editor, signed in", "/web/", true, (page) => page.getByRole("textbox", { name: "SQL" })],
  ["API reference", "/api/v1/reference", false, (page) => page.locator("#submitQuery")],
]) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await load(path, isSignedIn, isUsable));
  rounds.sort((one, other) => one.millis - other.millis);
  const { bytes, requests, millis } = rounds[ROUNDS >> 1];
  const worst = rounds[ROUNDS - 1].millis;
  console.log(`${name}: ${bytes} bytes in ${requests} answers; usable after ${millis.toFixed(0)} ms (worst of ${ROUNDS}: ${worst.toFixed(0)} ms)`);
}
await browser.close();
