// What came of a statement: progress while it runs, then rows, chart and plan, or the error.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Query } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { formatMillis, plural } from "../format.ts";
import { Empty, Fault } from "../parts/notice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Progress } from "../sql/progress.tsx";
import { isFinal, type Run } from "../sql/run.ts";
import { Chart } from "./chart.tsx";
import { Downloads } from "./downloads.tsx";
import { Grid } from "./grid.tsx";
import { Pages } from "./pages.ts";
import { Plan } from "./plan.tsx";

type Tab = "rows" | "chart" | "plan";

export function ResultPanel({ run, isShown }: { run: Run; isShown: boolean }) {
  const { query } = run;
  if (run.isActive && (query === null || !isFinal(query))) {
    return <section class="result" aria-label="Result"><Progress query={query} startedAt={run.startedAt} /></section>;
  }
  if (run.fault !== null) return <section class="result" aria-label="Result"><Fault error={run.fault} /></section>;
  if (query === null) {
    return (
      <section class="result" aria-label="Result">
        <Empty title="No result yet">Run a statement to see its rows here.</Empty>
      </section>
    );
  }
  return <Ended key={query.id} query={query} isShown={isShown} />;
}

function Ended({ query, isShown }: { query: Query; isShown: boolean }) {
  const { client, workspace } = usePlace();
  const isGood = query.status === "FINISHED";
  const [tab, setTab] = useState<Tab>(isGood ? "rows" : "plan");
  const pages = useMemo(() => Pages.ofQuery(client, workspace.id, query.id), [client, workspace.id, query.id]);
  useEffect(() => () => pages.close(), [pages]);
  const columns = query.columns ?? [];
  const rowCount = query.rowCount ?? 0;
  return (
    <section class="result" aria-label="Result">
      {query.error && (
        <div class="query-error" role="alert">
          <strong>{query.error.errorName}</strong>
          <span>{query.error.message}</span>
        </div>
      )}
      <div class="result-head">
        <Tabs<Tab>
          name="Result"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: "rows", label: "Rows", disabled: !isGood },
            { id: "chart", label: "Chart", disabled: !isGood },
            { id: "plan", label: "Plan" },
          ]}
        />
        <p class="result-facts" role="status">
          {isGood ? plural(rowCount, "row") : "Failed"}
          <span>{formatMillis(query.duration)}</span>
          {query.fromCache && <span class="tag">cached</span>}
        </p>
        {isGood && <Downloads queryId={query.id} />}
      </div>
      <div class="result-body" role="tabpanel" aria-label={tab}>
        {isGood && tab === "rows" && isShown && <Grid columns={columns} rowCount={rowCount} pages={pages} />}
        {isGood && tab === "chart" && <Chart queryId={query.id} columns={columns} rowCount={rowCount} />}
        {tab === "plan" && <Plan query={query} />}
      </div>
    </section>
  );
}
