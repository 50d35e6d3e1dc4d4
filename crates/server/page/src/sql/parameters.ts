// The parameters that a statement names as `:name`, and their values as they are sent (D41). They travel beside the
// text and never become a part of it.

import { ExactNumber, type Json } from "../api/exact-json.ts";

export const KINDS = ["text", "number", "boolean", "date", "timestamp", "null"] as const;
export type Kind = (typeof KINDS)[number];

export interface Parameter {
  /** What one has chosen; without it the value tells. */
  kind?: Kind;
  text: string;
}

export type Parameters = Record<string, Parameter>;

const PIECE = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|(?<!:):([\p{L}_][\p{L}\p{N}_]*)/gu;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DATE = /^\d{4,}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4,}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/;

/** The names in a text, each once, in their order. */
export function parameterNames(sql: string): string[] {
  const names = [...sql.matchAll(PIECE)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)];
}

export function kindOf({ kind, text }: Parameter): Kind {
  if (kind !== undefined) return kind;
  if (NUMBER.test(text)) return "number";
  if (DATE.test(text)) return "date";
  if (TIMESTAMP.test(text)) return "timestamp";
  return text === "true" || text === "false" ? "boolean" : "text";
}

/** A value as the API takes it; what its kind does not hold is sent as text, and the server says what is wrong. */
function valueOf(parameter: Parameter): Json {
  const { text } = parameter;
  switch (kindOf(parameter)) {
    case "null": return null;
    case "number": return NUMBER.test(text) ? new ExactNumber(text) : { type: "double", value: text };
    case "boolean": return text === "true" || text === "false" ? text === "true" : { type: "boolean", value: text };
    case "date": return { type: "date", value: text };
    case "timestamp": return { type: `timestamp(${Math.max(3, text.split(".")[1]?.length ?? 0)})`, value: text.replace(" ", "T") };
    case "text": return text;
  }
}

/** What is sent with a statement: the values of its names and of no others. */
export function parametersOf(sql: string, parameters: Parameters): { [name: string]: Json } {
  return Object.fromEntries(parameterNames(sql).map((name) => [name, valueOf(parameters[name] ?? { text: "" })]));
}

/** What a record tells of the values that a statement ran with, for the form. */
export function parametersFrom(recorded: { [name: string]: Json }): Parameters {
  return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, parameterFrom(value)]));
}

function parameterFrom(value: Json): Parameter {
  if (value === null) return { kind: "null", text: "" };
  if (typeof value === "number" || value instanceof ExactNumber) return { kind: "number", text: String(value) };
  if (typeof value === "boolean") return { kind: "boolean", text: String(value) };
  if (typeof value === "string") return { kind: "text", text: value };
  if (Array.isArray(value)) return { kind: "text", text: "" };
  const { type, value: inner } = value;
  const found = parameterFrom(inner ?? null);
  if (type === "date") return { ...found, kind: "date" };
  return typeof type === "string" && type.startsWith("timestamp") ? { ...found, kind: "timestamp" } : found;
}
