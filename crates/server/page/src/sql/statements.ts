// Where the statements of a text begin and end. Semicolons inside of quotes and comments end nothing.

export interface Span {
  from: number;
  to: number;
}

const PIECE = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|;/g;

/** The spans of the statements, without the semicolons; empty ones are left out. */
export function statements(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  const end = (to: number) => {
    const trimmed = trimmedSpan(text, { from, to });
    if (hasContent(text.slice(trimmed.from, trimmed.to))) spans.push(trimmed);
  };
  for (const piece of text.matchAll(PIECE)) {
    if (piece[0] !== ";") continue;
    end(piece.index);
    from = piece.index + 1;
  }
  end(text.length);
  return spans;
}

/** The statement at a position: the one around it, else the one that ended before it, else the first. */
export function statementAt(text: string, position: number): Span | null {
  const spans = statements(text);
  const after = spans.findIndex((span) => span.from > position);
  const before = after < 0 ? spans.length - 1 : after - 1;
  return spans[Math.max(0, before)] ?? null;
}

function trimmedSpan(text: string, { from, to }: Span): Span {
  while (from < to && isSpace(text, from)) from += 1;
  while (to > from && isSpace(text, to - 1)) to -= 1;
  return { from, to };
}

const isSpace = (text: string, at: number) => /\s/.test(text.charAt(at));

/** Whether there is more than comments. */
function hasContent(text: string): boolean {
  return text.replace(PIECE, (piece) => (/^(--|\/\*)/.test(piece) ? "" : piece)).trim() !== "";
}

/** The offset of a line and column as the server tells them: from 1, columns in characters, not in UTF-16 units. */
export function offsetOf(text: string, lineNumber: number, columnNumber: number): number {
  let start = 0;
  for (let line = 1; line < lineNumber; line += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const line = text.slice(start, end < 0 ? text.length : end);
  return start + [...line].slice(0, Math.max(0, columnNumber - 1)).join("").length;
}
