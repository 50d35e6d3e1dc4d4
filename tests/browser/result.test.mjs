// The result: a million rows under the scroll bar, keys, copy, downloads, charts.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { cell, eventually, inWindow, picture, run, signIn, waitForRows } from "./harness.mjs";

const MILLION = "SELECT l_orderkey, l_linenumber, n_name, l_comment FROM tpch.tiny.lineitem CROSS JOIN tpch.tiny.nation";
const DAILY =
  "SELECT o_orderdate, count(*) AS orders, sum(o_totalprice) AS revenue FROM tpch.tiny.orders GROUP BY o_orderdate ORDER BY o_orderdate";
const BY_REGION =
  "SELECT r_name, count(*) AS nations FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey GROUP BY r_name";

/** What is drawn: pixels of the chart that are not transparent. */
const inkOf = (page) =>
  page.locator(".plot canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let ink = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 0) ink += 1;
    return ink;
  });

test("more than a million rows can be scrolled through, and only what is in sight is fetched", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await run(page, MILLION);
    await waitForRows(page, /1,\d{3},\d{3} rows/);
    const count = Number((await page.locator(".result-facts").textContent()).match(/[\d,]+/)[0].replaceAll(",", ""));
    assert(count > 1_000_000);
    await cell(page, 1, 3).waitFor();
    let fetched = 0;
    page.on("response", (answer) => {
      if (answer.url().includes("/result?")) fetched += 1;
    });
    const grid = page.getByRole("grid");
    await grid.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Control+End");
    await page.waitForFunction((last) => {
      const row = document.querySelector(`[role=row][aria-rowindex="${last + 1}"] [role=gridcell]`);
      return row && row.textContent !== "";
    }, count);
    await picture(page, "grid-end-1280");
    // The wheel moves by rows also where a pixel of the bar stands for many.
    const topRow = () => page.evaluate(() => Number(document.querySelectorAll("[role=row]")[1].getAttribute("aria-rowindex")));
    const top = await topRow();
    await grid.hover();
    await page.mouse.wheel(0, -26 * 3);
    await page.waitForFunction((row) => document.querySelectorAll("[role=row]")[1].getAttribute("aria-rowindex") === String(row), top - 3);
    for (const share of [0.25, 0.5, 0.75]) {
      await grid.evaluate((element, at) => { element.scrollTop = element.scrollHeight * at; }, share);
      await page.waitForFunction((near) => {
        const rows = [...document.querySelectorAll("[role=row][aria-rowindex]")].slice(1);
        const cells = rows.map((row) => row.querySelector("[role=gridcell]")?.textContent ?? "");
        const first = Number(rows[0]?.getAttribute("aria-rowindex"));
        return Math.abs(first - near) < near * 0.02 && cells.every((text) => text !== "");
      }, count * share);
    }
    assert(fetched < 40, `${fetched} pages were fetched`);
    await page.keyboard.press("Control+Home");
    await cell(page, 1, 1).waitFor();
  }));

test("a row is the same in the grid as by its offset", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await run(page, "SELECT o_orderkey FROM tpch.tiny.orders ORDER BY o_orderkey");
    await waitForRows(page, "15,000 rows");
    await cell(page, 1, 1).click();
    for (let i = 0; i < 30; i += 1) await page.keyboard.press("PageDown");
    const active = page.locator(".grid-cell[data-active=true]");
    await eventually(async () => {
      const [index, text] = await active.evaluate((element) => [element.parentElement.getAttribute("aria-rowindex"), element.textContent]);
      const row = Number(index) - 1;
      assert(row > 200, `row ${row}`);
      // Keys of orders: eight of each thirty-two.
      assert.equal(text, String(Math.floor((row - 1) / 8) * 32 + ((row - 1) % 8) + 1));
    });
  }));

test("a block of cells is copied with tabs, and a value is shown whole", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await run(page, "SELECT n_name, n_nationkey FROM tpch.tiny.nation ORDER BY n_nationkey");
    await waitForRows(page, "25 rows");
    await cell(page, 1, 1).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Control+c");
    await page.getByText("2 rows copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "ALGERIA\t0\nARGENTINA\t1");
    await cell(page, 3, 1).click();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("BRAZIL").waitFor();
    await page.keyboard.press("Escape");
  }));

test("the result is downloaded in every format", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await run(page, "SELECT r_regionkey, r_name FROM tpch.tiny.region ORDER BY r_regionkey");
    await waitForRows(page, "5 rows");
    const files = {};
    for (const name of ["CSV", "JSON", "NDJSON", "Parquet", "Arrow stream"]) {
      await page.getByRole("button", { name: "Download" }).click();
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
      const download = await coming;
      files[download.suggestedFilename().split(".").pop()] = await readFile(await download.path());
    }
    assert.equal(files.csv.toString().trim().split(/\r?\n/).length, 6);
    assert.match(files.csv.toString(), /^r_regionkey,r_name\r?\n0,AFRICA\r?\n/);
    assert.equal(JSON.parse(files.json).rowCount, 5);
    assert.equal(files.ndjson.toString().trim().split("\n").length, 5);
    assert.equal(files.parquet.subarray(0, 4).toString(), "PAR1");
    // An Arrow stream begins with a continuation mark.
    assert.equal(files.arrow.readUInt32LE(0), 0xffffffff);
  }));

test("a result is drawn as a line over time, as bars by name, as a scatter of numbers", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    const kind = () => page.locator("input[name=chart-kind]:checked").getAttribute("value");
    const chart = () => page.getByRole("tab", { name: "Chart" }).click();
    const inked = (least) =>
      eventually(async () => {
        const ink = await inkOf(page);
        assert(ink > least, `${ink} pixels are drawn`);
      });
    await run(page, DAILY);
    await waitForRows(page, /rows/);
    await chart();
    await page.locator(".plot canvas").waitFor();
    await eventually(async () => assert.equal(await kind(), "line"));
    await inked(2000);
    await picture(page, "chart-line-1280");
    await run(page, BY_REGION);
    await waitForRows(page, "5 rows");
    await chart();
    await page.locator(".plot canvas").waitFor();
    await eventually(async () => assert.equal(await kind(), "bar"));
    await inked(20_000);
    await picture(page, "chart-bar-1280");
    await run(page, "SELECT p_size, p_retailprice FROM tpch.tiny.part");
    await waitForRows(page, "2,000 rows");
    await chart();
    await page.locator(".plot canvas").waitFor();
    await eventually(async () => assert.equal(await kind(), "scatter"));
    await inked(2000);
    await page.locator("label", { hasText: /^Line$/ }).click();
    await eventually(async () => assert.equal(await kind(), "line"));
  }));
