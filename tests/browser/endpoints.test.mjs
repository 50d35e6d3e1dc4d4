// Endpoints: defined, called by their form, their statistics and versions, and kept results.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, inWindow, picture, section, signIn, TOKEN, write } from "./harness.mjs";

const SQL = `-- Parameter: least bigint required "The least key"
-- Parameter: name varchar in ('ASIA', 'EUROPE')
-- Cache: 60s
SELECT r_regionkey, r_name FROM tpch.tiny.region WHERE r_regionkey >= :least AND (:name IS NULL OR r_name = :name)`;

test("an endpoint is defined, called by its form, shown with its numbers, and goes back to a version", () =>
  inWindow({ mayFail: [400] }, async (page) => {
    const name = `regions_${Date.now()}`;
    await signIn(page);
    await write(page, "SELECT 1");
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill(name);
    await dialog.getByLabel("SQL", { exact: true }).fill(SQL.replace("-- Parameter: name", "-- Parametr: name"));
    await dialog.getByLabel(/Endpoint/).fill(name);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("SQL", { exact: true }).fill(SQL);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText(`“${name}” is saved`).waitFor();
    await section(page, "Saved SQL");
    await page.getByRole("link", { name }).click();

    const form = page.getByRole("form", { name: "Call the endpoint" });
    const least = form.getByLabel("least", { exact: true });
    await form.getByRole("button", { name: "Call" }).click();
    assert.equal(await least.evaluate((input) => input.validity.valueMissing), true);
    await least.fill("2");
    await form.getByLabel("name", { exact: true }).selectOption("ASIA");
    await form.getByRole("button", { name: "Call" }).click();
    const answer = form.locator(".answer");
    await answer.getByText("200", { exact: true }).waitFor();
    assert.deepEqual(JSON.parse(await answer.locator("pre").textContent()), [{ r_regionkey: 2, r_name: "ASIA" }]);
    const curl = await form.locator("[data-role=curl]").textContent();
    const direct = await fetch(/'(.*)'/.exec(curl)[1], { headers: { Authorization: `Token ${TOKEN}` } });
    assert.equal(direct.headers.get("cache-status"), "rowhouse; hit");
    assert.deepEqual(await direct.json(), [{ r_regionkey: 2, r_name: "ASIA" }]);
    await picture(page, "endpoint-1280");
    await least.fill("two");
    await form.getByRole("button", { name: "Call" }).click();
    await answer.getByText("400", { exact: true }).waitFor();

    await page.getByRole("tab", { name: "Calls" }).click();
    const facts = page.getByLabel("Calls of the last day").locator("div");
    const fact = (label) => facts.filter({ has: page.getByText(label, { exact: true }) }).locator("dd");
    await eventually(async () => assert.equal(await fact("Calls").textContent(), "3"));
    assert.equal(await fact("By kept results").textContent(), "1");
    assert.equal(await fact("Refused or failed").textContent(), "1");
    assert.match(await fact("p95").textContent(), /\d/);
    await picture(page, "endpoint-calls-1280");

    await page.getByRole("button", { name: "Change" }).click();
    await dialog.getByLabel("SQL", { exact: true }).fill(SQL.replace("r_regionkey, r_name", "r_name"));
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText(`“${name}” is saved`).last().waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.locator("[data-version='2']").getByText("now").waitFor();
    await picture(page, "versions-1280");
    await page.locator("[data-version='1']").getByRole("button", { name: "Go back" }).click();
    await dialog.getByRole("button", { name: "Go back" }).click();
    await page.locator("[data-version='3']").getByText("now").waitFor();
    await page.getByRole("tab", { name: "Call", exact: true }).click();
    await least.fill("3");
    await form.getByRole("button", { name: "Call" }).click();
    await eventually(async () =>
      assert.deepEqual(JSON.parse(await answer.locator("pre").textContent())[0], { r_regionkey: 3, r_name: "EUROPE" }),
    );

    await section(page, "Access");
    const cache = page.getByRole("region", { name: /Kept results/ });
    await cache.getByRole("row").nth(1).waitFor();
    await picture(page, "kept-results-1280");
    await cache.getByRole("button", { name: "Purge all" }).click();
    await page.getByText(/answers? no more/).waitFor();
    await cache.getByText("No result is kept for later statements.").waitFor();
  }));
