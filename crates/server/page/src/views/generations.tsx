// What the newest refreshes of a view brought, each with a way to its query.

import type { MaterializedView } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { formatCount, formatTime } from "../format.ts";
import { useLoaded } from "../parts/load.ts";
import { Empty, Fault, Waiting } from "../parts/notice.tsx";
import { addressOf } from "../route.ts";

export function Generations({ view }: { view: MaterializedView }) {
  const { client, workspace } = usePlace();
  const { data, error, reload } = useLoaded(`${view.id} ${view.generation} ${view.refreshedAt}`, () =>
    client.viewGenerations(workspace.id, view.id),
  );
  if (error !== null) return <Fault error={error} onRetry={reload} />;
  if (data === null) return <Waiting what="Looking for generations" />;
  if (data.length === 0) return <Empty title="Not filled yet">Each refresh that ends well makes a generation.</Empty>;
  return (
    <table class="table compact generations">
      <thead>
        <tr>
          <th scope="col" data-numeric>Generation</th>
          <th scope="col" data-numeric>Rows</th>
          <th scope="col">Created</th>
          <th scope="col">Query</th>
        </tr>
      </thead>
      <tbody>
        {data.map(({ generation, refreshedAt, rowCount, queryId }) => (
          <tr key={`${generation} ${refreshedAt}`}>
            <td data-numeric>{generation}</td>
            <td data-numeric>{formatCount(rowCount)}</td>
            <td class="time">
              {formatTime(refreshedAt)}
              {refreshedAt === view.refreshedAt && <span class="tag" data-tone="good">served</span>}
            </td>
            <td>
              {queryId !== null && (
                <a href={addressOf({ workspaceId: workspace.id, section: "sql", id: queryId })}><code>{queryId}</code></a>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
