// The SQL section: catalog, editor, result.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { usePlace } from "../context.ts";
import { Splitter } from "../parts/splitter.tsx";
import { ResultPanel } from "../result/result-panel.tsx";
import { SaveDialog } from "../saved/save-dialog.tsx";
import { storedDraft, storeDraft } from "../session.ts";
import { ViewDialog } from "../views/view-dialog.tsx";
import { CatalogTree } from "./catalog-tree.tsx";
import { Editor, type EditorHandle, type Runnable } from "./editor.tsx";
import { type CacheChoice, useRun } from "./run.ts";
import { offsetOf } from "./statements.ts";
import { usePlaces } from "./places.ts";
import { ParameterForm } from "./parameter-form.tsx";
import { parameterNames, type Parameters, parametersFrom, parametersOf } from "./parameters.ts";
import { Toolbar } from "./toolbar.tsx";

/** A text that another section opens in the editor; the same one again is another object. */
export interface OpenedText {
  sql: string;
}

const FIRST_SQL = `-- Ctrl-Enter runs the statement at the cursor, or what is selected.
SELECT r_name, count(*) AS nations
FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey
GROUP BY r_name
ORDER BY r_name
`;
const MIN_EDITOR_PIXELS = 96;
const RESULT_PIXELS = 140;
const NARROW = "(max-width: 760px)";

/** `id` is a query to open: its text and its result. `text` is one to put into the editor. */
export function SqlSection({ isShown, id, text: given }: { isShown: boolean; id: string | null; text: OpenedText | null }) {
  const { client, workspace, go } = usePlace();
  const run = useRun(client, workspace.id);
  const places = usePlaces(client, workspace.id);
  const [initial] = useState(() => storedDraft(workspace.id) ?? FIRST_SQL);
  const [text, setText] = useState(initial);
  const [isSelected, setSelected] = useState(false);
  const [cache, setCache] = useState<CacheChoice>({ isOn: false, ttlSeconds: 3600, refresh: false });
  const [height, setHeight] = useState(260);
  const [isCatalogShown, showCatalog] = useState(() => !matchMedia(NARROW).matches);
  const [dialog, setDialog] = useState<"save" | "view" | null>(null);
  const [parameters, setParameters] = useState<Parameters>({});
  const names = useMemo(() => parameterNames(text), [text]);
  const editor = useRef<EditorHandle | null>(null);
  const submitted = useRef<Runnable | null>(null);
  const opened = useRef<string | null>(null);
  const column = useRef<HTMLDivElement>(null);

  const submit = () => {
    const runnable = editor.current?.runnable();
    if (!runnable) return;
    editor.current?.mark(null);
    submitted.current = runnable;
    opened.current = null;
    if (id !== null) go("sql");
    run.submit(runnable.sql, cache, parametersOf(runnable.sql, parameters));
  };
  const { query, open } = run;
  // A query of the history, or a saved SQL's run: once for each address.
  useEffect(() => {
    if (id === null || opened.current === id) return;
    opened.current = id;
    open(async () => {
      const record = await client.query(workspace.id, id);
      editor.current?.replace(record.sql);
      submitted.current = { sql: record.sql, from: 0 };
      if (record.parameters) setParameters(parametersFrom(await client.queryParameters(workspace.id, id)));
      return record;
    });
  }, [id, client, workspace.id, open]);
  // What was opened in another workspace is not this one's.
  const before = useRef(given);
  useEffect(() => {
    if (given === null || given === before.current) return;
    editor.current?.replace(given.sql);
    editor.current?.focus();
  }, [given]);
  useEffect(() => {
    const place = query?.error?.errorLocation;
    const from = submitted.current;
    if (!query?.error || !place || !from) return;
    // The text may have been edited while the statement ran: then the place is no longer where it was.
    const now = editor.current?.text().slice(from.from, from.from + from.sql.length);
    if (now !== from.sql) return;
    const at = from.from + offsetOf(from.sql, place.lineNumber, place.columnNumber);
    editor.current?.mark({ at, message: query.error.message });
  }, [query]);
  const change = useCallback(
    (changed: string) => {
      setText(changed);
      storeDraft(workspace.id, changed);
    },
    [workspace.id],
  );
  const insert = (inserted: string) => {
    editor.current?.insert(inserted);
    if (matchMedia(NARROW).matches) showCatalog(false);
  };
  const isEmpty = text.trim() === "";
  return (
    <div class="sql" hidden={!isShown} data-catalog={isCatalogShown}>
      {isCatalogShown && <CatalogTree places={places} onInsert={insert} />}
      <div class="sql-column" ref={column}>
        <Toolbar
          isActive={run.isActive}
          isSelected={isSelected}
          isEmpty={isEmpty}
          cache={cache}
          isCatalogShown={isCatalogShown}
          onCache={setCache}
          onRun={submit}
          onCancel={run.cancel}
          onSave={() => setDialog("save")}
          onView={() => setDialog("view")}
          onCatalog={() => showCatalog(!isCatalogShown)}
        />
        <ParameterForm names={names} parameters={parameters} onChange={setParameters} onRun={submit} />
        <div class="editor-pane" style={{ height: `${height}px` }}>
          <Editor
            label="SQL"
            initial={initial}
            names={() => places}
            onReady={(handle) => { editor.current = handle; }}
            onRun={submit}
            onChange={change}
            onSelection={setSelected}
          />
        </div>
        <Splitter
          label="Height of the editor"
          value={height}
          min={MIN_EDITOR_PIXELS}
          max={() => Math.max(MIN_EDITOR_PIXELS, (column.current?.clientHeight ?? 600) - RESULT_PIXELS)}
          onChange={setHeight}
        />
        <ResultPanel run={run} isShown={isShown} />
      </div>
      {dialog === "save" && (
        <SaveDialog sql={editor.current?.runnable()?.sql ?? text} onClose={() => setDialog(null)} />
      )}
      {dialog === "view" && (
        <ViewDialog
          sql={editor.current?.runnable()?.sql ?? text}
          onClose={() => setDialog(null)}
          onDone={(view) => go("views", view.id)}
        />
      )}
    </div>
  );
}
