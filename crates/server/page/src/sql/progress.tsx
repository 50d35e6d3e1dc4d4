// What a running statement has done so far.

import type { Query } from "../api/types.ts";
import { formatBytes, formatCount, formatMillis } from "../format.ts";
import { useNow } from "../parts/load.ts";
import { Status } from "../parts/status.tsx";

const TICK_MILLIS = 100;

export function Progress({ query, startedAt }: { query: Query | null; startedAt: number }) {
  const now = useNow(TICK_MILLIS);
  const stats = query?.queryStats;
  const percent = stats?.progressPercentage ?? 0;
  return (
    <div class="progress">
      <div class="progress-head" role="status" aria-live="polite">
        <Status status={query?.status ?? "QUEUED"} />
        {stats && stats.processedRows > 0 && (
          <span>{formatCount(stats.processedRows)} rows, {formatBytes(stats.processedBytes)} read</span>
        )}
      </div>
      {/* Beside the live region: a reader would speak every tick of the clock. */}
      <span class="progress-time" data-role="elapsed">{formatMillis(Math.max(0, now - startedAt))}</span>
      <div
        class="progress-bar"
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={100}
        {...(percent > 0 ? { "aria-valuenow": Math.round(percent) } : {})}
        data-unknown={percent <= 0}
      >
        <span style={{ width: `${percent > 0 ? percent : 30}%` }} />
      </div>
      {stats && (
        <dl class="facts inline">
          <div><dt>Splits</dt><dd>{stats.completedSplits} of {stats.totalSplits}</dd></div>
          <div><dt>CPU</dt><dd>{formatMillis(stats.cpuTimeMillis)}</dd></div>
          <div><dt>Memory</dt><dd>{formatBytes(stats.peakMemoryBytes)}</dd></div>
        </dl>
      )}
    </div>
  );
}
