// The SQL that the server speaks, as the editor needs to know it: Trino's words.

import { SQLDialect } from "@codemirror/lang-sql";

const KEYWORDS =
  "all and any array as asc between both by case cast catalogs coalesce columns create cross cube current_catalog " +
  "current_date current_schema current_time current_timestamp current_user day desc describe distinct else end escape " +
  "except exists explain extract false fetch filter first following for from full group grouping having hour if in " +
  "inner intersect interval into is join last lateral leading left like limit localtime localtimestamp minute month " +
  "natural next not null nullif nulls offset on only or order ordinality outer over partition preceding range recursive " +
  "right rollup row rows schemas second select sets show some substring table tables then ties trailing trim true " +
  "try_cast unbounded union unnest using values view when where window with within year zone";

const TYPES =
  "bigint boolean char date decimal double integer int json real row smallint time timestamp tinyint varbinary varchar";

export const dialect = SQLDialect.define({
  keywords: KEYWORDS,
  types: TYPES,
  builtin: "",
  operatorChars: "*+-%<>!=/|",
  identifierQuotes: '"',
  doubleDollarQuotedStrings: false,
  hashComments: false,
  slashComments: false,
  spaceAfterDashes: false,
  backslashEscapes: false,
  plsqlQuotingMechanism: false,
  unquotedBitLiterals: false,
});

export const keywords: readonly string[] = KEYWORDS.split(" ");
const quotedNeeded = /^[a-z_][a-z0-9_]*$/;
const reserved = new Set(KEYWORDS.split(" "));

/** A name as it must stand in a statement. */
export function identifier(name: string): string {
  return quotedNeeded.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
