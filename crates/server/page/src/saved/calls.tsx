// What calls of an endpoint were like in the last day.

import type { SavedSql } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { formatCount, formatMillis } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { useLoaded } from "../parts/load.ts";
import { Fault, Waiting } from "../parts/notice.tsx";

export function Calls({ saved }: { saved: SavedSql }) {
  const { client, workspace } = usePlace();
  const { data, error, reload } = useLoaded(saved.id, () => client.endpointCalls(workspace.id, saved.id));
  if (error !== null) return <Fault error={error} onRetry={reload} />;
  if (data === null) return <Waiting what="Reading the numbers" />;
  const millis = (figure: number | undefined) => (figure === undefined ? "—" : formatMillis(figure));
  return (
    <>
      <dl class="facts grid-facts" aria-label="Calls of the last day">
        <div><dt>Calls</dt><dd>{formatCount(data.calls)}</dd></div>
        <div><dt>By kept results</dt><dd>{formatCount(data.kept)}</dd></div>
        <div><dt>Refused or failed</dt><dd>{formatCount(data.failed)}</dd></div>
        <div><dt>Answered with 202</dt><dd>{formatCount(data.unfinished)}</dd></div>
        <div><dt>p50</dt><dd>{millis(data.p50Millis)}</dd></div>
        <div><dt>p95</dt><dd>{millis(data.p95Millis)}</dd></div>
      </dl>
      <p class="hint">Of the last 24 hours, since the server's start at most.</p>
      <button type="button" class="button small" onClick={reload}><Icon name="refresh" />Read again</button>
    </>
  );
}
