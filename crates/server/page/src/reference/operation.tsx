// One endpoint: what it takes, what it answers, a line that calls it.

import { BASE_URL } from "../api/client.ts";
import { CopyButton } from "../parts/copy.tsx";
import { curlOf, type Endpoint, type MediaType, type Parameter, resolved, type Response } from "./document.ts";
import { Prose } from "./prose.tsx";
import { anchor, Fields, Rows, Type, useDocument } from "./schema.tsx";

export function OperationPart({ endpoint }: { endpoint: Endpoint }) {
  const document = useDocument();
  const { method, path, operation } = endpoint;
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter as Parameter));
  const body = operation.requestBody?.content["application/json"];
  const curl = curlOf(document, BASE_URL, endpoint);
  return (
    <article class="reference-operation" id={operation.operationId} aria-labelledby={`${operation.operationId}-title`}>
      <h3 id={`${operation.operationId}-title`}>
        <a href={anchor(operation.operationId)}>{operation.summary ?? operation.operationId}</a>
      </h3>
      <p class="reference-address">
        <span class="method" data-method={method}>{method}</span>
        <code>{path}</code>
        {operation.security?.length === 0 && <span class="tag">no token</span>}
      </p>
      {operation.description && <p><Prose text={operation.description} /></p>}
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <Rows
            rows={parameters.map((parameter) => ({
              name: parameter.name,
              isRequired: parameter.required === true,
              schema: parameter.schema,
              description: parameter.description ?? "",
            }))}
          />
        </>
      )}
      {body?.schema && (
        <>
          <h4>Body</h4>
          <Fields schema={body.schema} />
        </>
      )}
      <h4>Request</h4>
      <div class="reference-code wrapped">
        <pre tabIndex={0}><code>{curl}</code></pre>
        <CopyButton text={curl} what="curl line" />
      </div>
      <h4>Answers</h4>
      <ul class="reference-answers">
        {Object.entries(operation.responses).map(([status, response]) => (
          <Answer key={status} status={status} response={resolved(document, response)} />
        ))}
      </ul>
    </article>
  );
}

function Answer({ status, response }: { status: string; response: Response }) {
  const contents = Object.entries(response.content ?? {});
  return (
    <li>
      <details>
        <summary>
          <span class="tag" data-tone={status.startsWith("2") ? "good" : undefined}>{status}</span>
          <span class="reference-answer-text"><Prose text={response.description} /></span>
          {contents[0]?.[1].schema && <Type schema={contents[0][1].schema} />}
        </summary>
        {contents.map(([type, content]) => <Content key={type} type={type} content={content} />)}
        {contents.length === 0 && <p class="hint">Without a body.</p>}
      </details>
    </li>
  );
}

function Content({ type, content }: { type: string; content: MediaType }) {
  const example = content.example;
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return (
    <div class="reference-content">
      <p><code>{type}</code> {content.schema && <Type schema={content.schema} />}</p>
      {example !== undefined && <div class="reference-code"><pre tabIndex={0}><code>{text}</code></pre></div>}
    </div>
  );
}
