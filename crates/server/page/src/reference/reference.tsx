// The reference: a list of endpoints beside what the document says of each, and the schemas below.

import { useEffect, useMemo, useState } from "preact/hooks";
import { ROOT } from "../api/client.ts";
import { useLoaded } from "../parts/load.ts";
import { Empty, Fault, Messages, Waiting } from "../parts/notice.tsx";
import { Logo } from "../shell/logo.tsx";
import { type Group, groupsOf, matching, type OpenApi } from "./document.ts";
import { OperationPart } from "./operation.tsx";
import { Prose } from "./prose.tsx";
import { About, anchor, DocumentContext, Fields, schemaId } from "./schema.tsx";

const DOCUMENT = new URL("api/v1/openapi.json", ROOT);

export function Reference() {
  const { data: document, error, reload } = useLoaded("document", fetchDocument);
  useEffect(() => {
    // What the address names was not there yet when the browser looked for it.
    if (document && location.hash) window.document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [document]);
  if (error !== null) return <main class="alone"><Fault error={error} onRetry={reload} /></main>;
  if (document === null) return <main class="alone"><Waiting what="Reading the document" /></main>;
  return <DocumentContext.Provider value={document}><Pages document={document} /></DocumentContext.Provider>;
}

async function fetchDocument(): Promise<OpenApi> {
  const answer = await fetch(DOCUMENT, { credentials: "omit" });
  if (!answer.ok) throw new Error(`The document cannot be read: status ${answer.status}.`);
  return (await answer.json()) as OpenApi;
}

function Pages({ document }: { document: OpenApi }) {
  const [search, setSearch] = useState("");
  const groups = useMemo(() => groupsOf(document), [document]);
  const shown = useMemo(() => matching(groups, search), [groups, search]);
  const schemas = Object.entries(document.components?.schemas ?? {});
  return (
    <>
      <header class="top-bar">
        <a class="brand" href={ROOT}><Logo /><span>{document.info.title}</span></a>
        <span class="hint">API reference</span>
        <div class="top-bar-end"><a href={DOCUMENT.href}>openapi.json</a></div>
      </header>
      <div class="reference">
        <Contents groups={shown} search={search} onSearch={setSearch} />
        <main class="reference-main">
          <h1>{document.info.title} API</h1>
          {document.info.description && <p class="reference-intro"><Prose text={document.info.description} /></p>}
          {shown.map((group) => (
            <section key={group.name} aria-label={group.name}>
              <h2>{group.name}</h2>
              <p class="hint">{group.description}</p>
              {group.endpoints.map((endpoint) => <OperationPart key={endpoint.operation.operationId} endpoint={endpoint} />)}
            </section>
          ))}
          {shown.length === 0 && <Empty title="No endpoint matches">Search for a part of its path, its id or its title.</Empty>}
          {search === "" && (
            <section aria-label="Schemas">
              <h2>Schemas</h2>
              {schemas.map(([name, schema]) => (
                <article class="reference-operation" id={schemaId(name)} key={name}>
                  <h3><a href={anchor(schemaId(name))}>{name}</a></h3>
                  {schema.properties && <p><About schema={schema} /></p>}
                  <Fields schema={schema} />
                </article>
              ))}
            </section>
          )}
        </main>
      </div>
      <Messages />
    </>
  );
}

function Contents({ groups, search, onSearch }: { groups: Group[]; search: string; onSearch: (search: string) => void }) {
  return (
    <nav class="reference-contents" aria-label="Endpoints">
      <input
        type="search"
        placeholder="Search endpoints"
        aria-label="Search endpoints"
        value={search}
        onInput={(event) => onSearch(event.currentTarget.value)}
      />
      {groups.map((group) => (
        <div key={group.name}>
          <p class="field-label">{group.name}</p>
          <ul>
            {group.endpoints.map(({ method, path, operation }) => (
              <li key={operation.operationId}>
                <a href={anchor(operation.operationId)} title={`${method} ${path}`}>
                  <span class="method" data-method={method}>{method}</span>
                  {operation.summary ?? operation.operationId}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
