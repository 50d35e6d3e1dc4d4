// A value as a cell, as copied text and as a number.

import { ExactNumber, type Json, printExact } from "../api/exact-json.ts";

const NUMERIC = /^(tinyint|smallint|integer|bigint|real|double|decimal)\b/;
const TEMPORAL = /^(date|timestamp)\b/;

export const isNumeric = (type: string): boolean => NUMERIC.test(type);
export const isTemporal = (type: string): boolean => TEMPORAL.test(type);

/** Longest text that a cell shows; the whole is a key press away. */
const MAX_CELL_CHARACTERS = 300;

/** A value as it is copied: NULL is nothing, lists and rows are JSON. */
export function textOf(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (value instanceof ExactNumber || typeof value !== "object") return String(value);
  return printExact(value);
}

/** One line for a cell: line breaks are shown as a mark. */
export function cellText(value: Json): string {
  const text = textOf(value);
  const short = text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS)}…` : text;
  return short.replace(/\r?\n/g, "↵");
}

/** A value on its own: lists and rows over several lines. */
export function fullText(value: Json): string {
  if (value === null) return "NULL";
  return typeof value === "object" && !(value instanceof ExactNumber) ? printExact(value, "\n") : textOf(value);
}

/** A value to draw; null where there is none to draw. */
export function numberOf(value: Json): number | null {
  if (typeof value === "number") return value;
  if (value instanceof ExactNumber) return Number(value.text);
  return null;
}

/** A date or timestamp as seconds since 1970; one without a zone is taken as UTC. */
export function secondsOf(value: Json): number | null {
  if (typeof value !== "string") return null;
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(value);
  const millis = Date.parse(value.includes("T") && !hasZone ? `${value}Z` : value);
  return Number.isNaN(millis) ? null : millis / 1000;
}

/** Rows as text that spreadsheets paste: tabs between the values, those with tabs, quotes or breaks in quotes. */
export function tabSeparated(rows: readonly (readonly Json[])[]): string {
  const field = (value: Json) => {
    const text = textOf(value);
    return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join("\t")).join("\n");
}
