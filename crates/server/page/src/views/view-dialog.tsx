// Makes a materialized view, or changes one.

import { useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { MaterializedView } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { say } from "../parts/notice.tsx";

const SQL_NAME = "[a-z_][a-z0-9_]{0,62}";

export function ViewDialog({ sql, view, onClose, onDone }: {
  sql: string;
  /** What is changed; a new one without it. */
  view?: MaterializedView;
  onClose: () => void;
  onDone: (view: MaterializedView) => void;
}) {
  const { client, workspace } = usePlace();
  const [sqlName, setSqlName] = useState(view?.sqlName ?? "");
  const [title, setTitle] = useState(view?.title ?? "");
  const [description, setDescription] = useState(view?.description ?? "");
  const [schedule, setSchedule] = useState(view?.schedule ?? "");
  const [text, setText] = useState(sql);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      const optional = { title: title.trim() || null, description: description.trim() || null, schedule: schedule.trim() || null };
      const done = view
        ? await client.updateView(workspace.id, view.id, changes(view, { sqlName, sql: text, ...optional }))
        : await client.createView(workspace.id, { sqlName, sql: text, ...withoutNulls(optional) });
      say(view ? `View ${done.sqlName} is changed` : `View ${done.sqlName} is created and being filled`);
      onClose();
      onDone(done);
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={view ? `Change view ${view.sqlName}` : "New materialized view"} onClose={onClose} wide>
      <form class="form" onSubmit={(event) => void save(event)}>
        <div class="form-row">
          <label class="field">
            <span class="field-label">SQL name</span>
            <input name="sqlName" required autofocus pattern={SQL_NAME} title="Small letters, digits and _; a letter first" value={sqlName} onInput={(event) => setSqlName(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span class="field-label">Schedule <span class="hint">(UTC)</span></span>
            <input name="schedule" placeholder="0 6 * * 1-5, or @every 10m; empty: on demand" value={schedule} onInput={(event) => setSchedule(event.currentTarget.value)} />
          </label>
        </div>
        <div class="form-row">
          <label class="field">
            <span class="field-label">Title</span>
            <input name="title" value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span class="field-label">Description</span>
            <input name="description" value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
          </label>
        </div>
        <label class="field">
          <span class="field-label">SQL</span>
          <textarea class="code" name="sql" rows={12} spellcheck={false} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <p class="hint">
          A line <code>-- Service API: required("column:eq", "other_column")</code> demands these filters of every reader.
        </p>
        {fault && <p class="field-fault" role="alert">{fault}</p>}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button type="submit" class="button primary" disabled={isBusy}>{view ? "Change" : "Create the view"}</button>
        </div>
      </form>
    </Dialog>
  );
}

type Definition = Pick<MaterializedView, "sqlName" | "sql" | "title" | "description" | "schedule">;

/** What differs: an unchanged text must not refresh the view. */
function changes(view: MaterializedView, wanted: Definition): Partial<Definition> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => view[name as keyof Definition] !== value),
  );
}

function withoutNulls(values: Record<string, string | null>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
