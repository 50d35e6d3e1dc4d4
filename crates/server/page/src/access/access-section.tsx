// Who may do what: own tokens for everyone, members for owners, accounts for admins.

import { usePlace } from "../context.ts";
import { Accounts } from "./accounts.tsx";
import { Cache } from "./cache.tsx";
import { Limits } from "./limits.tsx";
import { Members } from "./members.tsx";
import { Tokens } from "./tokens.tsx";

export function AccessSection() {
  const { workspace, account } = usePlace();
  return (
    <div class="sheet">
      <header class="sheet-head"><h1>Access</h1></header>
      <Tokens />
      {workspace.role === "OWNER" && <Members />}
      {workspace.role !== "CONSUMER" && <Limits />}
      {workspace.role !== "CONSUMER" && <Cache />}
      {account?.isAdmin && <Accounts />}
    </div>
  );
}
