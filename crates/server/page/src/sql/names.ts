// What of the catalog a place in a statement can mean: the way of dots before it, and the tables that are in scope.
// It reads tokens, not a grammar: a half-written statement has none.

import type { Catalog, CatalogTable, Column } from "../api/types.ts";
import { isKnown, type Place } from "./places.ts";

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

/** A name after FROM or JOIN. */
interface Reference {
  path: string[];
  alias: string | undefined;
}

function references(sql: string): Reference[] {
  const found: Reference[] = [];
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
      if (all[at]?.text === "as") at += 1;
      const next = all[at];
      const alias = next?.isName && !NOT_AN_ALIAS.has(next.text) ? next.text : undefined;
      if (alias !== undefined) at += 1;
      if (path.length > 0) found.push({ path, alias });
    } while (all[at]?.text === ",");
    at -= 1;
  }
  return found;
}

/** The tables that a statement names after FROM and JOIN, by alias or by name. */
export function tablesInScope(catalog: Catalog, sql: string): Map<string, CatalogTable> {
  const scope = new Map<string, CatalogTable>();
  for (const { path, alias } of references(sql)) {
    const table = tableOf(catalog, path);
    if (table) scope.set(alias ?? table.name, table);
  }
  return scope;
}

/** The places that must be read before it is known what can stand after a way of dots, which may be none. */
export function placesToRead(catalog: Catalog, sql: string, path: string[]): Place[] {
  const wanted: Place[] = [];
  const schemaOf = (way: string[]) => {
    const schema = way.at(-1) ?? catalog.defaultSchema;
    const home = way.at(-2) ?? catalog.defaultCatalog;
    if (schema !== null && home !== null && mayHave(catalog, home, schema)) wanted.push({ catalog: home, schema });
  };
  for (const reference of references(sql)) schemaOf(reference.path.slice(0, -1));
  const [first] = path;
  if (first !== undefined && path.length <= 2) {
    if (path.length === 1 && catalog.catalogs.includes(first)) wanted.push({ catalog: first });
    schemaOf(path);
  }
  const seen = new Set<string>();
  return wanted.filter((place) => {
    const name = JSON.stringify([place.catalog, place.schema]);
    const isNew = !seen.has(name) && !isKnown(catalog, place);
    seen.add(name);
    return isNew;
  });
}

/** Whether a catalog has this schema, or may have it, because its schemas are not known. */
function mayHave(catalog: Catalog, home: string, schema: string): boolean {
  if (!catalog.catalogs.includes(home)) return false;
  const isListed = catalog.schemas.some((found) => found.catalog === home && found.name === schema);
  return isListed || !isKnown(catalog, { catalog: home });
}

/** The table of a name of one to three parts. */
function tableOf(catalog: Catalog, path: string[]): CatalogTable | undefined {
  const name = path.at(-1);
  const schema = path.at(-2) ?? catalog.defaultSchema;
  const home = path.at(-3) ?? catalog.defaultCatalog;
  return catalog.tables.find((table) => table.name === name && table.schema === schema && table.catalog === home);
}

/** Whether a table is a statement's rows. */
export const isView = ({ kind }: CatalogTable) => kind === "VIEW" || kind === "MATERIALIZED_VIEW";

const columnCandidate = ({ name, type }: Column): Candidate => ({ label: name, kind: "column", detail: type });
const tableCandidate = (table: CatalogTable): Candidate => ({
  label: table.name,
  kind: isView(table) ? "view" : "table",
  detail: isView(table) ? "view" : "table",
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
    for (const { catalog: home, name } of catalog.schemas) {
      if (home === first) candidates.push({ label: name, kind: "schema", detail: "schema" });
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
  for (const name of catalog.catalogs) candidates.push({ label: name, kind: "catalog", detail: "catalog" });
  return candidates;
}
