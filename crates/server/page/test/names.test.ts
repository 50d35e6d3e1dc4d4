// What a place in a statement can mean.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Catalog, CatalogTable } from "../src/api/types.ts";
import { joined, type Place } from "../src/sql/places.ts";
import { candidatesAfter, candidatesHere, placesToRead, tablesInScope } from "../src/sql/names.ts";

const table = (path: string, ...columns: string[]): CatalogTable => {
  const [catalog = "", schema = "", name = ""] = path.split(".");
  return { catalog, schema, name, kind: "TABLE", columns: columns.map((column) => ({ name: column, type: "bigint" })) };
};
const catalog: Catalog = {
  defaultCatalog: "rowhouse",
  defaultSchema: "demo",
  catalogs: ["rowhouse", "tpch"],
  schemas: [{ catalog: "rowhouse", name: "demo" }, { catalog: "tpch", name: "tiny" }, { catalog: "tpch", name: "sf1" }],
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

/** A cluster of which the default schema is known, and that there are others. */
const cluster: Catalog = {
  defaultCatalog: "hive",
  defaultSchema: "web",
  catalogs: ["hive", "memory", "tpch"],
  schemas: [{ catalog: "hive", name: "web" }, { catalog: "hive", name: "shop" }],
  tables: [table("hive.web.visits", "url")],
  functions: [],
};
const names = (places: Place[]) => places.map((place) => (place.schema === undefined ? place.catalog : `${place.catalog}.${place.schema}`));

test("what must be read before it is known what can stand", () => {
  const read = (sql: string, path: string[] = []) => names(placesToRead(cluster, sql, path));
  assert.deepEqual(read("SELECT 1 FROM visits"), [], "the default schema is known");
  assert.deepEqual(read("SELECT 1 FROM shop.items i, tpch.tiny.nation, shop.orders"), ["hive.shop", "tpch.tiny"]);
  assert.deepEqual(read("SELECT 1 FROM nowhere.items, nothing.at.all"), [], "there is no such schema or catalog");
  assert.deepEqual(read("", ["tpch"]), ["tpch"]);
  assert.deepEqual(read("", ["tpch", "tiny"]), ["tpch.tiny"]);
  assert.deepEqual(read("", ["shop"]), ["hive.shop"]);
  assert.deepEqual(read("", ["hive"]), []);
  assert.deepEqual(read("", ["tpch", "tiny", "nation"]), []);
  assert.deepEqual(names(placesToRead(catalog, "SELECT FROM tpch.tiny.nation", ["tpch"])), [], "all is known");
});

test("what was read of a place joins the rest and replaces what was there", () => {
  const nothing = { ...cluster, catalogs: [], schemas: [], tables: [] };
  const schemas = joined(cluster, { catalog: "tpch" }, { ...nothing, schemas: [{ catalog: "tpch", name: "tiny" }] });
  assert.deepEqual(schemas.schemas.map(({ name }) => name), ["web", "shop", "tiny"]);
  const tables = joined(schemas, { catalog: "tpch", schema: "tiny" }, { ...nothing, tables: [table("tpch.tiny.nation", "name")] });
  assert.deepEqual(tables.tables.map(({ name }) => name), ["visits", "nation"]);
  const again = joined(tables, { catalog: "hive", schema: "web" }, { ...nothing, tables: [table("hive.web.clicks")] });
  assert.deepEqual(again.tables.map(({ name }) => name), ["nation", "clicks"]);
  assert.deepEqual(labels(candidatesAfter(tables, "SELECT n. FROM tpch.tiny.nation n", ["n"])), ["name"]);
  assert.deepEqual(labels(candidatesAfter(tables, "", ["tpch"])), ["tiny"]);
});
