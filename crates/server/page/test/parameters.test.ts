// Names in a text and the values that travel beside it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExact, printExact } from "../src/api/exact-json.ts";
import { kindOf, parameterNames, parametersFrom, parametersOf } from "../src/sql/parameters.ts";

test("names are found outside of quotes and comments, each once", () => {
  assert.deepEqual(parameterNames("SELECT :a, ':b', \":c\", -- :d\n /* :e */ :_f1 + :a, x::bigint, 12:30"), ["a", "_f1"]);
});

test("a value tells its kind unless one is chosen", () => {
  const kind = (text: string) => kindOf({ text });
  assert.deepEqual(["1", "-1.50", "1e3", "2026-01-31", "2026-01-31 12:00:00", "true", "x", "", "01"].map(kind), [
    "number", "number", "number", "date", "timestamp", "boolean", "text", "text", "text",
  ]);
  assert.equal(kindOf({ kind: "text", text: "1" }), "text");
});

test("values are sent with their digits, and come back into the form", () => {
  const sql = "SELECT :n, :d, :day, :at, :s, :b, :none";
  const given = {
    n: { text: "9007199254740993" }, d: { text: "1.50" }, day: { text: "2026-01-31" }, at: { text: "2026-01-31 12:00:00.1234" },
    s: { kind: "text" as const, text: "7" }, b: { text: "true" }, none: { kind: "null" as const, text: "" }, unused: { text: "x" },
  };
  const sent = printExact(parametersOf(sql, given));
  assert.equal(
    sent,
    '{"n":9007199254740993,"d":1.50,"day":{"type":"date","value":"2026-01-31"},' +
      '"at":{"type":"timestamp(4)","value":"2026-01-31T12:00:00.1234"},"s":"7","b":true,"none":null}',
  );
  const again = parametersFrom(parseExact(sent) as ReturnType<typeof parametersOf>);
  assert.equal(printExact(parametersOf(sql, again)), sent);
});
