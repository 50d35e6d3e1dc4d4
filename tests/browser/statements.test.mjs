// The way of a statement through the page: run, run of a part, error at its place, cancel, cache, completion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, cell, cellIs, demo, eventually, inWindow, resultFacts, run, signIn, waitForRows, write } from "./harness.mjs";

/** Compares 3.6 · 10^9 pairs of texts: it runs until it is canceled. */
const SLOW =
  "SELECT count(*) FROM tpch.tiny.lineitem a JOIN tpch.tiny.lineitem b ON a.l_comment || b.l_comment = 'no comment is this one'";

test("a statement runs by the keyboard and its rows are shown with their types", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await run(page, "SELECT r_name, r_regionkey, CAST(NULL AS varchar) AS nothing, DECIMAL '1.10' AS price FROM tpch.tiny.region ORDER BY r_name");
    await waitForRows(page, "5 rows");
    await cellIs(page, 1, 1, "AFRICA");
    await cellIs(page, 1, 3, "NULL");
    await cell(page, 1, 3).locator(".null").waitFor();
    await cellIs(page, 1, 4, "1.10");
    await eventually(async () => {
      const titles = await page.getByRole("columnheader").allTextContents();
      assert.deepEqual(titles, ["r_namevarchar(25)", "r_regionkeybigint", "nothingvarchar", "pricedecimal(3,2)"]);
    });
  }));

test("numbers keep every digit", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await run(page, "SELECT 9007199254740993 AS a, DECIMAL '12345678901234567890.123456789' AS b, ARRAY[9007199254740993] AS c");
    await waitForRows(page, "1 row");
    await cellIs(page, 1, 1, "9007199254740993");
    await cellIs(page, 1, 2, "12345678901234567890.123456789");
    await cellIs(page, 1, 3, "[9007199254740993]");
  }));

test("of several statements the one at the cursor runs, and a selection runs alone", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await write(page, "SELECT 'first; one' AS a;\nSELECT 'second' AS b");
    await page.keyboard.press("Control+Enter");
    await waitForRows(page, "1 row");
    await cellIs(page, 1, 1, "second");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("gridcell", { name: "first; one" }).waitFor();
    await write(page, "SELECT 1 AS whole");
    for (let i = 0; i < " AS whole".length; i += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+Home");
    await page.getByRole("button", { name: "Run selection" }).click();
    await page.getByRole("columnheader", { name: /_col0/ }).waitFor();
  }));

test("an error is told and marked at its line and column", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await run(page, "SELECT '🏠' AS house,\n       no_such_column\nFROM tpch.tiny.region");
    const alert = page.locator(".query-error");
    await alert.waitFor();
    await eventually(async () => {
      assert.match(await alert.textContent(), /COLUMN_NOT_FOUND.*line 2:8/s);
      assert.equal(await page.locator(".cm-lintRange-error").textContent(), "no_such_column");
      assert.match(await resultFacts(page).textContent(), /^Failed/);
    });
    await run(page, "SELECT 1");
    await waitForRows(page, "1 row");
    await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
  }));

test("a running statement shows its progress and can be canceled", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await run(page, SLOW);
    await page.locator(".progress [data-status=RUNNING]").waitFor();
    const elapsed = page.locator("[data-role=elapsed]");
    const before = await elapsed.textContent();
    await page.waitForFunction((text) => document.querySelector("[data-role=elapsed]")?.textContent !== text, before);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".query-error").filter({ hasText: "USER_CANCELED" }).waitFor();
    const { id } = await demo();
    const { result } = await api(`queries?workspaceId=${id}&limit=1`);
    assert.deepEqual([result[0].status, result[0].error.errorName, result[0].source], ["FAILED", "USER_CANCELED", "WEB"]);
  }));

test("parameters are fields, sent beside the text with their types, and come back from the history", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await write(page, "SELECT :n AS n, :price AS price, :day + INTERVAL '1' DAY AS next_day, :word AS word -- :not_one");
    const form = page.getByRole("group", { name: "Parameters" });
    await eventually(async () => assert.equal(await form.getByRole("textbox").count(), 4));
    await form.getByLabel("Value of n", { exact: true }).fill("9007199254740993");
    await form.getByLabel("Value of price").fill("1.50");
    await form.getByLabel("Value of day").fill("2026-02-28");
    await form.getByLabel("Type of word").selectOption("text");
    await form.getByLabel("Value of word").fill("'; 42");
    await page.keyboard.press("Enter");
    await waitForRows(page, "1 row");
    for (const [column, text] of ["9007199254740993", "1.50", "2026-03-01", "'; 42"].entries()) await cellIs(page, 1, column + 1, text);
    await page.reload();
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
    const { id } = await demo();
    const { result } = await api(`queries?workspaceId=${id}&limit=1`);
    await page.goto(page.url().replace(/#.*/, `#/sql/${result[0].id}`));
    await waitForRows(page, "1 row");
    await eventually(async () => {
      assert.equal(await form.getByLabel("Value of n", { exact: true }).inputValue(), "9007199254740993");
      assert.equal(await form.getByLabel("Value of day").inputValue(), "2026-02-28");
    });
  }));

test("the cache's switches are sent", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await page.getByRole("button", { name: "Cache: off" }).click();
    await page.getByLabel("Use the cache").check();
    await page.getByLabel(/Results as old as/).fill("600");
    await page.keyboard.press("Escape");
    const sql = "SELECT count(*) AS cached_count FROM tpch.tiny.nation";
    const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/v1/query"));
    await run(page, sql);
    const body = (await sent).postDataJSON();
    assert.deepEqual([body.cacheTTL, body.cacheRefresh, body.source], [600, false, "WEB"]);
    await waitForRows(page, "1 row");
    await run(page, sql);
    await resultFacts(page).filter({ hasText: "cached" }).waitFor();
  }));

test("names of the catalog, columns in scope and functions are completed", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    await page.getByRole("complementary", { name: "Catalog" }).getByText("tpch.tiny").waitFor();
    const options = page.getByRole("listbox").getByRole("option");
    await write(page, "SELECT  FROM tpch.tiny.nation n");
    await page.keyboard.press("Home");
    for (let i = 0; i < "SELECT ".length; i += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.type("n.n_reg");
    await options.filter({ hasText: "n_regionkey" }).waitFor();
    await page.keyboard.press("Escape");
    await write(page, "SELECT * FROM tpch.tiny");
    await page.keyboard.type(".lin");
    await options.filter({ hasText: "lineitem" }).waitFor();
    await page.keyboard.press("Escape");
    await write(page, "SELECT");
    await page.keyboard.type(" approx_dis");
    await options.filter({ hasText: "approx_distinct" }).waitFor();
  }));
