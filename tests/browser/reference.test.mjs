// The API reference: made in the browser from the server's own document, without a token.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, inWindow, NARROW, picture, section, SERVER, signIn, WIDE } from "./harness.mjs";

const openapi = async () => (await fetch(`${SERVER}/api/v1/openapi.json`)).json();
const operationsOf = (document) => Object.values(document.paths).flatMap((methods) => Object.values(methods));

for (const [viewport, width] of [[WIDE, 1280], [NARROW, 390]]) {
  test(`every operation and schema of the document is there at ${width} pixels`, () =>
    inWindow({ viewport, colorScheme: width === 1280 ? "light" : "dark" }, async (page) => {
      const document = await openapi();
      await page.goto(`${SERVER}/api/v1/reference`);
      await page.getByRole("heading", { name: "Rowhouse API" }).waitFor();
      for (const { operationId, summary } of operationsOf(document)) {
        assert.equal(await page.locator(`[id="${operationId}"]`).getByRole("heading", { name: summary, exact: true }).count(), 1, operationId);
      }
      for (const name of Object.keys(document.components.schemas)) {
        assert.equal(await page.locator(`[id="schema-${name}"]`).count(), 1, name);
      }
      // Nothing is wider than the window.
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert(overflow <= 0, `${overflow} pixels too wide`);
      await picture(page, `reference-${width}`);
      await page.locator("#submitQuery").scrollIntoViewIfNeeded();
      await page.locator("#submitQuery summary").first().click();
      await page.locator("#submitQuery details[open] pre").first().waitFor();
      await picture(page, `reference-operation-${width}`);
    }));
}

test("search, links to schemas, an address that names an endpoint", () =>
  inWindow({}, async (page) => {
    await page.goto(`${SERVER}/web/api/v1/reference#readView`);
    const readView = page.locator("#readView");
    await readView.waitFor();
    await page.waitForFunction(() => {
      const top = document.getElementById("readView")?.getBoundingClientRect().top ?? -1;
      return top >= 0 && top < window.innerHeight;
    });
    await page.getByRole("searchbox", { name: "Search endpoints" }).fill("cancel");
    await readView.waitFor({ state: "detached" });
    await page.locator("#cancelQuery").waitFor();
    await page.getByRole("searchbox", { name: "Search endpoints" }).fill("nothing at all");
    await page.getByText("No endpoint matches").waitFor();
    await page.getByRole("searchbox", { name: "Search endpoints" }).fill("");
    await page.locator("#getQuery").getByRole("link", { name: "Query", exact: true }).first().click();
    await page.waitForURL(/\/web\/api\/v1\/reference#schema-Query$/);
    await page.waitForFunction(() => {
      const top = document.getElementById("schema-Query")?.getBoundingClientRect().top ?? -1;
      return top >= 0 && top < window.innerHeight;
    });
  }));

test("the line for curl is copied, and the page leads here", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await section(page, "History");
    await page.getByRole("button", { name: "Account and theme" }).click();
    const [reference] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "API reference" }).click(),
    ]);
    const submit = reference.locator("#submitQuery");
    await submit.getByRole("button", { name: "Copy curl line" }).click();
    const expected = new RegExp(`^curl -H "Authorization: Token \\$TOKEN" -d '\\{.*\\}' '${SERVER}/web/api/v1/query'$`);
    await eventually(async () => {
      const line = await reference.evaluate(() => navigator.clipboard.readText());
      assert.match(line.replaceAll(" \\\n ", ""), expected);
    });
  }));
