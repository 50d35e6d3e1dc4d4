// What a place in a statement can mean.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Catalog, CatalogTable } from "../src/api/types.ts";
import { candidatesAfter, candidatesHere, tablesInScope } from "../src/sql/names.ts";

const table = (path: string, ...columns: string[]): CatalogTable => {
  const [catalog = "", schema = "", name = ""] = path.split(".");
  return { catalog, schema, name, kind: "TABLE", columns: columns.map((column) => ({ name: column, type: "bigint" })) };
};
const catalog: Catalog = {
  defaultCatalog: "rowhouse",
  defaultSchema: "demo",
  tables: [table("rowhouse.demo.cities", "city", "size"), table("tpch.tiny.nation", "n_name"), table("tpch.sf1.nation", "n_name")],
  functions: [],
};
const scope = (sql: string) => [...tablesInScope(catalog, sql)].map(([alias, { schema, name }]) => `${alias}=${schema}.${name}`);
const labels = (candidates: { label: string }[]) => candidates.map(({ label }) => label);

test("tables in scope, by alias or by name", () => {
  assert.deepEqual(scope("SELECT x FROM cities WHERE a"), ["cities=demo.cities"]);
  assert.deepEqual(scope("SELECT FROM Cities AS c, tpch.tiny.nation n JOIN tpch.sf1.nation ON c.city = n.n_name"), [
    "c=demo.cities", "n=tiny.nation", "nation=sf1.nation",
  ]);
  assert.deepEqual(scope("SELECT (SELECT 1 FROM demo.cities) FROM \"tpch\".\"tiny\".\"nation\" \"N\""), [
    "cities=demo.cities", "N=tiny.nation",
  ]);
  assert.deepEqual(scope("SELECT 'FROM cities' -- FROM cities\n FROM /* cities */ nowhere"), []);
  assert.deepEqual(scope("SELECT x FROM"), []);
});

test("after a dot", () => {
  assert.deepEqual(labels(candidatesAfter(catalog, "SELECT n. FROM tpch.tiny.nation n", ["n"])), ["n_name"]);
  assert.deepEqual(labels(candidatesAfter(catalog, "", ["tpch"])), ["tiny", "sf1"]);
  assert.deepEqual(labels(candidatesAfter(catalog, "", ["tpch", "tiny"])), ["nation"]);
  assert.deepEqual(labels(candidatesAfter(catalog, "", ["tpch", "tiny", "nation"])), ["n_name"]);
  assert.deepEqual(labels(candidatesAfter(catalog, "", ["demo"])), ["cities"]);
  assert.deepEqual(labels(candidatesAfter(catalog, "", ["cities"])), ["city", "size"]);
  assert.deepEqual(labels(candidatesAfter(catalog, "", ["nothing"])), []);
});

test("without a dot: what is in scope, own tables, catalogs", () => {
  assert.deepEqual(labels(candidatesHere(catalog, "SELECT FROM tpch.tiny.nation n")), ["n", "n_name", "cities", "rowhouse", "tpch"]);
});
