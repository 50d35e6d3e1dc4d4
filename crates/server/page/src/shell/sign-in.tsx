// The first thing that one sees: a field for a personal access token.

import { useState } from "preact/hooks";
import { ApiError, Client, messageOf } from "../api/client.ts";
import { Logo } from "./logo.tsx";

export function SignIn({ notice, onSignIn }: { notice: string | null; onSignIn: (token: string) => void }) {
  const [token, setToken] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const signIn = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      await new Client(token.trim(), () => undefined).workspaces();
      onSignIn(token.trim());
    } catch (error) {
      setFault(
        error instanceof ApiError && error.status === 401 ? "The server does not know this token." : messageOf(error),
      );
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={(event) => void signIn(event)}>
        <Logo />
        <h1>Sign in to Rowhouse</h1>
        {notice && <p class="hint">{notice}</p>}
        {/* For password managers, which file a secret under a name. */}
        <input type="text" name="username" autocomplete="username" value="rowhouse" readOnly hidden />
        <label class="field">
          <span class="field-label">Personal access token</span>
          <input
            type="password"
            name="token"
            autocomplete="current-password"
            spellcheck={false}
            required
            autofocus
            value={token}
            aria-invalid={fault !== null}
            aria-describedby="sign-in-hint"
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {fault && <p class="field-fault" role="alert">{fault}</p>}
        <button type="submit" class="button primary" disabled={isBusy || token.trim() === ""}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
        <p class="hint" id="sign-in-hint">
          The token stays in this tab and is gone when you close it. The first one of a server is in the file{" "}
          <code>admin-token</code> of its data directory.
        </p>
      </form>
    </main>
  );
}
