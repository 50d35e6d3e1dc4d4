// The SQL editor. It lives in a shadow root: there its styles are constructed sheets, which the server's strict
// Content-Security-Policy allows, instead of <style> elements, which it does not.

import {
  acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { sql } from "@codemirror/lang-sql";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
  placeholder,
} from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { completionSource, type Names } from "./completion.ts";
import { dialect } from "./dialect.ts";
import { editorTheme, highlightStyle } from "./editor-theme.ts";
import { statementAt } from "./statements.ts";

/** A text to run and where in the editor it begins. */
export interface Runnable {
  sql: string;
  from: number;
}

/** What others may do with the editor. */
export interface EditorHandle {
  text(): string;
  /** The selection if there is one, else the statement at the cursor. */
  runnable(): Runnable | null;
  /** Replaces all; one step of undo brings the old text back. */
  replace(text: string): void;
  insert(text: string): void;
  /** Marks a fault from an offset to the end of the word there; none takes the mark away. */
  mark(fault: { at: number; message: string } | null): void;
  focus(): void;
}

interface Properties {
  label: string;
  initial: string;
  readOnly?: boolean;
  names?: () => Names;
  onReady?: (handle: EditorHandle) => void;
  onRun?: () => void;
  onChange?: (text: string) => void;
  onSelection?: (isSelected: boolean) => void;
}

export function Editor(properties: Properties) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(properties);
  latest.current = properties;
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open", delegatesFocus: true });
    const view = new EditorView({ root, parent: root, state: stateOf(latest) });
    latest.current.onReady?.(handleOf(view));
    return () => view.destroy();
  }, []);
  return <div class="editor" ref={host} />;
}

function stateOf(latest: { readonly current: Properties }): EditorState {
  const { label, initial, readOnly = false } = latest.current;
  const run = () => {
    latest.current.onRun?.();
    return true;
  };
  const edits = [
    history(),
    closeBrackets(),
    indentOnInput(),
    autocompletion({ override: [completionSource(() => latest.current.names?.())], icons: false }),
    lintGutter(),
    placeholder("SELECT …"),
    typeOverSelection,
    highlightActiveLine(),
    highlightActiveLineGutter(),
    Prec.highest(keymap.of([{ key: "Mod-Enter", run, preventDefault: true }])),
    keymap.of([
      // Tab takes a completion and indents a selection; else it leaves the editor, as it does everywhere on the page.
      { key: "Tab", run: (view) => acceptCompletion(view) || (!view.state.selection.main.empty && indentMore(view)) },
      { key: "Shift-Tab", run: (view) => !view.state.selection.main.empty && indentLess(view) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
    ]),
  ];
  return EditorState.create({
    doc: initial,
    extensions: [
      lineNumbers(),
      highlightSpecialChars(),
      drawSelection(),
      bracketMatching(),
      highlightSelectionMatches(),
      search({ top: true }),
      sql({ dialect, upperCaseKeywords: true }).language,
      syntaxHighlighting(highlightStyle),
      editorTheme,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
      EditorState.readOnly.of(readOnly),
      readOnly ? [] : edits,
      keymap.of([...searchKeymap, ...defaultKeymap]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
        if (update.selectionSet || update.docChanged) {
          latest.current.onSelection?.(!update.state.selection.main.empty);
        }
      }),
    ],
  });
}

/**
 * Typing over a selection. Left to the browser it would keep the looks of what is replaced in a style attribute, which
 * the Content-Security-Policy refuses with an error in the console.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    if (event.inputType !== "insertText" || text === null || empty || view.composing || view.state.readOnly) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handler) => handler(view, from, to, text, insert))) view.dispatch(insert());
    return true;
  },
});

function handleOf(view: EditorView): EditorHandle {
  const text = () => view.state.doc.toString();
  return {
    text,
    runnable: () => {
      const { from, to, head, empty } = view.state.selection.main;
      const span = empty ? statementAt(text(), head) : { from, to };
      return span && { sql: text().slice(span.from, span.to), from: span.from };
    },
    replace: (replacement) => {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: replacement },
        selection: { anchor: replacement.length },
        scrollIntoView: true,
      });
      view.dispatch(setDiagnostics(view.state, []));
    },
    insert: (inserted) => {
      view.dispatch(view.state.replaceSelection(inserted));
      view.focus();
    },
    mark: (fault) => {
      if (fault === null) {
        view.dispatch(setDiagnostics(view.state, []));
        return;
      }
      const length = view.state.doc.length;
      const from = Math.min(fault.at, length);
      const word = /^(?:"[^"\n]*"|[\p{L}\p{N}_$]+|\S)/u.exec(view.state.sliceDoc(from, from + 200));
      // A fault at the very end has nothing to underline but what stands before it.
      const to = word ? from + word[0].length : from;
      const span = to > from ? { from, to } : { from: Math.max(0, from - 1), to: from };
      view.dispatch(setDiagnostics(view.state, [{ ...span, severity: "error", message: fault.message }]), {
        selection: { anchor: span.from },
        scrollIntoView: true,
      });
    },
    focus: () => view.focus(),
  };
}
