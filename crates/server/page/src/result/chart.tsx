// The result as a chart.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Json } from "../api/exact-json.ts";
import type { Column } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { formatCount } from "../format.ts";
import { useLoaded } from "../parts/load.ts";
import { Empty, Fault, Waiting } from "../parts/notice.tsx";
import { isNumeric } from "./cell.ts";
import { type Choice, defaultChoice, type Kind, KINDS, seriesOf } from "./chart-choice.ts";

/** Rows that are drawn; beyond, a chart is better made of an aggregate. */
const MAX_DRAWN_ROWS = 20_000;
const KIND_NAMES: Record<Kind, string> = { line: "Line", bar: "Bar", scatter: "Scatter" };

export function Chart({ queryId, columns, rowCount }: {
  queryId: string;
  columns: readonly Column[];
  rowCount: number;
}) {
  const { client, workspace } = usePlace();
  const { data: page, error, reload } = useLoaded(queryId, () =>
    client.rows(workspace.id, queryId, MAX_DRAWN_ROWS, 0),
  );
  if (error !== null) return <Fault error={error} onRetry={reload} />;
  if (page === null) return <Waiting what="Fetching rows" />;
  return (
    <div class="chart">
      {rowCount > MAX_DRAWN_ROWS && (
        <p class="hint chart-note">
          The first {formatCount(MAX_DRAWN_ROWS)} of {formatCount(rowCount)} rows; GROUP BY draws them all.
        </p>
      )}
      <ChosenChart columns={columns} rows={page.result} />
    </div>
  );
}

type Rows = readonly (readonly Json[])[];

function ChosenChart({ columns, rows }: { columns: readonly Column[]; rows: Rows }) {
  const [choice, setChoice] = useState(() => defaultChoice(columns, rows));
  if (choice === null) return <Empty title="Nothing to draw">A chart needs a column of numbers.</Empty>;
  return (
    <>
      <ChartForm columns={columns} choice={choice} onChoice={setChoice} />
      <Drawing columns={columns} rows={rows} choice={choice} />
    </>
  );
}

function ChartForm({ columns, choice, onChoice }: {
  columns: readonly Column[];
  choice: Choice;
  onChoice: (choice: Choice) => void;
}) {
  const toggle = (index: number) => {
    const ys = choice.ys.includes(index) ? choice.ys.filter((y) => y !== index) : [...choice.ys, index].sort((a, b) => a - b);
    if (ys.length > 0) onChoice({ ...choice, ys });
  };
  return (
    <div class="chart-form">
      <fieldset class="segments">
        <legend class="off-screen">Kind of chart</legend>
        {KINDS.map((kind) => (
          <label key={kind}>
            <input type="radio" name="chart-kind" value={kind} checked={choice.kind === kind} onChange={() => onChoice({ ...choice, kind })} />
            <span>{KIND_NAMES[kind]}</span>
          </label>
        ))}
      </fieldset>
      <label class="field inline">
        <span class="field-label">X</span>
        <select value={choice.x} onChange={(event) => onChoice({ ...choice, x: Number(event.currentTarget.value) })}>
          <option value={-1}>Row number</option>
          {columns.map((column, index) => <option key={index} value={index}>{column.name}</option>)}
        </select>
      </label>
      <fieldset class="chips">
        <legend class="field-label">Y</legend>
        {columns.map((column, index) => isNumeric(column.type) && (
          <label key={index} class="chip" data-series={choice.ys.indexOf(index)}>
            <input type="checkbox" checked={choice.ys.includes(index)} onChange={() => toggle(index)} />
            <span>{column.name}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function Drawing({ columns, rows, choice }: {
  columns: readonly Column[];
  rows: Rows;
  choice: Choice;
}) {
  const place = useRef<HTMLDivElement>(null);
  const series = useMemo(() => seriesOf(columns, rows, choice), [columns, rows, choice]);
  useEffect(() => {
    let close: (() => void) | null = null;
    let isGone = false;
    // The drawing library comes with the first chart.
    void import("./plot.ts").then(({ draw }) => {
      if (isGone || !place.current) return;
      const labels = choice.ys.map((y) => columns[y]?.name ?? "");
      close = draw(place.current, series, labels, columns[choice.x]?.name ?? "row", choice.kind);
    });
    return () => {
      isGone = true;
      close?.();
    };
  }, [series, choice, columns]);
  const label = `${KIND_NAMES[choice.kind]} chart of ${choice.ys.map((y) => columns[y]?.name).join(", ")} by ${columns[choice.x]?.name ?? "row number"}`;
  return <div class="plot" ref={place} role="img" aria-label={label} />;
}
