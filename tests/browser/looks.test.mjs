// Light and dark at both widths: nothing is wider than the window, text has contrast, everything has a name.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, eventually, inWindow, NARROW, picture, run, section, signIn, waitForRows, WIDE } from "./harness.mjs";

const SQL = `-- Revenue of each nation's customers, and how it is spread
WITH revenue AS (
  SELECT c_nationkey, sum(o_totalprice) AS total, count(*) AS orders
  FROM tpch.tiny.orders JOIN tpch.tiny.customer ON o_custkey = c_custkey
  WHERE o_orderdate >= DATE '1995-01-01'
  GROUP BY c_nationkey
)
SELECT n_name AS nation, r_name AS region, orders, total, total / orders AS average,
       CASE WHEN orders > 400 THEN 'many' END AS size
FROM revenue JOIN tpch.tiny.nation ON c_nationkey = n_nationkey JOIN tpch.tiny.region ON n_regionkey = r_regionkey
ORDER BY total DESC
`;

/** Texts whose contrast with their ground is below what WCAG 2.1 AA asks; of controls in use only. */
function poorContrasts() {
  const parse = (color) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const poor = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("").trim();
      if (text === "" || !element.checkVisibility() || element.closest("[disabled], .off-screen, option")) continue;
      const style = getComputedStyle(element);
      const [a, b] = [luminance(parse(style.color)), luminance(ground(element))].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      const isLarge = parseFloat(style.fontSize) >= 24;
      if (ratio < (isLarge ? 3 : 4.5)) poor.push(`${text.slice(0, 30)} ${style.color} ${ratio.toFixed(2)} ${element.className}`);
    }
  };
  walk(document);
  return [...new Set(poor)];
}

/** Controls that a reader of the screen could not name. */
function nameless() {
  const found = [];
  for (const element of document.querySelectorAll("button, a, input, select, textarea")) {
    if (!element.checkVisibility()) continue;
    const name = element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.[0]?.textContent.trim();
    if (!name) found.push(element.outerHTML.slice(0, 120));
  }
  return found;
}

async function check(page, name) {
  await picture(page, name);
  assert.deepEqual(await page.evaluate(poorContrasts), [], name);
  assert.deepEqual(await page.evaluate(nameless), [], name);
  const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert(scroll <= client, `${name} is ${scroll} pixels wide, the window ${client}`);
}

for (const colorScheme of ["light", "dark"]) {
  for (const viewport of [WIDE, NARROW]) {
    test(`every section, ${colorScheme}, ${viewport.width} pixels`, () =>
      inWindow({ viewport, colorScheme }, async (page) => {
        const named = (name) => `${name}-${colorScheme}-${viewport.width}`;
        await signIn(page);
        await run(page, SQL);
        await waitForRows(page, "25 rows");
        await cell(page, 1, 1).waitFor();
        await check(page, named("sql"));
        await page.getByRole("tab", { name: "Chart" }).click();
        await page.locator(".plot canvas").waitFor();
        await check(page, named("chart"));
        await page.getByRole("tab", { name: "Plan" }).click();
        await check(page, named("plan"));
        await run(page, "SELECT n_name FROM tpch.tiny.nation WHERE n_nam = 'PERU'");
        await page.locator(".query-error").waitFor();
        await check(page, named("error"));
        await section(page, "History");
        await page.getByRole("table").waitFor();
        await check(page, named("history"));
        await section(page, "Views");
        await page.getByRole("link", { name: /Orders of a customer/ }).click();
        await page.getByLabel("Value for o_custkey").fill("370");
        await page.getByRole("button", { name: "Read" }).click();
        await page.locator(".answer").waitFor();
        await check(page, named("view"));
        await page.getByRole("tab", { name: "Definition" }).click();
        await check(page, named("definition"));
        await section(page, "Access");
        await page.getByRole("region", { name: /Accounts/ }).getByRole("table").waitFor();
        await page.getByRole("region", { name: /Members/ }).getByRole("table").waitFor();
        await check(page, named("access"));
      }));
  }
}

test("the theme is chosen and kept", () =>
  inWindow({ colorScheme: "light" }, async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await signIn(page);
    const light = await ground();
    await page.getByRole("button", { name: "Account and theme" }).click();
    await page.getByRole("radio", { name: "Dark" }).check();
    await eventually(async () => assert.notEqual(await ground(), light));
    await page.reload();
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
    await eventually(async () => assert.notEqual(await ground(), light));
  }));

test("the page is used by the keyboard alone", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        const name = element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
        const style = element && getComputedStyle(element);
        return { name, isMarked: element?.matches(":focus-visible") && (style.outlineStyle !== "none" || element.className === "editor") };
      });
    const seen = [];
    for (let i = 0; i < 60 && !seen.includes("Height of the editor"); i += 1) {
      await page.keyboard.press("Tab");
      const { name, isMarked } = await focused();
      seen.push(name);
      if (name !== "") assert(isMarked, `the focus on ${name} is not seen`);
    }
    for (const name of ["SQL", "History", "Account and theme", "Catalog", "Height of the editor"]) {
      assert(seen.some((text) => text === name), `${name} is not reached: ${seen.join(", ")}`);
    }
    const height = () => page.locator(".editor-pane").evaluate((pane) => pane.clientHeight);
    const before = await height();
    await page.keyboard.press("ArrowDown");
    await eventually(async () => assert.equal(await height(), before + 24));
  }));
