// The result's geometry, its pages, its selection, and what a chart makes of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, parseExact } from "../src/api/exact-json.ts";
import { cellText, secondsOf, tabSeparated } from "../src/result/cell.ts";
import { defaultChoice, seriesOf } from "../src/result/chart-choice.ts";
import { Columns, Geometry } from "../src/result/geometry.ts";
import { Pages, PAGE_ROWS } from "../src/result/pages.ts";
import { moved } from "../src/result/selection.ts";

test("every row can be reached, and the last one is whole at the end", () => {
  for (const rowCount of [0, 1, 10, 1000, 1_500_000, 300_000_000]) {
    const geometry = new Geometry(rowCount, 500);
    assert(geometry.trackPixels <= 8_000_000);
    const end = geometry.trackPixels - 500;
    assert(Math.abs(geometry.topOf(Math.max(0, end)) - geometry.maxTop) < 1e-6);
    assert(geometry.maxTop + geometry.viewRows >= rowCount);
    for (const share of [0, 0.3, 0.9, 1]) {
      const top = geometry.maxTop * share;
      assert(Math.abs(geometry.topOf(geometry.scrollOf(top)) - top) < 1e-3 || geometry.maxTop === 0);
    }
  }
});

test("columns in sight", () => {
  const columns = new Columns([100, 100, 100, 100], 40);
  assert.deepEqual(columns.between(0, 250), [0, 2]);
  assert.deepEqual(columns.between(110, 250), [1, 2]);
  assert.equal(columns.totalPixels, 440);
});

test("keys stay inside of the rows", () => {
  const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false });
  const move = (name: string, far = false) => moved(key(name, far), { row: 5, column: 1 }, 10, 3, 4);
  assert.deepEqual(move("PageDown"), { row: 9, column: 1 });
  assert.deepEqual(move("ArrowUp", true), { row: 0, column: 1 });
  assert.deepEqual(move("End", true), { row: 9, column: 2 });
  assert.deepEqual(move("Home"), { row: 5, column: 0 });
  assert.equal(move("x"), null);
});

test("pages in sight are fetched once, what is out of sight is given up, and few are kept", async () => {
  const asked: number[] = [];
  const aborted: number[] = [];
  let release: (() => void)[] = [];
  const pages = new Pages((limit, offset, signal) => {
    asked.push(offset / PAGE_ROWS);
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => {
        aborted.push(offset / PAGE_ROWS);
        reject(new DOMException("", "AbortError"));
      });
      release.push(() => resolve(Array.from({ length: limit }, (_, row) => [offset + row])));
    });
  });
  const settle = async () => {
    for (const done of release) done();
    release = [];
    await new Promise((resolve) => setTimeout(resolve));
  };
  pages.show(0, 50);
  pages.show(0, PAGE_ROWS + 1);
  assert.deepEqual(asked, [0, 1]);
  pages.show(PAGE_ROWS * 7, PAGE_ROWS * 7 + 30);
  assert.deepEqual(aborted, [0, 1]);
  await settle();
  assert.deepEqual(pages.row(PAGE_ROWS * 7 + 3), [PAGE_ROWS * 7 + 3]);
  assert.equal(pages.row(0), undefined);
  for (let page = 8; page < 200; page += 1) {
    pages.show(page * PAGE_ROWS, page * PAGE_ROWS);
    await settle();
  }
  assert.equal(pages.row(PAGE_ROWS * 7), undefined);
  assert.deepEqual(pages.row(PAGE_ROWS * 199), [PAGE_ROWS * 199]);
});

test("a page that cannot be had is asked again only when one says so", async () => {
  let asked = 0;
  const pages = new Pages(async () => {
    asked += 1;
    throw new Error("gone");
  });
  pages.show(0, 10);
  await new Promise((resolve) => setTimeout(resolve));
  pages.show(0, 10);
  assert.equal(asked, 1);
  assert.equal(String(pages.fault), "Error: gone");
  pages.retry();
  assert.equal(asked, 2);
});

test("cells and copied text", () => {
  assert.equal(cellText(parseExact('{"a":[1.50,null]}')), '{"a":[1.50,null]}');
  assert.equal(cellText("two\nlines"), "two↵lines");
  assert.equal(tabSeparated([[1, null, 'a"b', "c\td"], [parseExact("1.10"), true, "", "x"]]), '1\t\t"a""b"\t"c\td"\n1.10\ttrue\t\tx');
  assert.equal(secondsOf("1970-01-02"), 86_400);
  assert.equal(secondsOf("1970-01-01T00:00:01.5"), 1.5);
  assert.equal(secondsOf("1970-01-01T01:00:00+01:00"), 0);
  assert.equal(secondsOf("no date"), null);
});

const columns = (...types: string[]) => types.map((type, index) => ({ name: `c${index}`, type }));

test("the types and sizes of the columns suggest a chart", () => {
  const suggest = (types: string[], rows: Json[][] = []) => defaultChoice(columns(...types), rows);
  assert.deepEqual(suggest(["date", "bigint", "varchar", "decimal(15,2)"]), { kind: "line", x: 0, ys: [1, 3] });
  assert.deepEqual(suggest(["date", "bigint", "double", "real"], [["1970-01-01", 5, 90, 900]]), { kind: "line", x: 0, ys: [1, 2] });
  assert.deepEqual(suggest(["varchar", "double"]), { kind: "bar", x: 0, ys: [1] });
  assert.deepEqual(suggest(["varchar", "double"], Array.from({ length: 300 }, () => ["x", 1])), { kind: "line", x: 0, ys: [1] });
  assert.deepEqual(suggest(["bigint", "real"]), { kind: "scatter", x: 0, ys: [1] });
  assert.deepEqual(suggest(["integer"]), { kind: "line", x: -1, ys: [0] });
  assert.equal(suggest(["varchar", "date"]), null);
});

test("rows become series in the order of x, NULL a gap", () => {
  const rows = [["1970-01-02", 2], ["1970-01-01", null], [null, 3], ["1970-01-03", "NaN"]] as Json[][];
  const series = seriesOf(columns("date", "double"), rows, { kind: "line", x: 0, ys: [1] });
  assert.deepEqual([series.axis, series.x, series.ys], ["time", [0, 86_400, 172_800], [[null, 2, null]]]);
  const named = seriesOf(columns("varchar", "double"), [["b", 1], [null, 2]], { kind: "bar", x: 0, ys: [1] });
  assert.deepEqual([named.axis, named.x, named.names], ["name", [0, 1], ["b", "NULL"]]);
});
