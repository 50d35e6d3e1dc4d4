// Who has which role in the workspace; for owners.

import { useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { Role } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { useLoaded } from "../parts/load.ts";
import { Fault, say, Waiting } from "../parts/notice.tsx";

const ROLES: { role: Role; may: string }[] = [
  { role: "CONSUMER", may: "reads views" },
  { role: "ANALYST", may: "also runs SQL and makes views" },
  { role: "OWNER", may: "also manages members" },
];

export function Members() {
  const { client, workspace } = usePlace();
  const { data, error, reload } = useLoaded(workspace.id, async () => {
    const [members, accounts] = await Promise.all([client.members(workspace.id), client.accounts()]);
    return { members, accounts };
  });
  const [added, setAdded] = useState("");
  const change = (accountId: string, role: Role | null) =>
    client.setMember(workspace.id, accountId, role).then(reload, (failure: unknown) => say(messageOf(failure)));
  const others = data?.accounts.filter(({ id }) => !data.members.some(({ accountId }) => accountId === id)) ?? [];
  return (
    <section class="card" aria-labelledby="members">
      <header class="card-head"><h2 id="members">Members of {workspace.title}</h2></header>
      {error !== null && <Fault error={error} onRetry={reload} />}
      {data === null && error === null && <Waiting what="Reading the members" />}
      {data && (
        <>
          <table class="table">
            <thead><tr><th scope="col">Account</th><th scope="col">Role</th><th><span class="off-screen">Actions</span></th></tr></thead>
            <tbody>
              {data.members.length === 0 && <tr><td colSpan={3} class="hint">Admins only so far.</td></tr>}
              {data.members.map((member) => (
                <tr key={member.accountId}>
                  <td>{member.username}</td>
                  <td>
                    <RoleSelect label={`Role of ${member.username}`} role={member.role} onChange={(role) => void change(member.accountId, role)} />
                  </td>
                  <td class="row-actions">
                    <button type="button" class="button small" onClick={() => void change(member.accountId, null)}>Remove</button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <form
            class="card-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (added) void change(added, "ANALYST").then(() => setAdded(""));
            }}
          >
            <label class="field inline">
              <span class="field-label">Add</span>
              <select name="member" required value={added} onChange={(event) => setAdded(event.currentTarget.value)}>
                <option value="">Choose an account</option>
                {others.map(({ id, username }) => <option key={id} value={id}>{username}</option>)}
              </select>
            </label>
            <button type="submit" class="button" disabled={added === ""}>Add as analyst</button>
          </form>
          <p class="hint">An admin enters every workspace as its owner, without being a member.</p>
        </>
      )}
    </section>
  );
}

function RoleSelect({ label, role, onChange }: { label: string; role: Role; onChange: (role: Role) => void }) {
  return (
    <select aria-label={label} value={role} onChange={(event) => onChange(event.currentTarget.value as Role)}>
      {ROLES.map(({ role: known, may }) => <option key={known} value={known}>{known.toLowerCase()}: {may}</option>)}
    </select>
  );
}
