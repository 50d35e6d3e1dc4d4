// Types as text with links, and the fields of an object as a table.

import { useContext } from "preact/hooks";
import { createContext } from "preact";
import { fieldsOf, limitsOf, type OpenApi, type Schema, typeOf } from "./document.ts";
import { Prose } from "./prose.tsx";

export const DocumentContext = createContext<OpenApi | null>(null);

export function useDocument(): OpenApi {
  const document = useContext(DocumentContext);
  if (!document) throw new Error("there is no document here");
  return document;
}

/** An address of the same page; with a `<base>`, a lone `#…` would lead elsewhere. */
export const anchor = (id: string): string => `${location.pathname}#${id}`;
export const schemaId = (name: string): string => `schema-${name}`;

export function Type({ schema }: { schema: Schema }) {
  return (
    <code class="reference-type">
      {typeOf(schema).map((piece) =>
        typeof piece === "string" ? piece : <a href={anchor(schemaId(piece.schema))}>{piece.schema}</a>,
      )}
    </code>
  );
}

/** What is said about a value beside its type. */
export function About({ schema }: { schema: Schema }) {
  const limits = limitsOf(schema);
  return (
    <>
      {schema.description && <Prose text={schema.description} />}
      {limits.length > 0 && <span class="reference-limits">{limits.join(", ")}</span>}
    </>
  );
}

/** The fields of an object; a type that has none is told in one line. */
export function Fields({ schema }: { schema: Schema }) {
  const document = useDocument();
  const fields = fieldsOf(document, schema);
  if (fields.length === 0) return <p class="reference-line"><Type schema={schema} /> <About schema={schema} /></p>;
  return (
    <Rows
      rows={fields.map(({ name, schema: field, isRequired }) => ({ name, isRequired, schema: field, description: undefined }))}
    />
  );
}

export interface Row {
  name: string;
  isRequired: boolean;
  schema: Schema;
  /** Instead of the schema's own. */
  description: string | undefined;
}

export function Rows({ rows }: { rows: Row[] }) {
  return (
    <dl class="reference-rows">
      {rows.map(({ name, isRequired, schema, description }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {isRequired && <span class="required">required</span>}
          </dt>
          <dd>
            <Type schema={schema} />
            <About schema={description === undefined ? schema : { ...schema, description }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
