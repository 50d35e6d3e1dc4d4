// What the workspace takes and may take; admins set its limits.

import { messageOf } from "../api/client.ts";
import type { WorkspaceLimits, WorkspaceUsage } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { useLoaded } from "../parts/load.ts";
import { Fault, say, Waiting } from "../parts/notice.tsx";

const LIMITS: { name: Exclude<keyof WorkspaceLimits, "cacheCheck">; what: string; now: (usage: WorkspaceUsage) => string }[] = [
  { name: "concurrency", what: "Statements at a time", now: (usage) => String(usage.runningStatements) },
  { name: "queuedStatements", what: "Waiting statements", now: (usage) => String(usage.queuedStatements) },
  { name: "requestsPerSecond", what: "Requests of a token a second", now: () => "" },
  { name: "resultBytes", what: "Bytes of one result", now: () => "" },
  { name: "diskBytes", what: "Bytes of all results", now: (usage) => String(usage.diskBytes) },
  { name: "memoryBytes", what: "Memory of running statements, in bytes", now: (usage) => String(usage.memoryBytes) },
];

export function Limits() {
  const { client, workspace, account } = usePlace();
  const { data, error, reload } = useLoaded(workspace.id, () => client.usage(workspace.id));
  const isAdmin = account?.isAdmin === true;
  const save = (form: HTMLFormElement) => {
    const values = new FormData(form);
    const limit = (name: string) => (values.get(name) === "" ? null : Number(values.get(name)));
    const numbers = Object.fromEntries(LIMITS.map(({ name }) => [name, limit(name)]));
    const limits = { ...numbers, cacheCheck: values.get("cacheCheck") || null } as unknown as WorkspaceLimits;
    void client.setLimits(workspace.id, limits).then(reload, (failure: unknown) => say(messageOf(failure)));
  };
  return (
    <section class="card" aria-labelledby="limits">
      <header class="card-head"><h2 id="limits">Limits of {workspace.title}</h2></header>
      {error !== null && <Fault error={error} onRetry={reload} />}
      {data === null && error === null && <Waiting what="Reading the limits" />}
      {data && (
        <form onSubmit={(event) => { event.preventDefault(); save(event.currentTarget); }}>
          <table class="table">
            <thead><tr><th scope="col">What</th><th scope="col">Now</th><th scope="col">Limit</th>{isAdmin && <th scope="col">Set</th>}</tr></thead>
            <tbody>
              {LIMITS.map(({ name, what, now }) => (
                <tr key={name}>
                  <td>{what}</td>
                  <td>{now(data)}</td>
                  <td>{data.limits.inForce[name] ?? "none"}</td>
                  {isAdmin && (
                    <td><input type="number" min="0" name={name} aria-label={what} defaultValue={String(data.limits.set[name] ?? "")} /></td>
                  )}
                </tr>
              ))}
              <tr>
                <td>Kept results answer</td>
                <td />
                <td>{data.limits.inForce.cacheCheck === "sources" ? "while their tables are what they were" : "by their age"}</td>
                {isAdmin && (
                  <td>
                    <select name="cacheCheck" aria-label="Kept results answer" defaultValue={data.limits.set.cacheCheck ?? ""}>
                      <option value="">as configured</option>
                      <option value="age">by age</option>
                      <option value="sources">by sources</option>
                    </select>
                  </td>
                )}
              </tr>
            </tbody>
          </table>
          {isAdmin && (
            <p class="card-form">
              <button type="submit" class="button">Set</button>
              <span class="hint">Empty is as the server's configuration says, 0 is no limit.</span>
            </p>
          )}
        </form>
      )}
    </section>
  );
}
