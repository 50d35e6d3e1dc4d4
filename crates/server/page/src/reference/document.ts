// What the reference reads of an OpenAPI document: operations by tag, types as one writes them, lines for curl.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  default?: unknown;
}

export interface Reference {
  $ref?: string;
}

export interface Parameter extends Reference {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface MediaType {
  schema?: Schema;
  example?: unknown;
}

export interface Response extends Reference {
  description: string;
  content?: Record<string, MediaType>;
  headers?: Record<string, { description?: string; $ref?: string }>;
}

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response>;
  security?: object[];
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter>; responses?: Record<string, Response> };
}

/** An operation with its place. */
export interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

export interface Group {
  name: string;
  description: string;
  endpoints: Endpoint[];
}

/** What a `$ref` stands for; anything else stands for itself. */
export function resolved<T extends Reference>(document: OpenApi, value: T): T {
  if (value.$ref === undefined) return value;
  const found = value.$ref.slice(2).split("/").reduce<unknown>(
    (place, key) => (place as Record<string, unknown> | undefined)?.[key.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return found as T;
}

/** Endpoints by their first tag, in the order of the document. */
export function groupsOf(document: OpenApi): Group[] {
  const groups = (document.tags ?? []).map(({ name, description = "" }): Group => ({ name, description, endpoints: [] }));
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? "Other";
      let group = groups.find(({ name }) => name === tag);
      if (!group) groups.push((group = { name: tag, description: "", endpoints: [] }));
      group.endpoints.push({ method: method.toUpperCase(), path, operation });
    }
  }
  return groups.filter(({ endpoints }) => endpoints.length > 0);
}

/** Those in which every word of a search stands: in the path, the summary or the id. */
export function matching(groups: Group[], search: string): Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = ({ method, path, operation }: Endpoint) => {
    const text = `${method} ${path} ${operation.operationId} ${operation.summary ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, endpoints: group.endpoints.filter(holds) }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

/** A type in pieces: text, and names of schemas. */
export type TypePiece = string | { schema: string };

const SCHEMAS = "#/components/schemas/";

/** A type as one would write it: `Query[]`, `string or null`, `"json" | "csv"`. */
export function typeOf(schema: Schema): TypePiece[] {
  if (schema.$ref !== undefined) {
    return [schema.$ref.startsWith(SCHEMAS) ? { schema: schema.$ref.slice(SCHEMAS.length) } : schema.$ref];
  }
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(" | ")];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return joined(choices.map(typeOf), " or ");
  if (schema.allOf) return joined(schema.allOf.map((part) => (part.properties ? ["more"] : typeOf(part))), " with ");
  const types = [schema.type ?? "any"].flat();
  return joined(types.map((type) => ofType(type, schema)), " or ");
}

function ofType(type: string, schema: Schema): TypePiece[] {
  if (type === "array") {
    const items = schema.items && Object.keys(schema.items).length > 0 ? typeOf(schema.items) : ["any"];
    return items.length > 1 ? ["(", ...items, ")[]"] : [...items, "[]"];
  }
  if (type === "object" && typeof schema.additionalProperties === "object") {
    return ["object of ", ...typeOf(schema.additionalProperties)];
  }
  return [type === "string" && schema.format ? schema.format : type];
}

function joined(pieces: TypePiece[][], between: string): TypePiece[] {
  return pieces.flatMap((piece, at) => (at === 0 ? piece : [between, ...piece]));
}

/** What a value must keep to beside its type. */
export function limitsOf({ minimum, maximum, minLength, maxLength, maxItems, pattern }: Schema): string[] {
  const limits: string[] = [];
  if (minimum !== undefined) limits.push(`from ${minimum}`);
  // 2^53 and more is as good as none, and not exact as it stands here.
  if (maximum !== undefined && maximum <= Number.MAX_SAFE_INTEGER) limits.push(`to ${maximum}`);
  if (minLength !== undefined && minLength > 1) limits.push(`at least ${minLength} characters`);
  if (maxLength !== undefined) limits.push(`at most ${maxLength} characters`);
  if (maxItems !== undefined) limits.push(`at most ${maxItems}`);
  if (pattern !== undefined && pattern !== "\\S") limits.push(`as ${pattern}`);
  return limits;
}

/** All fields of an object, also those that it has from others. */
export function fieldsOf(document: OpenApi, schema: Schema): { name: string; schema: Schema; isRequired: boolean }[] {
  const whole = resolved(document, schema);
  const own = Object.entries(whole.properties ?? {}).map(([name, field]) => ({
    name, schema: field, isRequired: whole.required?.includes(name) ?? false,
  }));
  return [...(whole.allOf ?? []).flatMap((part) => fieldsOf(document, part)), ...own];
}

/** A line for a shell, with the document's examples, that works once `TOKEN` is set. */
export function curlOf(document: OpenApi, base: string, { method, path, operation }: Endpoint): string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter as Parameter));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === name);
    return encodeURIComponent(String(parameter?.example ?? name));
  });
  const query = parameters
    .filter((parameter) => parameter.in === "query" && (parameter.required === true || parameter.example !== undefined))
    .flatMap(({ name, example }) => [example ?? `<${name}>`].flat().map((value) => `${name}=${String(value)}`));
  const address = `${base}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const pieces: string[] = [];
  const body = operation.requestBody?.content["application/json"]?.example;
  if (method !== "GET" && !(method === "POST" && body !== undefined)) pieces.push(`-X ${method}`);
  if (operation.security?.length !== 0) pieces.push('-H "Authorization: Token $TOKEN"');
  if (body !== undefined) pieces.push(`-d ${quoted(JSON.stringify(body))}`);
  pieces.push(quoted(address));
  return `curl ${pieces.join(" \\\n  ")}`;
}

/** A word of the shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
