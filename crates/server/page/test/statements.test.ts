// Where statements begin and end, and places as the server tells them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { offsetOf, statementAt, statements } from "../src/sql/statements.ts";

const texts = (text: string) => statements(text).map(({ from, to }) => text.slice(from, to));
const at = (text: string, position: number) => {
  const span = statementAt(text, position);
  return span && text.slice(span.from, span.to);
};

test("semicolons separate statements, but not inside of quotes and comments", () => {
  assert.deepEqual(texts("SELECT 1; SELECT 2 ;\n"), ["SELECT 1", "SELECT 2"]);
  assert.deepEqual(texts("SELECT ';''', \";\"\"\" -- ;\n, /* ; */ 1"), ["SELECT ';''', \";\"\"\" -- ;\n, /* ; */ 1"]);
  assert.deepEqual(texts("-- only this;\n;;"), []);
  assert.deepEqual(texts("SELECT 'open; quote"), ["SELECT 'open; quote"]);
});

test("the statement at the cursor", () => {
  const text = "SELECT 1;\n\nSELECT 2;\n";
  assert.equal(at(text, 0), "SELECT 1");
  assert.equal(at(text, 8), "SELECT 1");
  assert.equal(at(text, 10), "SELECT 1");
  assert.equal(at(text, 11), "SELECT 2");
  assert.equal(at(text, text.length), "SELECT 2");
  assert.equal(at("  ", 1), null);
});

test("columns count characters, not UTF-16 units", () => {
  assert.equal(offsetOf("abc\ndef", 2, 2), 5);
  assert.equal(offsetOf("'🏠', x", 1, 6), 6);
  assert.equal("'🏠', x".slice(offsetOf("'🏠', x", 1, 6)), "x");
  assert.equal(offsetOf("abc", 9, 9), 3);
  assert.equal(offsetOf("abc", 1, 99), 3);
});
