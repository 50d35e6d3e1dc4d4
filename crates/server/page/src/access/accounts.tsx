// The server's accounts; for admins.

import { useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { Account } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { useLoaded } from "../parts/load.ts";
import { Fault, say, Waiting } from "../parts/notice.tsx";
import { NewTokenDialog } from "./tokens.tsx";

export function Accounts() {
  const { client } = usePlace();
  const { data, error, reload } = useLoaded(client.token, client.accounts);
  const [username, setUsername] = useState("");
  const [isAdmin, setAdmin] = useState(false);
  const [tokenFor, setTokenFor] = useState<Account | null>(null);
  const change = (account: Account, to: { isAdmin?: boolean; isDisabled?: boolean }) =>
    void client.updateAccount(account.id, to).then(reload, (failure: unknown) => say(messageOf(failure)));
  const make = (event: Event) => {
    event.preventDefault();
    client.createAccount(username.trim(), isAdmin).then(
      (account) => {
        say(`Account ${account.username} is created; it needs a token and a role`);
        setUsername("");
        setAdmin(false);
        reload();
      },
      (failure: unknown) => say(messageOf(failure)),
    );
  };
  return (
    <section class="card" aria-labelledby="accounts">
      <header class="card-head"><h2 id="accounts">Accounts of the server</h2></header>
      {error !== null && <Fault error={error} onRetry={reload} />}
      {data === null && error === null && <Waiting what="Reading the accounts" />}
      {data && (
        <table class="table">
          <thead><tr><th scope="col">Account</th><th scope="col">Kind</th><th><span class="off-screen">Actions</span></th></tr></thead>
          <tbody>
            {data.map((account) => (
              <tr key={account.id}>
                <td>{account.username}</td>
                <td>{account.isAdmin ? <span class="tag">admin</span> : "user"}{account.isDisabled && <span class="tag">disabled</span>}</td>
                <td class="row-actions">
                  <button type="button" class="button small" onClick={() => setTokenFor(account)}>Token</button>
                  <button type="button" class="button small" onClick={() => change(account, { isAdmin: !account.isAdmin })}>
                    {account.isAdmin ? "Make user" : "Make admin"}
                  </button>
                  <button type="button" class="button small" onClick={() => change(account, { isDisabled: !account.isDisabled })}>
                    {account.isDisabled ? "Enable" : "Disable"}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form class="card-form" onSubmit={make}>
        <label class="field inline">
          <span class="field-label">New account</span>
          <input name="username" required placeholder="user name" value={username} onInput={(event) => setUsername(event.currentTarget.value)} />
        </label>
        <label class="switch">
          <input type="checkbox" checked={isAdmin} onChange={(event) => setAdmin(event.currentTarget.checked)} />
          <span>admin</span>
        </label>
        <button type="submit" class="button" disabled={username.trim() === ""}>Create</button>
      </form>
      {tokenFor && (
        <NewTokenDialog accountId={tokenFor.id} username={tokenFor.username} onClose={() => setTokenFor(null)} />
      )}
    </section>
  );
}
