// A table of any length: only the cells in sight exist. Arrow keys move, Shift extends, Ctrl-C copies, Enter shows a
// value whole; the wheel moves by rows also where a pixel of the scroll bar stands for many.

import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { Column } from "../api/types.ts";
import { formatCount } from "../format.ts";
import { copyText } from "../parts/copy.tsx";
import { Fault, say } from "../parts/notice.tsx";
import { CellDialog } from "./cell-dialog.tsx";
import { cellText, isNumeric, tabSeparated } from "./cell.ts";
import { Columns, Geometry, HEAD_PIXELS, ROW_PIXELS } from "./geometry.ts";
import type { Pages } from "./pages.ts";
import { CELL_FONT, NAME_FONT, textWidth, TYPE_FONT } from "./text-width.ts";
import { blockOf, type Cell, isInside, moved, type Selection } from "./selection.ts";

/** Rows that one copy may take from the server. */
const MAX_COPIED_ROWS = 50_000;
/** Padding and border of a cell. */
const PADDING_PIXELS = 24;
const MIN_COLUMN_PIXELS = 56;
const MAX_COLUMN_PIXELS = 340;
/** Rows whose widths the columns are made for. */
const MEASURED_ROWS = 60;

interface Properties {
  columns: readonly Column[];
  rowCount: number;
  pages: Pages;
}

export function Grid({ columns, rowCount, pages }: Properties) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ width: 0, height: 0 });
  const [top, setTop] = useState(0);
  const [left, setLeft] = useState(0);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [opened, setOpened] = useState<Cell | null>(null);
  const [dragged, setDragged] = useState<Record<number, number>>({});
  const [, setTurn] = useState(0);
  const redraw = () => setTurn((turn) => turn + 1);
  // Where the page itself has scrolled to: its row is known to the fraction, which the scroll bar's pixel is not.
  const own = useRef<{ scroll: number; top: number } | null>(null);
  const id = useId();

  const geometry = useMemo(() => new Geometry(rowCount, view.height), [rowCount, view.height]);
  const measured = pages.row(0) !== undefined;
  const natural = useMemo(() => naturalWidths(columns, rowCount, pages), [columns, rowCount, pages, measured]);
  const firstPixels = useMemo(() => Math.ceil(textWidth(formatCount(rowCount), CELL_FONT)) + 16, [rowCount]);
  const layout = useMemo(
    () => new Columns(natural.map((width, index) => dragged[index] ?? width), firstPixels),
    [natural, dragged, firstPixels],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setView({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    pages.onChange = () => redraw();
    return () => {
      pages.onChange = () => undefined;
    };
  }, [pages]);
  const first = Math.min(Math.floor(top), Math.max(0, rowCount - 1));
  const last = Math.min(rowCount - 1, Math.ceil(top + geometry.viewRows));
  useEffect(() => {
    if (rowCount > 0 && view.height > 0) pages.show(first, last);
  }, [pages, first, last, rowCount, view.height]);

  const moveTo = (wanted: number) => {
    const element = scroller.current;
    if (!element) return;
    const to = Math.min(geometry.maxTop, Math.max(0, wanted));
    element.scrollTop = geometry.scrollOf(to);
    own.current = { scroll: element.scrollTop, top: to };
    setTop(to);
  };
  // Not by an attribute: the browser takes wheel listeners of attributes as passive ones.
  useEffect(() => {
    const element = scroller.current;
    if (!element || !geometry.isScaled) return;
    const wheel = (event: WheelEvent) => {
      if (event.deltaY === 0 || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const rows = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / ROW_PIXELS : event.deltaY;
      const now = own.current?.top ?? geometry.topOf(element.scrollTop);
      moveTo(now + rows);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  });
  const scrolled = () => {
    const element = scroller.current;
    if (!element) return;
    setLeft(element.scrollLeft);
    if (own.current && Math.abs(own.current.scroll - element.scrollTop) < 1) return;
    own.current = null;
    setTop(geometry.topOf(element.scrollTop));
  };

  const select = (cell: Cell, extend: boolean) => {
    setSelection({ anchor: extend && selection ? selection.anchor : cell, active: cell });
    const to = geometry.topFor(cell.row, top);
    if (to !== top) moveTo(to);
    const element = scroller.current;
    const start = layout.starts[cell.column] ?? 0;
    const width = layout.widths[cell.column] ?? 0;
    if (!element) return;
    if (start - layout.firstPixels < element.scrollLeft) element.scrollLeft = start - layout.firstPixels;
    else if (start + width > element.scrollLeft + view.width) element.scrollLeft = start + width - view.width;
  };
  const copy = async () => {
    if (!selection) return;
    const block = blockOf(selection);
    const count = block.bottom - block.top + 1;
    if (count > MAX_COPIED_ROWS) {
      say(`At most ${formatCount(MAX_COPIED_ROWS)} rows are copied at a time; the downloads have all`);
      return;
    }
    try {
      const rows = await pages.range(block.top, block.bottom);
      const text = tabSeparated(rows.map((row) => row.slice(block.left, block.right + 1)));
      await copyText(text, count === 1 && block.left === block.right ? "Value" : `${formatCount(count)} rows`);
    } catch (error) {
      say(messageOf(error));
    }
  };
  const press = (event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key === "c") {
      event.preventDefault();
      void copy();
    } else if (command && event.key === "a" && rowCount > 0) {
      event.preventDefault();
      setSelection({ anchor: { row: 0, column: 0 }, active: { row: rowCount - 1, column: columns.length - 1 } });
    } else if (event.key === "Enter" && selection) {
      event.preventDefault();
      setOpened(selection.active);
    } else if (rowCount > 0) {
      const from = selection?.active ?? { row: first, column: 0 };
      const to = moved(event, from, rowCount, columns.length, Math.max(1, Math.floor(geometry.viewRows) - 1));
      if (!to) return;
      event.preventDefault();
      select(selection ? to : from, event.shiftKey);
    }
  };

  const [firstColumn, lastColumn] = layout.between(left, left + view.width);
  const shown = columns.slice(firstColumn, lastColumn + 1).map((column, index) => {
    const at = firstColumn + index;
    return { column, at, style: { left: `${layout.starts[at]}px`, width: `${layout.widths[at]}px` } };
  });
  const rows = [];
  for (let row = first; row <= last; row += 1) rows.push(row);
  const block = selection && blockOf(selection);
  return (
    <>
      {pages.fault !== null && <Fault error={pages.fault} onRetry={() => { pages.retry(); redraw(); }} />}
      <div
        class="grid"
        ref={scroller}
        role="grid"
        aria-label="Rows of the result"
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-activedescendant={selection ? `${id}-${selection.active.row}-${selection.active.column}` : undefined}
        tabIndex={0}
        onScroll={scrolled}
        onKeyDown={press}
      >
        <div class="grid-track" style={{ height: `${geometry.trackPixels}px`, width: `${layout.totalPixels}px` }}>
          <div class="grid-window" style={{ height: `${Math.min(view.height, geometry.trackPixels)}px` }} role="presentation">
            <div class="grid-head" role="row" aria-rowindex={1} style={{ height: `${HEAD_PIXELS}px` }}>
              <span class="grid-corner" style={{ width: `${firstPixels}px` }} />
              {shown.map(({ column, at, style }) => (
                <div
                  key={at}
                  class="grid-title"
                  role="columnheader"
                  aria-colindex={at + 1}
                  style={style}
                  data-numeric={isNumeric(column.type)}
                  title={`${column.name} ${column.type}`}
                >
                  <span class="grid-name">{column.name}</span>
                  <span class="type">{column.type}</span>
                  <Resizer
                    width={layout.widths[at] ?? 0}
                    onChange={(width) => setDragged({ ...dragged, [at]: width })}
                  />
                </div>
              ))}
            </div>
            {rows.map((row) => {
              const values = pages.row(row);
              return (
                <div
                  key={row}
                  class="grid-row"
                  role="row"
                  aria-rowindex={row + 2}
                  data-odd={row % 2 === 1}
                  style={{ transform: `translateY(${HEAD_PIXELS + (row - top) * ROW_PIXELS}px)` }}
                >
                  <span class="grid-number" style={{ width: `${firstPixels}px` }}>{formatCount(row + 1)}</span>
                  {shown.map(({ column, at, style }) => {
                    const value = values?.[at];
                    return (
                      <div
                        key={at}
                        id={`${id}-${row}-${at}`}
                        class="grid-cell"
                        role="gridcell"
                        aria-colindex={at + 1}
                        aria-selected={block !== null && isInside(block, row, at)}
                        data-active={selection?.active.row === row && selection.active.column === at}
                        data-numeric={isNumeric(column.type)}
                        style={style}
                        onPointerDown={(event) => select({ row, column: at }, event.shiftKey)}
                        onDblClick={() => setOpened({ row, column: at })}
                      >
                        {value === undefined ? <span class="not-here" /> : value === null ? <span class="null">NULL</span> : cellText(value)}
                      </div>
                    );
                  })}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {opened && (
        <CellDialog
          column={columns[opened.column] ?? { name: "", type: "" }}
          row={opened.row}
          value={pages.row(opened.row)?.[opened.column] ?? null}
          onClose={() => { setOpened(null); scroller.current?.focus(); }}
        />
      )}
    </>
  );
}

function Resizer({ width, onChange }: { width: number; onChange: (width: number) => void }) {
  const start = useRef<{ x: number; width: number } | null>(null);
  return (
    <span
      class="grid-resizer"
      onPointerDown={(event) => {
        start.current = { x: event.clientX, width };
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={(event) => {
        if (start.current) onChange(Math.max(MIN_COLUMN_PIXELS, start.current.width + event.clientX - start.current.x));
      }}
      onPointerUp={() => { start.current = null; }}
    />
  );
}

/** Wide enough for the names, the types and the first rows. */
function naturalWidths(columns: readonly Column[], rowCount: number, pages: Pages): number[] {
  return columns.map(({ name, type }, index) => {
    let widest = Math.max(textWidth(name, NAME_FONT), textWidth(type, TYPE_FONT));
    for (let row = 0; row < Math.min(rowCount, MEASURED_ROWS); row += 1) {
      const value = pages.row(row)?.[index];
      if (value !== undefined) widest = Math.max(widest, textWidth(value === null ? "NULL" : cellText(value), CELL_FONT));
    }
    return Math.ceil(Math.min(MAX_COLUMN_PIXELS, Math.max(MIN_COLUMN_PIXELS, widest + PADDING_PIXELS)));
  });
}
