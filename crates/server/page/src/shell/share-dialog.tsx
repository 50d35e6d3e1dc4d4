// The workspace's share function: the names under which programs reach it.

import { BASE_URL } from "../api/client.ts";
import { usePlace } from "../context.ts";
import { CopyLine } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";

export function ShareDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = usePlace();
  return (
    <Dialog title={`Share ${workspace.title}`} onClose={onClose} wide>
      <p>
        Programs read the workspace's materialized views under its SQL name, and submit statements with its id. Both
        need a personal access token.
      </p>
      <CopyLine label="Workspace SQL name" text={workspace.sqlName} />
      <CopyLine label="Workspace id" text={workspace.id} />
      <CopyLine label="Views" text={`${BASE_URL}/v1/data/${workspace.sqlName}/materializedView/`} />
      <CopyLine label="Statements" text={`${BASE_URL}/api/v1/query`} />
      <CopyLine label="This page" text={`${BASE_URL}/workspaces/${workspace.id}`} />
      <p class="hint">
        Clients can be generated from the <a href="api/v1/openapi.json" target="_blank" rel="noopener">OpenAPI document</a>.
      </p>
    </Dialog>
  );
}
