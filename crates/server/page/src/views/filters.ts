// Filters of Interface B: which operators a column takes, and the address that a form stands for (D22, D24).

import type { Column, MaterializedView } from "../api/types.ts";

export interface Filter {
  column: string;
  operator: string;
  value: string;
  /** Demanded by the view: the row stays in the form. */
  isRequired: boolean;
}

export interface Request {
  filters: Filter[];
  columnNames: string[];
  limit: string;
  offset: string;
  format: string;
}

const ORDERED = ["EQ", "NEQ", "LT", "LTE", "GT", "GTE", "IN", "BETWEEN", "IS", "IS_NOT"];

/** What a column of a type can be asked. */
export function operatorsOf(type: string): string[] {
  if (type === "boolean") return ["EQ", "NEQ", "IS", "IS_NOT"];
  if (/^(varbinary|array|row|map)\b/.test(type)) return ["IS", "IS_NOT"];
  if (/^(varchar|char)\b/.test(type)) return [...ORDERED.slice(0, 6), "LIKE", ...ORDERED.slice(6)];
  return ORDERED;
}

/** What to write for the value of an operator. */
export function valueHint(operator: string): string {
  return { IN: "a,b,c", BETWEEN: "low,high", LIKE: "%text%", IS: "null", IS_NOT: "null" }[operator] ?? "value";
}

/** A form that asks for what the view demands, and for few rows. */
export function emptyRequest(view: MaterializedView): Request {
  const filters = view.requiredFilters.map((entry): Filter => {
    const [column, operator] = entryOf(view.columns, entry);
    return { column, operator: operator ?? "EQ", value: isNullTest(operator) ? "null" : "", isRequired: true };
  });
  return { filters, columnNames: [], limit: "20", offset: "", format: "json" };
}

/** The column and operator of `column:OPERATOR` or `column`; a column's own name may hold colons. */
export function entryOf(columns: readonly Column[], entry: string): [string, string | null] {
  if (columns.some((column) => column.name === entry)) return [entry, null];
  const at = entry.lastIndexOf(":");
  return at < 0 ? [entry, null] : [entry.slice(0, at), entry.slice(at + 1)];
}

export const isNullTest = (operator: string | null): boolean => operator === "IS" || operator === "IS_NOT";

/** The path and query of a request, relative to the base address. */
export function requestPath(workspaceSqlName: string, view: MaterializedView, request: Request): string {
  const query: string[] = [];
  const add = (name: string, value: string) => query.push(`${name}=${encoded(value)}`);
  for (const { column, operator, value, isRequired } of request.filters) {
    if (column !== "" && (value !== "" || isRequired)) add("filters", `${column}:${operator}:${value}`);
  }
  if (request.columnNames.length > 0) add("columnNames", request.columnNames.join(","));
  if (request.limit !== "") add("limit", request.limit);
  if (request.offset !== "") add("offset", request.offset);
  if (request.format !== "json") add("format", request.format);
  const path = `v1/data/${encodeURIComponent(workspaceSqlName)}/materializedView/${encodeURIComponent(view.sqlName)}`;
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** Percent-encoded but for what is readable and allowed in a query string. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2C", ",");
}
