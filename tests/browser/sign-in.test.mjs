// Signing in and out, and the page's own address.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, demo, eventually, inWindow, NARROW, picture, SERVER, section, signIn, TOKEN } from "./harness.mjs";

const storedToken = (page) => page.evaluate(() => Object.values(sessionStorage).concat(Object.values(localStorage)));

test("a wrong token is refused, a good one opens the workspace, signing out forgets it", () =>
  inWindow({ mayFail: [401] }, async (page) => {
    await page.goto(`${SERVER}/web/`);
    await picture(page, "sign-in-1280");
    await page.getByLabel("Personal access token").fill("no such token");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The server does not know this token.").waitFor();
    await signIn(page);
    const { id } = await demo();
    await page.waitForURL((url) => url.pathname === `/web/workspaces/${id}`);
    await page.reload();
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
    assert((await storedToken(page)).includes(TOKEN));
    assert.equal(await page.evaluate((token) => Object.values(localStorage).includes(token), TOKEN), false);
    await page.getByRole("button", { name: "Account and theme" }).click();
    await page.getByText("admin", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Personal access token").waitFor();
    assert.equal((await storedToken(page)).some((value) => value.includes(TOKEN)), false);
  }));

test("the page works under every address that it has, also without a slash", () =>
  inWindow({}, async (page) => {
    const { id } = await demo();
    for (const address of ["/web", "/web/", "/", `/web/workspaces/${id}`, `/workspaces/${id}#/history`]) {
      await page.goto(SERVER + address);
      await page.locator(".sign-in-card, .top-bar").first().waitFor();
      if (address === "/web") await signIn(page);
    }
    await page.getByRole("heading", { name: "History" }).waitFor();
  }));

test("a workspace is chosen in the bar and named by the address", () =>
  inWindow({}, async (page) => {
    const name = `other_${Date.now()}`;
    const other = await api("workspace", { title: `Other ${name}`, sqlName: name });
    await signIn(page);
    await page.locator(".workspace-switch select").selectOption({ label: `Other ${name}` });
    await page.waitForURL((url) => url.pathname === `/web/workspaces/${other.id}`);
    await page.goto(`${SERVER}/web/workspaces/nowhere`);
    await page.getByText("There is no such workspace").waitFor();
  }));

test("the share function tells the workspace's SQL name", () =>
  inWindow({ viewport: NARROW }, async (page) => {
    await signIn(page);
    await page.getByRole("button", { name: "Share this workspace" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("demo", { exact: true }).waitFor();
    await picture(page, "share-390");
    await dialog.getByRole("button", { name: "Copy Workspace SQL name" }).click();
    await eventually(async () => assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "demo"));
  }));

test("the engine is seen, disabled and enabled", () =>
  inWindow({}, async (page) => {
    await signIn(page);
    const engine = page.getByRole("button", { name: /SQL engine/ });
    try {
      await engine.click();
      await page.getByRole("button", { name: "Disable" }).click();
      await page.getByText("The SQL engine is disabled").waitFor();
      await eventually(async () => assert.notEqual((await api("service/SQL_ENGINE")).status, "RUNNING"));
      await engine.click();
      await page.getByRole("button", { name: "Enable" }).click();
      await page.getByText("The SQL engine is enabled").waitFor();
    } finally {
      await api("service/SQL_ENGINE", { state: true }, "PUT");
    }
  }));

test("the page is kept by the browser only under names with hashes, and allows no other source", async () => {
  const index = await fetch(`${SERVER}/web/`);
  const policy = index.headers.get("content-security-policy");
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.equal(index.headers.get("cache-control"), "no-cache");
  const again = await fetch(`${SERVER}/web/`, { headers: { "If-None-Match": index.headers.get("etag") } });
  assert.equal(again.status, 304);
  const files = [...(await index.text()).matchAll(/assets\/[^"]+/g)].map(([path]) => path);
  assert(files.length >= 3);
  let bytes = 0;
  for (const path of files) {
    const file = await fetch(`${SERVER}/web/${path}`, { headers: { "Accept-Encoding": "gzip" } });
    assert.equal(file.status, 200);
    assert.match(file.headers.get("cache-control"), /immutable/);
    bytes += Number(file.headers.get("content-length"));
  }
  assert(bytes < 300_000, `${bytes} bytes`);
});

test("an analyst has no members to manage, a consumer only views", async () => {
  const { id } = await demo();
  const make = async (role) => {
    const account = await api("account", { username: `${role}_${Date.now()}`.toLowerCase() });
    await api(`workspace/${id}/member`, { accountId: account.id, role }, "PUT");
    return (await api("token", { name: "test", accountId: account.id })).token;
  };
  const [analyst, consumer] = [await make("ANALYST"), await make("CONSUMER")];
  await inWindow({}, async (page) => {
    await signIn(page, analyst);
    await section(page, "Access");
    await page.getByRole("heading", { name: "Your tokens" }).waitFor();
    assert.equal(await page.getByRole("heading", { name: /Members/ }).count(), 0);
  });
  await inWindow({}, async (page) => {
    await signIn(page, consumer);
    const sections = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
    await eventually(async () => assert.deepEqual(await sections.allTextContents(), ["Views", "Access"]));
    await page.getByRole("link", { name: /Orders of a customer/ }).click();
    await page.getByRole("button", { name: "Read" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Refresh" }).count(), 0);
  });
});
