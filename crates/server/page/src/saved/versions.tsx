// What a saved SQL was and is, each version with who made it and when, and the way back.

import { useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { SavedSql, SavedSqlVersion } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { formatTime } from "../format.ts";
import { SqlCode } from "../parts/code.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { useLoaded } from "../parts/load.ts";
import { Fault, say, Waiting } from "../parts/notice.tsx";

export function Versions({ saved, onChanged }: { saved: SavedSql; onChanged: () => void }) {
  const { client, workspace } = usePlace();
  const { data, error, reload } = useLoaded(`${saved.id} ${saved.title} ${saved.sql}`, () =>
    client.savedSqlVersions(workspace.id, saved.id),
  );
  const [chosen, setChosen] = useState<SavedSqlVersion | null>(null);
  if (error !== null) return <Fault error={error} onRetry={reload} />;
  if (data === null) return <Waiting what="Looking for versions" />;
  const restore = (version: number) =>
    client.restoreSql(workspace.id, saved.id, version).then(
      () => { say(`It is as in version ${version}`); onChanged(); reload(); },
      (failure: unknown) => say(messageOf(failure)),
    );
  return (
    <ol class="versions" reversed>
      {data.map((version, index) => (
        <li key={version.version} data-version={version.version}>
          <p>
            <strong>Version {version.version}</strong>{" "}
            <span class="hint">{version.username ?? version.accountId ?? "unknown"}, {formatTime(version.createdAt)}</span>{" "}
            {index === 0 ? (
              <span class="tag" data-tone="good">now</span>
            ) : (
              <button type="button" class="button small" onClick={() => setChosen(version)}>Go back</button>
            )}
          </p>
          <details>
            <summary>{version.title}</summary>
            <SqlCode sql={version.sql} />
          </details>
        </li>
      ))}
      {chosen && (
        <Confirm
          title={`Go back to version ${chosen.version}?`}
          text="Title, description and SQL are as they were then; what they are now stays a version."
          action="Go back"
          onConfirm={() => void restore(chosen.version)}
          onClose={() => setChosen(null)}
        />
      )}
    </ol>
  );
}
