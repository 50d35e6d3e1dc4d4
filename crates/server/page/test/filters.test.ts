// The address that a view's form stands for.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MaterializedView } from "../src/api/types.ts";
import { curlLine } from "../src/api/client.ts";
import { emptyRequest, operatorsOf, requestPath } from "../src/views/filters.ts";

const view = {
  sqlName: "orders",
  requiredFilters: ["o_custkey:EQ", "odd:name"],
  columns: [{ name: "o_custkey", type: "bigint" }, { name: "odd:name", type: "varchar" }],
} as MaterializedView;

test("a form begins with what the view demands", () => {
  const { filters } = emptyRequest(view);
  assert.deepEqual(filters.map(({ column, operator, isRequired }) => [column, operator, isRequired]), [
    ["o_custkey", "EQ", true], ["odd:name", "EQ", true],
  ]);
});

test("the address is encoded but readable", () => {
  const request = emptyRequest(view);
  request.filters = [
    { column: "o_custkey", operator: "IN", value: "1,2", isRequired: true },
    { column: "odd:name", operator: "LIKE", value: "50% & more+'s", isRequired: true },
    { column: "o_custkey", operator: "GT", value: "", isRequired: false },
  ];
  request.columnNames = ["o_custkey"];
  const path = requestPath("demo", view, request);
  assert.equal(path, "v1/data/demo/materializedView/orders?filters=o_custkey:IN:1,2&filters=odd:name:LIKE:50%25%20%26%20more%2B's&columnNames=o_custkey&limit=20");
  const parsed = new URL(path, "http://server/").searchParams;
  assert.deepEqual(parsed.getAll("filters"), ["o_custkey:IN:1,2", "odd:name:LIKE:50% & more+'s"]);
  assert.equal(curlLine("v1/x?a='b'"), `curl -H "Authorization: Token $TOKEN" 'http://server/web/v1/x?a=%27b%27'`);
});

test("operators by type", () => {
  assert.deepEqual(operatorsOf("boolean"), ["EQ", "NEQ", "IS", "IS_NOT"]);
  assert.deepEqual(operatorsOf("array(bigint)"), ["IS", "IS_NOT"]);
  assert(operatorsOf("varchar").includes("LIKE") && !operatorsOf("bigint").includes("LIKE"));
});
