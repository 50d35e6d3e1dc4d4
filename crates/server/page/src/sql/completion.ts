// Completion in the editor: names of the catalog, functions with their signatures, keywords.

import {
  type Completion, type CompletionContext, type CompletionResult, snippetCompletion,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { Catalog, CatalogFunction } from "../api/types.ts";
import { identifier, keywords } from "./dialect.ts";
import { type Candidate, candidatesAfter, candidatesHere, placesToRead } from "./names.ts";
import type { Place } from "./places.ts";
import { statementAt } from "./statements.ts";

const WAY = /(?:(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"\n]*")\.)+(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"\n]*)?$/u;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*$/u;

/** The catalog that names are completed from, and how more of it is read. */
export interface Names {
  latest: () => Catalog | null;
  open: (place: Place) => Promise<void>;
}

/** A source of completions from the names that `names` gives at the time. */
export function completionSource(names: () => Names | undefined) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1).name;
    if (node === "LineComment" || node === "BlockComment" || node === "String") return null;
    const text = context.state.doc.toString();
    const span = statementAt(text, context.pos);
    const statement = span ? text.slice(span.from, span.to) : text;

    const way = context.matchBefore(WAY);
    const parts = way?.text.split(".") ?? [];
    const last = parts.pop() ?? "";
    const path = parts.map((part) => (part.startsWith('"') ? part.slice(1, -1) : part.toLowerCase()));
    const known = await readFor(names(), statement, path);
    if (way && known) {
      const options = candidatesAfter(known, statement, path).map((candidate) => named(candidate, 0));
      return options.length === 0 ? null : { from: way.to - last.length, options, validFor: /^"?[\p{L}\p{N}_$]*$/u };
    }
    const word = context.matchBefore(WORD);
    if (!word && !context.explicit) return null;
    const options = [
      ...(known ? candidatesHere(known, statement).map((candidate) => named(candidate, 2)) : []),
      ...(known ? known.functions.map(called) : []),
      ...keywords.map((keyword): Completion => ({ label: cased(keyword, word?.text), type: "keyword", boost: -1 })),
    ];
    return { from: word?.from ?? context.pos, options, validFor: /^[\p{L}\p{N}_$]*$/u };
  };
}

/** The catalog with what the statement names; what cannot be read is not completed. */
async function readFor(names: Names | undefined, statement: string, path: string[]): Promise<Catalog | null> {
  const catalog = names?.latest() ?? null;
  if (names === undefined || catalog === null) return null;
  await Promise.all(placesToRead(catalog, statement, path).map(names.open));
  return names.latest();
}

/** A keyword in the letter case in which one began to write it; upper case otherwise. */
function cased(keyword: string, begun: string | undefined): string {
  return begun && begun === begun.toLowerCase() ? keyword : keyword.toUpperCase();
}

const TYPES: Record<Candidate["kind"], string> = {
  catalog: "namespace", schema: "namespace", table: "class", view: "interface", column: "property", alias: "variable",
};

function named({ label, kind, detail }: Candidate, boost: number): Completion {
  return { label, apply: identifier(label), detail, type: TYPES[kind], boost: kind === "column" ? boost + 1 : boost };
}

function called(fn: CatalogFunction): Completion {
  const takesNothing = fn.signatures.every((signature) => signature.startsWith("()"));
  return snippetCompletion(takesNothing ? `${fn.name}()` : `${fn.name}(\${})`, {
    label: fn.name,
    type: "function",
    detail: fn.kind === "SCALAR" ? "function" : fn.kind.toLowerCase(),
    info: () => described(fn),
  });
}

function described(fn: CatalogFunction): HTMLElement {
  const place = document.createElement("div");
  place.className = "function-info";
  for (const signature of fn.signatures.slice(0, 6)) {
    const line = document.createElement("code");
    line.textContent = `${fn.name}${signature}`;
    place.append(line);
  }
  const text = document.createElement("p");
  text.textContent = fn.description;
  place.append(text);
  return place;
}
