// JSON with every digit. `JSON.parse` reads 9007199254740993 as ...992 and 1.10 as 1.1; a page that shows other
// numbers than the server sent would be wrong, so numbers that a double does not print alike are kept as text.

/** A number as it stood in the text. */
export class ExactNumber {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }

  valueOf(): number {
    return Number(this.text);
  }
}

export type Json = null | boolean | number | string | ExactNumber | Json[] | { [name: string]: Json };

/** Parses a JSON text. Throws a SyntaxError with the place if it is none. */
export function parseExact(text: string): Json {
  return new Parser(text).document();
}

/** Prints a value with the digits that it came with; with a line break as `indent` over several lines. */
export function printExact(value: Json, indent = ""): string {
  if (value instanceof ExactNumber) return value.text;
  const inner = indent === "" ? "" : `${indent}  `;
  if (Array.isArray(value)) return enclosed("[", value.map((item) => printExact(item, inner)), "]", indent, inner);
  if (value !== null && typeof value === "object") {
    const colon = indent === "" ? ":" : ": ";
    const members = Object.entries(value).map(([name, item]) => JSON.stringify(name) + colon + printExact(item, inner));
    return enclosed("{", members, "}", indent, inner);
  }
  return JSON.stringify(value);
}

function enclosed(open: string, items: string[], close: string, indent: string, inner: string): string {
  return items.length === 0 ? open + close : open + inner + items.join(`,${inner}`) + indent + close;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const SPACE = /[ \t\r\n]*/y;
const WORDS: [string, Json][] = [["null", null], ["true", true], ["false", false]];

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): Json {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) this.fail("the end");
    return value;
  }

  private value(): Json {
    this.space();
    const next = this.text[this.at];
    if (next === "{") return this.object();
    if (next === "[") return this.array();
    if (next === '"') return this.string();
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const number = this.match(NUMBER);
    if (number === null) this.fail("a value");
    const double = Number(number);
    return String(double) === number ? double : new ExactNumber(number);
  }

  private array(): Json[] {
    const items: Json[] = [];
    this.at += 1;
    if (this.take("]")) return items;
    do items.push(this.value());
    while (this.take(","));
    if (!this.take("]")) this.fail("',' or ']'");
    return items;
  }

  private object(): { [name: string]: Json } {
    const members: [string, Json][] = [];
    this.at += 1;
    if (this.take("}")) return {};
    do {
      this.space();
      const name = this.string();
      if (!this.take(":")) this.fail("':'");
      members.push([name, this.value()]);
    } while (this.take(","));
    if (!this.take("}")) this.fail("',' or '}'");
    // Not by assignment: a member may be called __proto__.
    return Object.fromEntries(members);
  }

  private string(): string {
    const text = this.match(STRING);
    if (text === null) this.fail("a string");
    return JSON.parse(text) as string;
  }

  private take(token: string): boolean {
    this.space();
    if (this.text[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  private space(): void {
    this.match(SPACE);
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  private fail(expected: string): never {
    throw new SyntaxError(`JSON, character ${this.at}: expected ${expected}`);
  }
}
