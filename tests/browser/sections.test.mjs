// Saving and running saved SQL, the history, views with their form, tokens and members.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, cellIs, demo, eventually, inWindow, NARROW, picture, run, SERVER, section, signIn, TOKEN, waitForRows, write } from "./harness.mjs";

test("SQL is saved, run, shown with its statistics, changed and deleted", () =>
  inWindow({}, async (page) => {
    const title = `Regions ${Date.now()}`;
    await signIn(page);
    await write(page, "SELECT count(*) AS regions FROM tpch.tiny.region");
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill(title);
    await dialog.getByLabel("Description").fill("all of them");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText(`“${title}” is saved`).waitFor();
    await section(page, "Saved SQL");
    await page.getByRole("link", { name: title }).click();
    await page.getByText("It has not run yet.").waitFor();
    await page.locator(".detail").getByRole("button", { name: "Run", exact: true }).click();
    await waitForRows(page, "1 row");
    await cellIs(page, 1, 1, "5");
    await section(page, "Saved SQL");
    await page.getByRole("link", { name: title }).click();
    await page.getByText("Rows read").waitFor();
    await picture(page, "saved-1280");
    await page.getByRole("button", { name: "Change" }).click();
    await dialog.getByLabel("Title").fill(`${title} again`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: `${title} again` }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("is deleted").waitFor();
    const { id } = await demo();
    const saved = await api(`sqls?workspaceId=${id}`);
    assert.equal(saved.some((one) => one.title.startsWith(title)), false);
  }));

test("the history has pages, and a statement of it is opened with its result", () =>
  inWindow({}, async (page) => {
    const { id: workspaceId } = await demo();
    const first = await api("query", { workspaceId, sql: "SELECT 'the first of many' AS text" });
    await api(`query/${first.id}?workspaceId=${workspaceId}&wait=30`);
    for (let i = 0; i < 55; i += 1) await api("query", { workspaceId, sql: `SELECT nothing${i}` });
    await signIn(page);
    await section(page, "History");
    await page.getByText(/^1–50 of/).waitFor();
    await picture(page, "history-1280");
    await eventually(async () => assert.equal(await page.getByRole("row").count(), 51));
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText(/^51–/).waitFor();
    await page.getByRole("link", { name: /the first of many/ }).first().click();
    await waitForRows(page, "1 row");
    await cellIs(page, 1, 1, "the first of many");
    await page.getByRole("textbox", { name: "SQL" }).getByText("the first of many").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "History" }).waitFor();
  }));

test("a view's form marks what is required, shows the answer and a curl line that works", () =>
  inWindow({ mayFail: [400] }, async (page) => {
    await signIn(page);
    await section(page, "Views");
    await page.getByRole("link", { name: /Orders of a customer/ }).click();
    const form = page.getByRole("form", { name: "Read the view" });
    await form.getByText("required", { exact: true }).waitFor();
    const value = form.getByLabel("Value for o_custkey");
    // Without it the form is not sent.
    await form.getByRole("button", { name: "Read" }).click();
    assert.equal(await value.evaluate((input) => input.validity.valueMissing), true);
    await value.fill("370");
    await form.getByLabel("o_orderkey", { exact: true }).check();
    await form.getByLabel("o_totalprice", { exact: true }).check();
    await form.getByRole("button", { name: "Read" }).click();
    const answer = form.locator(".answer");
    await answer.waitFor();
    await answer.getByText(/200/).first().waitFor();
    const rows = JSON.parse(await answer.locator("pre").textContent());
    assert(rows.length > 0);
    assert.deepEqual(Object.keys(rows[0]), ["o_orderkey", "o_totalprice"]);
    const curl = await form.locator("[data-role=curl]").textContent();
    assert.match(curl, /^curl -H "Authorization: Token \$TOKEN" 'http[^']*'$/);
    const direct = await fetch(/'(.*)'/.exec(curl)[1], { headers: { Authorization: `Token ${TOKEN}` } });
    assert.deepEqual(await direct.json(), rows);
    await picture(page, "view-1280");
    await value.fill("no number");
    await form.getByRole("button", { name: "Read" }).click();
    await answer.getByText("INVALID_CAST_ARGUMENT").waitFor();
    await page.getByRole("tab", { name: "Definition" }).click();
    await page.getByText("-- Service API: required").waitFor();
  }));

test("a view is made from the editor, refreshed to a new generation and dropped", () =>
  inWindow({ mayFail: [400] }, async (page) => {
    const name = `nations_${Date.now()}`;
    await signIn(page);
    await write(page, "SELECT n_nationkey, n_name FROM tpch.tiny.nation");
    await page.getByRole("button", { name: "Create a view" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("SQL name").fill(name);
    await dialog.getByLabel(/Schedule/).fill("not a schedule");
    await dialog.getByRole("button", { name: "Create the view" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel(/Schedule/).fill("@every 1h");
    await dialog.getByRole("button", { name: "Create the view" }).click();
    await page.getByRole("heading", { name }).waitFor();
    const facts = page.locator(".facts div");
    const generation = facts.filter({ has: page.getByText("Generation", { exact: true }) }).locator("dd");
    // It is filled once without being asked. Only then: a refresh asked for meanwhile would be that one.
    await generation.getByText(/^1$/).waitFor();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.locator("[data-status=FINISHED]").waitFor();
    await generation.getByText(/^2$/).waitFor();
    await page.getByRole("tab", { name: "Generations" }).click();
    const newest = page.locator(".generations tbody tr").first();
    await eventually(async () => assert.match(await newest.textContent(), /^225\D?20\d\d-.*served/));
    assert.equal(await page.locator(".generations tbody tr").count(), 2);
    await picture(page, "generations-1280");
    await newest.getByRole("link").click();
    await waitForRows(page, "25 rows");
    await page.goBack();
    await page.getByRole("button", { name: "Drop" }).click();
    await dialog.getByRole("button", { name: "Drop" }).click();
    await page.getByText("is dropped").waitFor();
    await page.getByRole("link", { name }).waitFor({ state: "detached" });
  }));

test("tokens are made, shown once and revoked; members get roles", () =>
  inWindow({ viewport: NARROW }, async (page) => {
    const account = await api("account", { username: `grace_${Date.now()}` });
    await signIn(page);
    await section(page, "Access");
    const tokens = page.getByRole("region", { name: "Your tokens" });
    const name = `laptop ${Date.now()}`;
    await tokens.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Create the token" }).click();
    await dialog.getByText("it is not shown again").waitFor();
    const secret = await dialog.locator(".copy-line code").textContent();
    const reached = await fetch(`${SERVER}/api/v1/workspaces`, { headers: { Authorization: `Token ${secret}` } });
    assert.equal(reached.status, 200);
    await dialog.getByRole("button", { name: "Done" }).click();
    await tokens.getByRole("row", { name }).getByRole("button", { name: "Revoke" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("is revoked").waitFor();
    const members = page.getByRole("region", { name: /Members/ });
    await members.getByLabel("Add").selectOption({ label: account.username });
    await members.getByRole("button", { name: "Add as analyst" }).click();
    const role = members.getByLabel(`Role of ${account.username}`);
    await role.selectOption("CONSUMER");
    const { id } = await demo();
    await eventually(async () => {
      const listed = await api(`workspace/${id}/members`);
      assert.equal(listed.find((member) => member.username === account.username)?.role, "CONSUMER");
    });
    await picture(page, "access-390");
  }));
