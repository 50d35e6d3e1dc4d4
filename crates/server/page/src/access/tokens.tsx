// The caller's personal access tokens. A new one's secret is shown once.

import { useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { CreatedToken, Token } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { CopyLine } from "../parts/copy.tsx";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { useLoaded } from "../parts/load.ts";
import { Moment } from "../parts/moment.tsx";
import { Fault, say, Waiting } from "../parts/notice.tsx";

export function Tokens() {
  const { client } = usePlace();
  const { data, error, reload } = useLoaded(client.token, client.tokens);
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token | null>(null);
  const revoke = (token: Token) =>
    client.revokeToken(token.id).then(
      () => { say(`Token “${token.name}” is revoked`); reload(); },
      (failure: unknown) => say(messageOf(failure)),
    );
  return (
    <section class="card" aria-labelledby="tokens">
      <header class="card-head">
        <h2 id="tokens">Your tokens</h2>
        <button type="button" class="button small" onClick={() => setMaking(true)}><Icon name="plus" />New token</button>
      </header>
      {error !== null && <Fault error={error} onRetry={reload} />}
      {data === null && error === null && <Waiting what="Reading the tokens" />}
      {data && (
        <table class="table">
          <thead><tr><th scope="col">Name</th><th scope="col">Created</th><th scope="col">Expires</th><th><span class="off-screen">Actions</span></th></tr></thead>
          <tbody>
            {data.map((token) => (
              <tr key={token.id}>
                <td>{token.name}</td>
                <td class="time"><Moment at={token.createdAt} /></td>
                <td class="time">{token.expiresAt ? <Moment at={token.expiresAt} /> : "never"}</td>
                <td class="row-actions">
                  <button type="button" class="button small" onClick={() => setRevoked(token)}>Revoke</button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isMaking && <NewTokenDialog onClose={() => { setMaking(false); reload(); }} />}
      {revoked && (
        <Confirm
          title={`Revoke “${revoked.name}”?`}
          text="Programs that use it are refused from then on. If this page uses it, you are signed out."
          action="Revoke"
          onConfirm={() => void revoke(revoked)}
          onClose={() => setRevoked(null)}
        />
      )}
    </section>
  );
}

/** Makes a token for oneself, or as an admin for another. */
export function NewTokenDialog({ accountId, username, onClose }: {
  accountId?: string;
  username?: string;
  onClose: () => void;
}) {
  const { client } = usePlace();
  const [name, setName] = useState("");
  const [days, setDays] = useState(90);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const make = (event: Event) => {
    event.preventDefault();
    client.createToken({ name: name.trim(), expiresInDays: days, ...(accountId ? { accountId } : {}) }).then(
      setCreated,
      (error: unknown) => setFault(messageOf(error)),
    );
  };
  return (
    <Dialog title={username ? `New token for ${username}` : "New token"} onClose={onClose} wide>
      {created ? (
        <>
          <p>Copy it now: it is not shown again.</p>
          <CopyLine label="Token" text={created.token} />
          <div class="dialog-foot"><button type="button" class="button primary" onClick={onClose}>Done</button></div>
        </>
      ) : (
        <form class="form" onSubmit={make}>
          <div class="form-row">
            <label class="field">
              <span class="field-label">Name</span>
              <input name="name" required autofocus placeholder="what it is for" value={name} onInput={(event) => setName(event.currentTarget.value)} />
            </label>
            <label class="field">
              <span class="field-label">Expires after (days; 0: never)</span>
              <input name="days" type="number" required min={0} max={3650} value={days} onInput={(event) => setDays(event.currentTarget.valueAsNumber)} />
            </label>
          </div>
          {fault && <p class="field-fault" role="alert">{fault}</p>}
          <div class="dialog-foot">
            <button type="button" class="button" onClick={onClose}>Cancel</button>
            <button type="submit" class="button primary">Create the token</button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
