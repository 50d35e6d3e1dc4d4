// How a statement was run: what it cost, and its plan as a tree of stages.

import type { OutputStage, Query, StatementStats } from "../api/types.ts";
import { formatBytes, formatCount, formatMillis, formatTime } from "../format.ts";
import { CopyButton } from "../parts/copy.tsx";

export function Plan({ query }: { query: Query }) {
  return (
    <div class="plan" tabIndex={0} role="region" aria-label="How it was run">
      <dl class="facts grid-facts">
        <div><dt>Query id</dt><dd><code>{query.id}</code><CopyButton text={query.id} what="query id" /></dd></div>
        <div><dt>Statement id</dt><dd>{query.statementId ? <code>{query.statementId}</code> : "none: from the cache"}</dd></div>
        <div><dt>Started</dt><dd>{formatTime(query.startedAt)}</dd></div>
        <div><dt>Took</dt><dd>{formatMillis(query.duration)}</dd></div>
        <div><dt>From the cache</dt><dd>{query.fromCache ? "yes" : "no"}</dd></div>
        <div><dt>By</dt><dd>{query.userId ?? "–"} ({query.source ?? "API"})</dd></div>
      </dl>
      {query.queryStats && <Statistics stats={query.queryStats} />}
      {query.outputStage && (
        <>
          <h3>Stages</h3>
          <ul class="stages"><Stage stage={query.outputStage} /></ul>
        </>
      )}
    </div>
  );
}

export function Statistics({ stats }: { stats: StatementStats }) {
  return (
    <dl class="facts grid-facts">
      <div><dt>State</dt><dd>{stats.state}{stats.queued ? ", queued" : ""}{stats.scheduled ? ", scheduled" : ""}</dd></div>
      <div><dt>Rows read</dt><dd>{formatCount(stats.processedRows)}</dd></div>
      <div><dt>Bytes read</dt><dd>{formatBytes(stats.processedBytes)}</dd></div>
      <div><dt>Elapsed</dt><dd>{formatMillis(stats.elapsedTimeMillis)}</dd></div>
      <div><dt>Queued</dt><dd>{formatMillis(stats.queuedTimeMillis)}</dd></div>
      <div><dt>Wall</dt><dd>{formatMillis(stats.wallTimeMillis)}</dd></div>
      <div><dt>CPU</dt><dd>{formatMillis(stats.cpuTimeMillis)}</dd></div>
      <div><dt>Peak memory</dt><dd>{formatBytes(stats.peakMemoryBytes)}</dd></div>
      <div><dt>Spilled</dt><dd>{formatBytes(stats.spilledBytes)}</dd></div>
      <div><dt>Nodes</dt><dd>{formatCount(stats.nodes)}</dd></div>
      <div>
        <dt>Splits</dt>
        <dd>
          {formatCount(stats.completedSplits)} of {formatCount(stats.totalSplits)} done,{" "}
          {formatCount(stats.runningSplits)} running, {formatCount(stats.queuedSplits)} queued
        </dd>
      </div>
    </dl>
  );
}

function Stage({ stage }: { stage: OutputStage }) {
  return (
    <li>
      <span class="stage">
        <code>{stage.operator}</code>
        <span class="hint">
          {stage.outputRows !== undefined && `${formatCount(stage.outputRows)} rows`}
          {stage.outputBytes !== undefined && `, ${formatBytes(stage.outputBytes)}`}
        </span>
      </span>
      {stage.subStages.length > 0 && (
        <ul>{stage.subStages.map((below) => <Stage key={below.stageId} stage={below} />)}</ul>
      )}
    </li>
  );
}
