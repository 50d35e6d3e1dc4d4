// The workspace's statements, newest first, page by page. Opening one shows its text and its result.

import { useState } from "preact/hooks";
import type { Query } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { formatCount, formatMillis, formatTime } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { useLoaded } from "../parts/load.ts";
import { Empty, Fault, Waiting } from "../parts/notice.tsx";
import { Status } from "../parts/status.tsx";
import { addressOf } from "../route.ts";

const PAGE = 50;

export function HistorySection() {
  const { client, workspace } = usePlace();
  const [offset, setOffset] = useState(0);
  const { data, error, isLoading, reload } = useLoaded(`${workspace.id} ${offset}`, () =>
    client.queries(workspace.id, PAGE, offset),
  );
  const last = Math.min(offset + PAGE, data?.totalCount ?? 0);
  return (
    <div class="sheet">
      <header class="sheet-head">
        <h1>History</h1>
        <p class="hint">Everything that ran in this workspace, by anyone.</p>
        <div class="sheet-actions">
          <button type="button" class="button" onClick={reload} disabled={isLoading}><Icon name="refresh" />Refresh</button>
        </div>
      </header>
      {error !== null && <Fault error={error} onRetry={reload} />}
      {data === null && error === null && <Waiting what="Reading the history" />}
      {data && data.result.length === 0 && <Empty title="Nothing has run yet">Statements appear here as they are submitted.</Empty>}
      {data && data.result.length > 0 && (
        <>
          <table class="table history">
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Statement</th>
                <th scope="col" data-numeric>Rows</th>
                <th scope="col" data-numeric>Took</th>
                <th scope="col">Started</th>
                <th scope="col">By</th>
              </tr>
            </thead>
            <tbody>{data.result.map((query) => <QueryRow key={query.id} query={query} />)}</tbody>
          </table>
          <nav class="pager" aria-label="Pages of the history">
            <span>{formatCount(offset + 1)}–{formatCount(last)} of {formatCount(data.totalCount)}</span>
            <button type="button" class="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
              Newer
            </button>
            <button type="button" class="button" disabled={last >= data.totalCount} onClick={() => setOffset(offset + PAGE)}>
              Older
            </button>
          </nav>
        </>
      )}
    </div>
  );
}

function QueryRow({ query }: { query: Query }) {
  const { workspace } = usePlace();
  return (
    <tr>
      <td><Status status={query.status} /></td>
      <td class="statement">
        <a href={addressOf({ workspaceId: workspace.id, section: "sql", id: query.id })} title={query.sql}>
          <code>{query.sql.replace(/\s+/g, " ").trim()}</code>
        </a>
        {query.error && <span class="statement-error">{query.error.message}</span>}
      </td>
      <td data-numeric data-label="rows">{query.rowCount === undefined ? "–" : formatCount(query.rowCount)}</td>
      <td data-numeric>{formatMillis(query.duration)}{query.fromCache && <span class="tag">cached</span>}</td>
      <td class="time">{formatTime(query.startedAt)}</td>
      <td>{query.userId ?? "–"} <span class="hint">{(query.source ?? "API").toLowerCase().replaceAll("_", " ")}</span></td>
    </tr>
  );
}
