// From the token to the workspace to the section. The SQL section stays alive behind the others, with its draft, its
// running statement and its result.

import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { Client } from "./api/client.ts";
import type { Account, Workspace } from "./api/types.ts";
import { AccessSection } from "./access/access-section.tsx";
import { type Place, PlaceContext } from "./context.ts";
import { HistorySection } from "./history/history-section.tsx";
import { useLoaded } from "./parts/load.ts";
import { Empty, Fault, Messages, Waiting } from "./parts/notice.tsx";
import { navigate, type Section, useRoute } from "./route.ts";
import { SavedSection } from "./saved/saved-section.tsx";
import { forgetSession, lastWorkspace, storedToken, storeLastWorkspace, storeToken } from "./session.ts";
import { SignIn } from "./shell/sign-in.tsx";
import { sectionsOf, TopBar } from "./shell/top-bar.tsx";
import { type OpenedText, SqlSection } from "./sql/sql-section.tsx";
import { ViewsSection } from "./views/views-section.tsx";

export function App() {
  const [token, setToken] = useState(storedToken);
  const [notice, setNotice] = useState<string | null>(null);
  const leave = useCallback((why: string | null) => {
    forgetSession();
    setNotice(why);
    setToken(null);
  }, []);
  const client = useMemo(
    () => (token === null ? null : new Client(token, () => leave("The token has expired or was revoked."))),
    [token, leave],
  );
  if (client === null) {
    return <SignIn notice={notice} onSignIn={(given) => { storeToken(given); setToken(given); }} />;
  }
  return <SignedIn client={client} signOut={() => leave(null)} />;
}

function SignedIn({ client, signOut }: { client: Client; signOut: () => void }) {
  const route = useRoute();
  const [opened, setOpened] = useState<OpenedText | null>(null);
  const { data: workspaces, error, reload } = useLoaded(client.token, client.workspaces);
  const mayListAccounts = workspaces?.some(({ role }) => role === "OWNER") ?? false;
  const { data: account } = useLoaded(`${client.token} ${mayListAccounts}`, () =>
    mayListAccounts ? ownAccount(client) : Promise.resolve(null),
  );
  const workspace = workspaces && chosen(workspaces, route.workspaceId);
  useEffect(() => {
    if (!workspace) return;
    document.title = `${workspace.title} · Rowhouse`;
    storeLastWorkspace(workspace.id);
    if (route.workspaceId === null) navigate({ ...route, workspaceId: workspace.id }, "replace");
  }, [workspace, route]);
  if (error !== null) return <main class="alone"><Fault error={error} onRetry={reload} /></main>;
  if (workspaces === null) return <main class="alone"><Waiting what="Opening" /></main>;
  if (!workspace) {
    return (
      <main class="alone">
        <Empty title={workspaces.length === 0 ? "You belong to no workspace" : "There is no such workspace"}>
          {workspaces.length === 0
            ? "An owner of a workspace or an admin can make you a member."
            : "It does not exist, or your token may not enter it."}
        </Empty>
        <div class="alone-actions">
          {workspaces.slice(0, 8).map(({ id, title }) => (
            <button
              type="button"
              class="button"
              key={id}
              onClick={() => navigate({ workspaceId: id, section: "sql", id: null })}
            >
              Open {title}
            </button>
          ))}
          <button type="button" class="button" onClick={signOut}>Sign out</button>
        </div>
      </main>
    );
  }
  const allowed = sectionsOf(workspace.role);
  const section = allowed.includes(route.section) ? route.section : (allowed[0] ?? "views");
  const place: Place = {
    client,
    workspace,
    workspaces,
    account,
    go: (to: Section, id: string | null = null) => navigate({ workspaceId: workspace.id, section: to, id }),
    openSql: (sql: string) => {
      setOpened({ sql });
      navigate({ workspaceId: workspace.id, section: "sql", id: null });
    },
    signOut,
  };
  return (
    <PlaceContext.Provider value={place}>
      <TopBar section={section} />
      {/* By the workspace's id, so that nothing of one is seen in another. */}
      <main class="section" key={workspace.id}>
        {allowed.includes("sql") && <SqlSection isShown={section === "sql"} id={section === "sql" ? route.id : null} text={opened} />}
        {section === "history" && <HistorySection />}
        {section === "saved" && <SavedSection id={route.id} />}
        {section === "views" && <ViewsSection id={route.id} />}
        {section === "access" && <AccessSection />}
      </main>
      <Messages />
    </PlaceContext.Provider>
  );
}

/** The workspace that the address names; without a name the last one used, else the first. */
function chosen(workspaces: Workspace[], id: string | null): Workspace | undefined {
  if (id !== null) return workspaces.find((workspace) => workspace.id === id);
  const last = lastWorkspace();
  return workspaces.find((workspace) => workspace.id === last) ?? workspaces[0];
}

/** The caller's account, by way of its tokens. */
async function ownAccount(client: Client): Promise<Account | null> {
  const [tokens, accounts] = await Promise.all([client.tokens(), client.accounts()]);
  return accounts.find((account) => account.id === tokens[0]?.accountId) ?? null;
}
