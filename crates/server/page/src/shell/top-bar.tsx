// The bar above every section: workspace, sections, engine, account.

import { useState } from "preact/hooks";
import { usePlace } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { addressOf, navigate, type Section } from "../route.ts";
import { Logo } from "./logo.tsx";
import { ServiceMenu } from "./service-menu.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { UserMenu } from "./user-menu.tsx";

const TITLES: Record<Section, string> = {
  sql: "SQL",
  history: "History",
  saved: "Saved SQL",
  views: "Views",
  access: "Access",
};

/** What a role may see at all (D6). */
export function sectionsOf(role: string): Section[] {
  return role === "CONSUMER" ? ["views", "access"] : ["sql", "history", "saved", "views", "access"];
}

export function TopBar({ section }: { section: Section }) {
  const { workspace, workspaces } = usePlace();
  const [isSharing, setSharing] = useState(false);
  return (
    <header class="top-bar">
      <span class="brand"><Logo /><span class="brand-name">Rowhouse</span></span>
      <label class="workspace-switch">
        <span class="off-screen">Workspace</span>
        <select
          value={workspace.id}
          onChange={(event) => navigate({ workspaceId: event.currentTarget.value, section, id: null })}
        >
          {workspaces.map(({ id, title }) => <option key={id} value={id}>{title}</option>)}
        </select>
      </label>
      <nav class="sections" aria-label="Sections">
        {sectionsOf(workspace.role).map((name) => (
          <a
            key={name}
            href={addressOf({ workspaceId: workspace.id, section: name, id: null })}
            aria-current={name === section ? "page" : undefined}
          >
            {TITLES[name]}
          </a>
        ))}
      </nav>
      <div class="top-bar-end">
        <ServiceMenu />
        <button
          type="button"
          class="button quiet icon-only"
          aria-label="Share this workspace"
          title="Share this workspace"
          onClick={() => setSharing(true)}
        >
          <Icon name="share" />
        </button>
        <UserMenu />
      </div>
      {isSharing && <ShareDialog onClose={() => setSharing(false)} />}
    </header>
  );
}
