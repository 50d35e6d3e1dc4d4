// The results that may answer later statements, and an end to that.

import { messageOf } from "../api/client.ts";
import { usePlace } from "../context.ts";
import { formatCount } from "../format.ts";
import { useLoaded } from "../parts/load.ts";
import { Fault, say, Waiting } from "../parts/notice.tsx";
import { addressOf } from "../route.ts";

const SHOWN_CHARACTERS = 80;

export function Cache() {
  const { client, workspace } = usePlace();
  const { data, error, reload } = useLoaded(workspace.id, () => client.cachedResults(workspace.id));
  const purge = (scope: { queryId?: string; all?: string }) =>
    client.purgeCache(workspace.id, scope).then(
      ({ purged }) => { say(purged === 1 ? "1 result answers no more" : `${purged} results answer no more`); reload(); },
      (failure: unknown) => say(messageOf(failure)),
    );
  return (
    <section class="card" aria-labelledby="cache">
      <header class="card-head">
        <h2 id="cache">Kept results{data && <span class="hint"> {formatCount(data.totalCount)}</span>}</h2>
        {workspace.role === "OWNER" && data !== null && data.totalCount > 0 && (
          <button type="button" class="button" onClick={() => void purge({ all: "true" })}>Purge all</button>
        )}
      </header>
      {error !== null && <Fault error={error} onRetry={reload} />}
      {data === null && error === null && <Waiting what="Reading the list" />}
      {data?.totalCount === 0 && <p class="hint">No result is kept for later statements.</p>}
      {data !== null && data.totalCount > 0 && (
        <table class="table compact">
          <thead>
            <tr><th scope="col">Statement</th><th scope="col">Made from</th><th scope="col" data-numeric>Rows</th><th scope="col" data-numeric>Age (s)</th><th scope="col">Purge</th></tr>
          </thead>
          <tbody>
            {data.result.map(({ queryId, sql, tables, volatile, rowCount, ageSeconds }) => (
              <tr key={queryId}>
                <td>
                  <a href={addressOf({ workspaceId: workspace.id, section: "sql", id: queryId })}>
                    <code>{(sql ?? queryId).replace(/\s+/g, " ").slice(0, SHOWN_CHARACTERS)}</code>
                  </a>
                </td>
                <td>{volatile ?? tables?.join(", ") ?? "unknown"}</td>
                <td data-numeric>{formatCount(rowCount)}</td>
                <td data-numeric>{formatCount(ageSeconds)}</td>
                <td>
                  <button type="button" class="button small" aria-label={`Purge the result of ${queryId}`} onClick={() => void purge({ queryId })}>Purge</button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
