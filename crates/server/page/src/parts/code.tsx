// SQL to read, in the colors of the editor, without the editor.

import { classHighlighter, highlightTree } from "@lezer/highlight";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { dialect } from "../sql/dialect.ts";

export function SqlCode({ sql }: { sql: string }) {
  const pieces = useMemo(() => highlighted(sql), [sql]);
  return <pre class="sql-code" tabIndex={0}><code>{pieces}</code></pre>;
}

function highlighted(sql: string): ComponentChildren[] {
  const pieces: ComponentChildren[] = [];
  let at = 0;
  highlightTree(dialect.language.parser.parse(sql), classHighlighter, (from, to, classes) => {
    if (from > at) pieces.push(sql.slice(at, from));
    pieces.push(<span class={classes}>{sql.slice(from, to)}</span>);
    at = to;
  });
  pieces.push(sql.slice(at));
  return pieces;
}
