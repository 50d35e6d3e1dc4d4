// A status as a colored dot with its word: the color alone tells nothing.

import type { QueryStatus, ServiceStatus } from "../api/types.ts";

const TONES: Record<QueryStatus | ServiceStatus["status"], string> = {
  QUEUED: "wait",
  PLANNING: "wait",
  RUNNING: "run",
  FINISHED: "good",
  FAILED: "bad",
  STARTING: "wait",
  STOPPING: "wait",
  STOPPED: "off",
  ERROR: "bad",
};

const WORDS: Record<QueryStatus | ServiceStatus["status"], string> = {
  QUEUED: "Queued",
  PLANNING: "Planning",
  RUNNING: "Running",
  FINISHED: "Finished",
  FAILED: "Failed",
  STARTING: "Starting",
  STOPPING: "Stopping",
  STOPPED: "Stopped",
  ERROR: "Error",
};

export function Status({ status, tone }: { status: QueryStatus | ServiceStatus["status"]; tone?: string }) {
  return (
    <span class="status" data-tone={tone ?? TONES[status]} data-status={status}>
      {WORDS[status]}
    </span>
  );
}
