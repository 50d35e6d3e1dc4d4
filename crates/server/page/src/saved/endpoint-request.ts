// What the form of an endpoint stands for: its parameters out of the workspace's document, and the address of a call.

import type { DataDocument, EndpointParameter, ParameterSchema } from "../api/types.ts";
import { encoded } from "../views/filters.ts";

/** The parameters of an endpoint, its own first; none where the document has no such endpoint. */
export function parametersOf(document: DataDocument, sqlName: string): EndpointParameter[] {
  const operations = Object.values(document.paths).map((path) => path.get);
  return operations.find((get) => get?.operationId === `call_endpoint_${sqlName}`)?.parameters ?? [];
}

/** The path and query of a call, relative to the base address. An array's values stand between commas in the form. */
export function callPath(
  workspaceSqlName: string,
  sqlName: string,
  parameters: readonly EndpointParameter[],
  values: Readonly<Record<string, string>>,
): string {
  const query = parameters.flatMap(({ name, schema }) => {
    const value = values[name] ?? "";
    if (value === "") return [];
    // Columns are one list with commas, a parameter's values stand each by itself.
    const texts = isList(schema) ? value.split(",").map((text) => text.trim()) : [value];
    return texts.filter((text) => text !== "").map((text) => `${encoded(name)}=${encoded(text)}`);
  });
  const path = `v1/data/${encodeURIComponent(workspaceSqlName)}/endpoint/${encodeURIComponent(sqlName)}`;
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** Whether a parameter takes several values, each declared with its type; `columnNames` is one text. */
export const isList = (schema: ParameterSchema): boolean =>
  schema.type === "array" && schema.items?.["x-sql-type"] !== undefined;

/** What to write, as the endpoint declares it. */
export function hintOf({ schema }: EndpointParameter): string {
  const one = schema.items ?? schema;
  const type = one["x-sql-type"] ?? one.type ?? "text";
  const range = one.minimum === undefined ? "" : ` ${one.minimum} to ${one.maximum}`;
  const fallback = schema.default === undefined ? "" : `, else ${String(schema.default)}`;
  return `${isList(schema) ? `${type}, …` : type}${range}${fallback}`;
}
