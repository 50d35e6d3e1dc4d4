// What the reference reads of a document.

import assert from "node:assert/strict";
import { test } from "node:test";
import { curlOf, fieldsOf, groupsOf, limitsOf, matching, type OpenApi, resolved, type Schema, typeOf } from "../src/reference/document.ts";

const document: OpenApi = {
  info: { title: "T", version: "1" },
  tags: [{ name: "Queries", description: "Statements." }, { name: "Empty" }],
  paths: {
    "/q/{id}": {
      get: {
        operationId: "getQ", summary: "One query", tags: ["Queries"], responses: {},
        parameters: [
          { $ref: "#/components/parameters/Id" },
          { name: "filters", in: "query", schema: { type: "array" }, example: ["a:EQ:it's", "b:GT:1"] },
          { name: "limit", in: "query", schema: { type: "integer" } },
        ],
      },
      put: {
        operationId: "putQ", tags: ["Queries"], responses: {}, parameters: [{ $ref: "#/components/parameters/Id" }],
        requestBody: { content: { "application/json": { example: { a: 1 } } } },
      },
    },
    "/healthz": { get: { operationId: "health", responses: {}, security: [] } },
  },
  components: {
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "string" }, example: "a/b" } },
    schemas: {
      Base: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      More: { allOf: [{ $ref: "#/components/schemas/Base" }, { type: "object", properties: { n: { type: "integer" } } }] },
    },
  },
};

const text = (schema: Schema) => typeOf(schema).map((piece) => (typeof piece === "string" ? piece : `<${piece.schema}>`)).join("");

test("endpoints by tag, and those that a search finds", () => {
  const shape = (search: string) => matching(groupsOf(document), search).map(({ name, endpoints }) => [name, ...endpoints.map(({ operation }) => operation.operationId)]);
  assert.deepEqual(shape(""), [["Queries", "getQ", "putQ"], ["Other", "health"]]);
  assert.deepEqual(shape("GET one"), [["Queries", "getQ"]]);
  assert.deepEqual(shape("nothing"), []);
});

test("types", () => {
  assert.equal(text({ $ref: "#/components/schemas/Base" }), "<Base>");
  assert.equal(text({ type: ["string", "null"], format: "date-time" }), "date-time or null");
  assert.equal(text({ type: "array", items: { oneOf: [{ type: "object" }, { type: "array", items: {} }] } }), "(object or any[])[]");
  assert.equal(text({ enum: ["a", null] }), '"a" | null');
  assert.equal(text({ type: "object", additionalProperties: { $ref: "#/components/schemas/Base" } }), "object of <Base>");
  assert.equal(text(document.components?.schemas?.["More"] ?? {}), "<Base> with more");
  assert.equal(text({}), "any");
});

test("limits", () => {
  assert.deepEqual(limitsOf({ minimum: 0, maximum: 3650 }), ["from 0", "to 3650"]);
  assert.deepEqual(limitsOf({ maximum: 2 ** 63, minLength: 1, pattern: "\\S" }), []);
  assert.deepEqual(limitsOf({ maxLength: 5, pattern: "^a$" }), ["at most 5 characters", "as ^a$"]);
});

test("fields, also those of others", () => {
  const fields = fieldsOf(document, { $ref: "#/components/schemas/More" });
  assert.deepEqual(fields.map(({ name, isRequired }) => [name, isRequired]), [["id", true], ["n", false]]);
  assert.throws(() => resolved(document, { $ref: "#/components/schemas/None" }), /leads nowhere/);
});

test("lines for a shell", () => {
  const lines = groupsOf(document).flatMap(({ endpoints }) => endpoints.map((endpoint) => curlOf(document, "http://h/web", endpoint)));
  assert.deepEqual(lines, [
    `curl -H "Authorization: Token $TOKEN" \\\n  'http://h/web/q/a%2Fb?filters=a:EQ:it'\\''s&filters=b:GT:1'`,
    `curl -X PUT \\\n  -H "Authorization: Token $TOKEN" \\\n  -d '{"a":1}' \\\n  'http://h/web/q/a%2Fb'`,
    "curl 'http://h/web/healthz'",
  ]);
});
