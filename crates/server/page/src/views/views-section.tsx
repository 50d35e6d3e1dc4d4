// Materialized views: the list, and the chosen one.

import { useState } from "preact/hooks";
import { usePlace } from "../context.ts";
import { formatAge, plural } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { useEvery, useLoaded, useNow } from "../parts/load.ts";
import { Empty, Fault, Waiting } from "../parts/notice.tsx";
import { addressOf } from "../route.ts";
import { ViewDetail } from "./view-detail.tsx";
import { ViewDialog } from "./view-dialog.tsx";

const AGE_MILLIS = 30_000;
/** Refreshes come by schedule and from elsewhere; a view that is being filled for the first time is waited for. */
const LOOK_MILLIS = 15_000;
const FILLING_MILLIS = 1000;
const NEW_SQL = `-- Service API: required("c_nationkey:eq")
SELECT c_custkey, c_name, c_nationkey, c_acctbal
FROM tpch.tiny.customer
`;

export function ViewsSection({ id }: { id: string | null }) {
  const { client, workspace, go } = usePlace();
  const { data, error, reload } = useLoaded(workspace.id, () => client.views(workspace.id));
  const [isMaking, setMaking] = useState(false);
  const now = useNow(AGE_MILLIS);
  const isFilling = data?.some((view) => view.generation === null && view.lastError === null) ?? false;
  useEvery(isFilling ? FILLING_MILLIS : LOOK_MILLIS, reload);
  const chosen = data?.find((view) => view.id === id) ?? null;
  return (
    <div class="two" data-open={chosen !== null}>
      <nav class="list" aria-label="Materialized views">
        <header class="list-head">
          <h1>Views</h1>
          {workspace.role !== "CONSUMER" && (
            <button type="button" class="button small" onClick={() => setMaking(true)}><Icon name="plus" />New</button>
          )}
        </header>
        {error !== null && <Fault error={error} onRetry={reload} />}
        {data === null && error === null && <Waiting what="Reading the list" />}
        {data?.length === 0 && <Empty title="No views">A view publishes the rows of a statement as JSON at an address of its own.</Empty>}
        <ul>
          {data?.map((view) => (
            <li key={view.id}>
              <a
                href={addressOf({ workspaceId: workspace.id, section: "views", id: view.id })}
                aria-current={view.id === id ? "true" : undefined}
              >
                <strong>{view.title ?? view.sqlName}</strong>
                <span class="hint">
                  <code>{view.sqlName}</code>
                  {view.rowCount === null ? " not filled" : ` ${plural(view.rowCount, "row")}`}
                  {view.refreshedAt && `, ${formatAge(view.refreshedAt, now)}`}
                </span>
                {view.lastError && <span class="tag" data-tone="bad">last refresh failed</span>}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="detail">
        {chosen ? (
          <ViewDetail
            key={chosen.id}
            view={chosen}
            onBack={() => go("views")}
            onChanged={reload}
            onDropped={() => { go("views"); reload(); }}
          />
        ) : (
          data !== null && data.length > 0 && <Empty title="Choose a view">Its state, its definition and a form to read it appear here.</Empty>
        )}
      </div>
      {isMaking && (
        <ViewDialog sql={NEW_SQL} onClose={() => setMaking(false)} onDone={(view) => { reload(); go("views", view.id); }} />
      )}
    </div>
  );
}
