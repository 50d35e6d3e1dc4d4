// Saves a statement under a title, or changes one that was saved.

import { useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { SavedSql } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { say } from "../parts/notice.tsx";

export function SaveDialog({ sql, saved, onClose, onDone }: {
  sql: string;
  /** What is changed; a new one without it. */
  saved?: SavedSql;
  onClose: () => void;
  onDone?: () => void;
}) {
  const { client, workspace } = usePlace();
  const [title, setTitle] = useState(saved?.title ?? "");
  const [description, setDescription] = useState(saved?.description ?? "");
  const [name, setName] = useState(saved?.sqlName ?? "");
  const [text, setText] = useState(sql);
  const [fault, setFault] = useState<string | null>(null);
  const save = async (event: Event) => {
    event.preventDefault();
    try {
      const body = { title: title.trim(), description: description.trim(), sql: text };
      const sqlName = name.trim();
      if (saved) {
        const isRenamed = sqlName !== (saved.sqlName ?? "");
        await client.updateSql(workspace.id, saved.id, { ...body, ...(isRenamed && { sqlName: sqlName || null }) });
      } else await client.saveSql(workspace.id, { ...body, ...(sqlName !== "" && { sqlName }) });
      say(`“${body.title}” is saved`);
      onDone?.();
      onClose();
    } catch (error) {
      setFault(messageOf(error));
    }
  };
  return (
    <Dialog title={saved ? "Change saved SQL" : "Save SQL"} onClose={onClose} wide>
      <form class="form" onSubmit={(event) => void save(event)}>
        <label class="field">
          <span class="field-label">Title</span>
          <input name="title" required autofocus value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span class="field-label">Description</span>
          <input name="description" value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span class="field-label">Endpoint <span class="hint">(a name makes it an address)</span></span>
          <input name="sqlName" pattern="[a-z_][a-z0-9_]*" placeholder="orders_of_day" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span class="field-label">SQL</span>
          <textarea class="code" rows={10} spellcheck={false} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        {fault && <p class="field-fault" role="alert">{fault}</p>}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button type="submit" class="button primary">Save</button>
        </div>
      </form>
    </Dialog>
  );
}
