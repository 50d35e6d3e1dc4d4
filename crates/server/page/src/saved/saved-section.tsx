// Saved SQL: the list, and of the chosen one its text and the statistics of its last run.

import { useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { SavedSql } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { SqlCode } from "../parts/code.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { useLoaded } from "../parts/load.ts";
import { Empty, Fault, say, Waiting } from "../parts/notice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Statistics } from "../result/plan.tsx";
import { addressOf } from "../route.ts";
import { parameterNames } from "../sql/parameters.ts";
import { Calls } from "./calls.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { SaveDialog } from "./save-dialog.tsx";
import { Versions } from "./versions.tsx";

type Tab = "call" | "definition" | "calls" | "versions";

export function SavedSection({ id }: { id: string | null }) {
  const { client, workspace, go } = usePlace();
  const { data, error, reload } = useLoaded(workspace.id, () => client.savedSqls(workspace.id));
  const chosen = data?.find((saved) => saved.id === id) ?? null;
  return (
    <div class="two" data-open={chosen !== null}>
      <nav class="list" aria-label="Saved SQL">
        <header class="list-head"><h1>Saved SQL</h1></header>
        {error !== null && <Fault error={error} onRetry={reload} />}
        {data === null && error === null && <Waiting what="Reading the list" />}
        {data?.length === 0 && <Empty title="Nothing is saved">Save a statement in the SQL section to find it here.</Empty>}
        <ul>
          {data?.map((saved) => (
            <li key={saved.id}>
              <a
                href={addressOf({ workspaceId: workspace.id, section: "saved", id: saved.id })}
                aria-current={saved.id === id ? "true" : undefined}
              >
                <strong>{saved.title}</strong>
                <span class="hint">{saved.description || saved.sql.replace(/\s+/g, " ").slice(0, 90)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="detail">
        {chosen ? (
          <Detail
            key={chosen.id}
            saved={chosen}
            onBack={() => go("saved")}
            onChanged={reload}
            onDeleted={() => { go("saved"); reload(); }}
          />
        ) : (
          data !== null && data.length > 0 && <Empty title="Choose one">Its text and the statistics of its last run appear here.</Empty>
        )}
      </div>
    </div>
  );
}

function Detail({ saved, onBack, onChanged, onDeleted }: {
  saved: SavedSql;
  onBack: () => void;
  onChanged: () => void;
  onDeleted: () => void;
}) {
  const { client, workspace, go, openSql } = usePlace();
  const needsValues = parameterNames(saved.sql).length > 0;
  const { data: statistics, error, reload } = useLoaded(saved.id, () => client.savedSqlStatistics(workspace.id, saved.id));
  const [dialog, setDialog] = useState<"change" | "delete" | null>(null);
  const [tab, setTab] = useState<Tab>(saved.sqlName === undefined ? "definition" : "call");
  const sqlName = saved.sqlName;
  const shown = sqlName === undefined && tab !== "versions" ? "definition" : tab;
  const run = async () => {
    if (needsValues) {
      openSql(saved.sql);
      return;
    }
    try {
      const query = await client.executeSql(workspace.id, saved.id);
      go("sql", query.id);
    } catch (failure) {
      say(messageOf(failure));
    }
  };
  const remove = () =>
    client.deleteSql(workspace.id, saved.id).then(
      () => { say(`“${saved.title}” is deleted`); onDeleted(); },
      (failure: unknown) => say(messageOf(failure)),
    );
  return (
    <article>
      <header class="detail-head">
        <button type="button" class="button quiet back" onClick={onBack}><Icon name="chevron" />List</button>
        <h2>{saved.title}</h2>
        <div class="detail-actions">
          <button type="button" class="button primary" onClick={() => void run()}><Icon name="play" filled />{needsValues ? "Run with values" : "Run"}</button>
          {!needsValues && <button type="button" class="button" onClick={() => openSql(saved.sql)}>Open</button>}
          <button type="button" class="button" onClick={() => setDialog("change")}><Icon name="edit" />Change</button>
          <button type="button" class="button icon-only" aria-label="Delete" title="Delete" onClick={() => setDialog("delete")}>
            <Icon name="trash" />
          </button>
        </div>
      </header>
      {saved.description && <p>{saved.description}</p>}
      <p class="hint id-line">
        Id <code>{saved.id}</code><CopyButton text={saved.id} what="id" />
        {sqlName !== undefined && <>{" "}Endpoint <code>{sqlName}</code></>}
      </p>
      <div class="detail-tabs">
        <Tabs<Tab>
          name="Saved SQL"
          selected={shown}
          onSelect={setTab}
          tabs={[
            ...(sqlName === undefined ? [] : [{ id: "call" as const, label: "Call" }]),
            { id: "definition", label: "Definition" },
            ...(sqlName === undefined ? [] : [{ id: "calls" as const, label: "Calls" }]),
            { id: "versions", label: "Versions" },
          ]}
        />
      </div>
      {shown === "call" && sqlName !== undefined && <EndpointForm saved={saved} sqlName={sqlName} />}
      {shown === "calls" && <Calls saved={saved} />}
      {shown === "versions" && <Versions saved={saved} onChanged={onChanged} />}
      {shown === "definition" && (
        <>
          <SqlCode sql={saved.sql} />
          <h3>Last run</h3>
          {error !== null && <Fault error={error} onRetry={reload} />}
          {statistics && (statistics.stats.state === "NONE" ? <p class="hint">It has not run yet.</p> : <Statistics stats={statistics.stats} />)}
        </>
      )}
      {dialog === "change" && <SaveDialog sql={saved.sql} saved={saved} onClose={() => setDialog(null)} onDone={onChanged} />}
      {dialog === "delete" && (
        <Confirm
          title={`Delete “${saved.title}”?`}
          text="Programs that execute it by its id will get 404."
          action="Delete"
          onConfirm={() => void remove()}
          onClose={() => setDialog(null)}
        />
      )}
    </article>
  );
}
