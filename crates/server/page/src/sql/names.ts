// What of the catalog a place in a statement can mean: the way of dots before it, and the tables that are in scope.
// It reads tokens, not a grammar: a half-written statement has none.

import type { Catalog, CatalogTable, Column } from "../api/types.ts";

export interface Candidate {
  label: string;
  kind: "catalog" | "schema" | "table" | "view" | "column" | "alias";
  detail: string;
}

const TOKEN = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"((?:[^"]|"")*)(?:"|$)|([\p{L}_][\p{L}\p{N}_$]*)|[.,()]/gu;
const ENDS_FROM = new Set([
  "where", "group", "having", "order", "limit", "offset", "fetch", "union", "intersect", "except", "select", "window",
  "on", "using",
]);
const NOT_AN_ALIAS = new Set([
  ...ENDS_FROM, "join", "inner", "left", "right", "full", "cross", "natural", "outer", "tablesample", "as", "with",
  "lateral", "unnest", "from", "values",
]);

interface Token {
  /** A name as the server would read it, or a mark. */
  text: string;
  isName: boolean;
}

function tokens(sql: string): Token[] {
  const found: Token[] = [];
  for (const [text, quoted, word] of sql.matchAll(TOKEN)) {
    if (quoted !== undefined) found.push({ text: quoted.replaceAll('""', '"'), isName: true });
    else if (word !== undefined) found.push({ text: word.toLowerCase(), isName: true });
    else if (text.length === 1) found.push({ text, isName: false });
  }
  return found;
}

/** The tables that a statement names after FROM and JOIN, by alias or by name. */
export function tablesInScope(catalog: Catalog, sql: string): Map<string, CatalogTable> {
  const scope = new Map<string, CatalogTable>();
  const all = tokens(sql);
  for (let at = 0; at < all.length; at += 1) {
    const starts = all[at]?.text === "from" || all[at]?.text === "join";
    if (!starts) continue;
    // A list of tables after FROM, one after JOIN.
    do {
      const path: string[] = [];
      at += 1;
      while (all[at]?.isName) {
        path.push(all[at]?.text ?? "");
        at += 1;
        if (all[at]?.text !== ".") break;
        at += 1;
      }
      const table = path.length > 0 ? tableOf(catalog, path) : undefined;
      if (all[at]?.text === "as") at += 1;
      const next = all[at];
      const alias = next?.isName && !NOT_AN_ALIAS.has(next.text) ? next.text : undefined;
      if (alias !== undefined) at += 1;
      if (table) scope.set(alias ?? table.name, table);
    } while (all[at]?.text === ",");
    at -= 1;
  }
  return scope;
}

/** The table of a name of one to three parts. */
function tableOf(catalog: Catalog, path: string[]): CatalogTable | undefined {
  const name = path.at(-1);
  const schema = path.at(-2) ?? catalog.defaultSchema;
  const home = path.at(-3) ?? catalog.defaultCatalog;
  return catalog.tables.find((table) => table.name === name && table.schema === schema && table.catalog === home);
}

const unique = (values: string[]) => [...new Set(values)];
const columnCandidate = ({ name, type }: Column): Candidate => ({ label: name, kind: "column", detail: type });
const tableCandidate = (table: CatalogTable): Candidate => ({
  label: table.name,
  kind: table.kind === "MATERIALIZED_VIEW" ? "view" : "table",
  detail: table.kind === "MATERIALIZED_VIEW" ? "view" : "table",
});

/** What can stand after a way of dots: `tpch.` has schemas, `tpch.tiny.` tables, an alias or table its columns. */
export function candidatesAfter(catalog: Catalog, sql: string, path: string[]): Candidate[] {
  const [first] = path;
  if (first === undefined) return [];
  const alias = path.length === 1 ? tablesInScope(catalog, sql).get(first) : undefined;
  if (alias) return alias.columns.map(columnCandidate);
  const inCatalog = catalog.tables.filter((table) => table.catalog === first);
  const candidates: Candidate[] = [];
  if (path.length === 1) {
    for (const schema of unique(inCatalog.map((table) => table.schema))) {
      candidates.push({ label: schema, kind: "schema", detail: "schema" });
    }
    const inSchema = catalog.tables.filter(
      (table) => table.schema === first && table.catalog === catalog.defaultCatalog,
    );
    candidates.push(...inSchema.map(tableCandidate));
  }
  if (path.length === 2) {
    candidates.push(...inCatalog.filter((table) => table.schema === path[1]).map(tableCandidate));
  }
  const table = tableOf(catalog, path);
  if (table) candidates.push(...table.columns.map(columnCandidate));
  return candidates;
}

/** What can stand where no dot precedes: columns and aliases in scope, tables of the default schema, catalogs. */
export function candidatesHere(catalog: Catalog, sql: string): Candidate[] {
  const scope = tablesInScope(catalog, sql);
  const candidates: Candidate[] = [];
  const seen = new Set<string>();
  for (const [alias, table] of scope) {
    candidates.push({ label: alias, kind: "alias", detail: table.name === alias ? "table" : table.name });
    for (const column of table.columns) {
      if (!seen.has(column.name)) candidates.push(columnCandidate(column));
      seen.add(column.name);
    }
  }
  const own = catalog.tables.filter(
    (table) => table.catalog === catalog.defaultCatalog && table.schema === catalog.defaultSchema,
  );
  candidates.push(...own.filter((table) => !scope.has(table.name)).map(tableCandidate));
  for (const name of unique(catalog.tables.map((table) => table.catalog))) {
    candidates.push({ label: name, kind: "catalog", detail: "catalog" });
  }
  return candidates;
}
