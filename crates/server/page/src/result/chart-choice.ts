// What to draw: a choice of columns and a kind, with a default that the columns' types suggest.

import type { Json } from "../api/exact-json.ts";
import type { Column } from "../api/types.ts";
import { isNumeric, isTemporal, numberOf, secondsOf, textOf } from "./cell.ts";

export const KINDS = ["line", "bar", "scatter"] as const;
export type Kind = (typeof KINDS)[number];

/** Columns by their places, because names may stand twice. */
export interface Choice {
  kind: Kind;
  x: number;
  ys: number[];
}

const MAX_DEFAULT_SERIES = 3;
/** Columns that differ by more than this factor would be flat lines beside each other. */
const COMPARABLE_FACTOR = 20;
/** More bars than these are thinner than can be read: then a line is drawn. */
const MAX_DEFAULT_BARS = 200;

/** Over time a line; by a name bars; of two numbers a scatter. Null where no column is a number. */
export function defaultChoice(columns: readonly Column[], rows: readonly (readonly Json[])[]): Choice | null {
  const places = columns.map((_, index) => index);
  const numeric = places.filter((index) => isNumeric(columns[index]?.type ?? ""));
  const [firstNumber] = numeric;
  if (firstNumber === undefined) return null;
  const ys = comparable(numeric, rows).slice(0, MAX_DEFAULT_SERIES);
  const time = places.find((index) => isTemporal(columns[index]?.type ?? ""));
  if (time !== undefined) return { kind: "line", x: time, ys };
  const name = places.find((index) => !numeric.includes(index));
  if (name !== undefined) {
    const kind = rows.length > MAX_DEFAULT_BARS ? "line" : "bar";
    return { kind, x: name, ys };
  }
  const [, second] = numeric;
  return second === undefined
    ? { kind: "line", x: -1, ys: [firstNumber] }
    : { kind: "scatter", x: firstNumber, ys: [second] };
}

/** The first column and those of its size. */
function comparable(places: number[], rows: readonly (readonly Json[])[]): number[] {
  const size = (place: number) => Math.max(0, ...rows.slice(0, 1000).map((row) => Math.abs(numberOf(row[place] ?? null) ?? 0)));
  const [first = 0, ...rest] = places;
  const own = size(first);
  return [first, ...rest.filter((place) => size(place) <= own * COMPARABLE_FACTOR && own <= size(place) * COMPARABLE_FACTOR)];
}

export type Axis = "time" | "number" | "name";

export interface Series {
  axis: Axis;
  /** Ascending. Of a name its place in `names`. */
  x: number[];
  ys: (number | null)[][];
  names: string[];
}

/** What kind of axis a column makes; -1 stands for the rows' numbers. */
export function axisOf(columns: readonly Column[], x: number): Axis {
  const type = columns[x]?.type ?? "bigint";
  return isTemporal(type) ? "time" : isNumeric(type) ? "number" : "name";
}

/** Rows as series, in the order of x where x is a number or a time. */
export function seriesOf(columns: readonly Column[], rows: readonly (readonly Json[])[], { x, ys, kind }: Choice): Series {
  // Bars stand side by side whatever they stand for.
  const axis = kind === "bar" && axisOf(columns, x) === "number" && x >= 0 ? "name" : axisOf(columns, x);
  const names: string[] = [];
  const points: { x: number; ys: (number | null)[] }[] = [];
  rows.forEach((row, index) => {
    const value = row[x] ?? null;
    let at: number | null;
    if (x < 0) at = index + 1;
    else if (axis === "name") at = names.push(value === null ? "NULL" : textOf(value)) - 1;
    else at = axis === "time" ? secondsOf(value) : numberOf(value);
    if (at !== null && Number.isFinite(at)) points.push({ x: at, ys: ys.map((y) => numberOf(row[y] ?? null)) });
  });
  points.sort((left, right) => left.x - right.x);
  return { axis, x: points.map((point) => point.x), ys: ys.map((_, index) => points.map((point) => point.ys[index] ?? null)), names };
}
