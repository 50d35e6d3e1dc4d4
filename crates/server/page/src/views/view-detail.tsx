// One view: how it stands, how it is defined, and a form that reads it.

import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { MaterializedView, Query } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { formatAge, formatCount, formatTime } from "../format.ts";
import { SqlCode } from "../parts/code.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { useNow } from "../parts/load.ts";
import { Fault, say } from "../parts/notice.tsx";
import { Status } from "../parts/status.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { isFinal } from "../sql/run.ts";
import { Generations } from "./generations.tsx";
import { RequestForm } from "./request-form.tsx";
import { ViewDialog } from "./view-dialog.tsx";

type Tab = "read" | "definition" | "generations";
const AGE_MILLIS = 10_000;

export function ViewDetail({ view, onBack, onChanged, onDropped }: {
  view: MaterializedView;
  onBack: () => void;
  onChanged: () => void;
  onDropped: () => void;
}) {
  const { client, workspace } = usePlace();
  const [tab, setTab] = useState<Tab>("read");
  const [dialog, setDialog] = useState<"change" | "drop" | null>(null);
  const [refresh, setRefresh] = useState<Query | null>(null);
  const mayChange = workspace.role !== "CONSUMER";
  const isRefreshing = refresh !== null && !isFinal(refresh);
  useEffect(() => {
    if (refresh === null) return;
    if (isFinal(refresh)) {
      onChanged();
      return;
    }
    const abort = new AbortController();
    client.waitForQuery(workspace.id, refresh.id, abort.signal).then(setRefresh, () => setRefresh(null));
    return () => abort.abort();
  }, [refresh]);
  const start = () =>
    client.refreshView(workspace.id, view.id).then(setRefresh, (error: unknown) => say(messageOf(error)));
  const drop = () =>
    client.dropView(workspace.id, view.id).then(
      () => { say(`View ${view.sqlName} is dropped`); onDropped(); },
      (error: unknown) => say(messageOf(error)),
    );
  return (
    <article>
      <header class="detail-head">
        <button type="button" class="button quiet back" onClick={onBack}><Icon name="chevron" />List</button>
        <h2>{view.title ?? view.sqlName}</h2>
        {mayChange && (
          <div class="detail-actions">
            <button type="button" class="button" disabled={isRefreshing} onClick={() => void start()}>
              <Icon name="refresh" />{isRefreshing ? "Refreshing…" : "Refresh"}
            </button>
            <button type="button" class="button" onClick={() => setDialog("change")}><Icon name="edit" />Change</button>
            <button type="button" class="button icon-only" aria-label="Drop" title="Drop" onClick={() => setDialog("drop")}>
              <Icon name="trash" />
            </button>
          </div>
        )}
      </header>
      {view.description && <p>{view.description}</p>}
      <ViewFacts view={view} refresh={refresh} />
      {view.lastError && <Fault error={new Error(`The last refresh failed: ${view.lastError}`)} />}
      <div class="detail-tabs">
        <Tabs<Tab>
          name="View"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: "read", label: "Read" },
            { id: "definition", label: "Definition" },
            // They name queries, which a consumer may not see.
            ...(mayChange ? [{ id: "generations" as const, label: "Generations" }] : []),
          ]}
        />
      </div>
      {tab === "read" && <RequestForm key={`${view.id} ${view.requiredFilters.join()}`} view={view} />}
      {tab === "definition" && <Definition view={view} />}
      {tab === "generations" && <Generations view={view} />}
      {dialog === "change" && (
        <ViewDialog sql={view.sql} view={view} onClose={() => setDialog(null)} onDone={onChanged} />
      )}
      {dialog === "drop" && (
        <Confirm
          title={`Drop view ${view.sqlName}?`}
          text="Its rows and its address are gone at once; those who read it will get 404."
          action="Drop"
          onConfirm={() => void drop()}
          onClose={() => setDialog(null)}
        />
      )}
    </article>
  );
}

function ViewFacts({ view, refresh }: { view: MaterializedView; refresh: Query | null }) {
  const now = useNow(AGE_MILLIS);
  return (
    <dl class="facts grid-facts">
      <div><dt>SQL name</dt><dd><code>{view.sqlName}</code></dd></div>
      <div><dt>Rows</dt><dd>{view.rowCount === null ? "not filled yet" : formatCount(view.rowCount)}</dd></div>
      <div><dt>Generation</dt><dd>{view.generation ?? "none"}</dd></div>
      <div>
        <dt>Refreshed</dt>
        <dd>{view.refreshedAt ? <span title={formatTime(view.refreshedAt)}>{formatAge(view.refreshedAt, now)}</span> : "never"}</dd>
      </div>
      <div><dt>Schedule</dt><dd>{view.schedule ? <code>{view.schedule}</code> : "on demand"}</dd></div>
      <div>
        <dt>Required filters</dt>
        <dd>{view.requiredFilters.length === 0 ? "none" : view.requiredFilters.map((entry) => <code class="required" key={entry}>{entry}</code>)}</dd>
      </div>
      {refresh && <div><dt>Refresh</dt><dd><Status status={refresh.status} /></dd></div>}
    </dl>
  );
}

function Definition({ view }: { view: MaterializedView }) {
  return (
    <>
      <SqlCode sql={view.sql} />
      <h3>Columns</h3>
      <table class="table compact">
        <thead><tr><th scope="col">Name</th><th scope="col">Type</th></tr></thead>
        <tbody>
          {view.columns.map((column) => (
            <tr key={column.name}><td><code>{column.name}</code></td><td class="type">{column.type}</td></tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
