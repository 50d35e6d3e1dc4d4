// Every digit of the server's numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ExactNumber, parseExact, printExact } from "../src/api/exact-json.ts";

test("a text is printed as it was, digit for digit", () => {
  for (const text of [
    "9007199254740993", "1.10", "-0", "1e21", "0.1", "12345678901234567890.123456789", "null", "true", '"\\u00e9\\n\\"x"',
    "[]", "{}", '[1,[2.50,{"a":null,"__proto__":3}],"x"]',
  ]) {
    const expected = text.startsWith('"') ? JSON.stringify(JSON.parse(text)) : text;
    assert.equal(printExact(parseExact(text)), expected);
  }
});

test("a number that a double prints alike is one; another keeps its text", () => {
  assert.equal(parseExact("42"), 42);
  assert.deepEqual(parseExact("1.10"), new ExactNumber("1.10"));
  assert.equal(Number(parseExact("1.10")), 1.1);
});

test("it reads what JSON.parse reads", () => {
  const text = ' { "a" : [ 1 , -2.5e3, true , false, null ] , "b\\\\" : { "c" : "\\ud83c\\udfe0" } } ';
  assert.equal(JSON.stringify(parseExact(text)).replace('{"text":"-2.5e3"}', "-2500"), JSON.stringify(JSON.parse(text)));
});

test("what is no JSON is refused with its place", () => {
  for (const text of ["", "[1,]", "{\"a\" 1}", "01", "[1] 2", "\"open", "nul", "{\"a\":1,}", "+1", "1."]) {
    assert.throws(() => parseExact(text), SyntaxError, text);
    assert.throws(() => JSON.parse(text), SyntaxError, text);
  }
});

test("several lines", () => {
  assert.equal(printExact(parseExact('{"a":[1,2.0],"b":{}}'), "\n"), '{\n  "a": [\n    1,\n    2.0\n  ],\n  "b": {}\n}');
});
