// The form of an endpoint: its parameters and the address of a call.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callPath, hintOf, parametersOf } from "../src/saved/endpoint-request.ts";

const PARAMETERS = [
  { name: "day", required: true, schema: { type: "string", "x-sql-type": "date" } },
  { name: "keys", schema: { type: "array", items: { type: "integer", "x-sql-type": "bigint" } } },
  { name: "n", schema: { type: "integer", "x-sql-type": "integer", minimum: 1, maximum: 9, default: 5 } },
  { name: "columnNames", schema: { type: "array", items: { type: "string" } } },
];

test("the parameters are those of the endpoint's operation", () => {
  const document = { paths: { "/a": { get: { operationId: "call_endpoint_sales", parameters: PARAMETERS } }, "/b": {} } };
  assert.equal(parametersOf(document, "sales"), PARAMETERS);
  assert.deepEqual(parametersOf(document, "other"), []);
});

test("a call's address has what was filled in, and an array's values each by itself", () => {
  const values = { day: "1995-03-15", keys: "1, 2,", columnNames: "a,b", other: "x" };
  assert.equal(
    callPath("demo", "sales", PARAMETERS, values),
    "v1/data/demo/endpoint/sales?day=1995-03-15&keys=1&keys=2&columnNames=a,b",
  );
  assert.equal(callPath("demo", "sales", PARAMETERS, { n: "" }), "v1/data/demo/endpoint/sales");
  assert.equal(callPath("demo", "sales", PARAMETERS, { day: "a&b c" }), "v1/data/demo/endpoint/sales?day=a%26b%20c");
});

test("a hint says the type, the range and the default", () => {
  const hints = PARAMETERS.map((parameter) => hintOf(parameter));
  assert.deepEqual(hints, ["date", "bigint, …", "integer 1 to 9, else 5", "string"]);
});
