// The whole result as a file, in any of the formats.

import { useRef, useState } from "preact/hooks";
import { type Format, FORMATS, isAbort, messageOf, resultPath } from "../api/client.ts";
import { usePlace } from "../context.ts";
import { formatBytes } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { say } from "../parts/notice.tsx";

const NAMES: Record<Format, string> = {
  csv: "CSV",
  json: "JSON",
  ndjson: "NDJSON",
  parquet: "Parquet",
  arrow: "Arrow stream",
};

export function Downloads({ queryId }: { queryId: string }) {
  const { client, workspace } = usePlace();
  const [received, setReceived] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  const download = async (format: Format) => {
    abort.current = new AbortController();
    setReceived(0);
    try {
      const answer = await client.send(resultPath(workspace.id, queryId, { format }), { signal: abort.current.signal });
      const counted = answer.body?.pipeThrough(counter(setReceived));
      // The browser keeps large blobs on disk.
      const blob = await new Response(counted, { headers: answer.headers }).blob();
      saveAs(blob, `${workspace.sqlName}-${queryId}.${format}`);
    } catch (error) {
      if (!isAbort(error)) say(messageOf(error));
    } finally {
      setReceived(null);
    }
  };
  if (received !== null) {
    return (
      <button type="button" class="button small" onClick={() => abort.current?.abort()}>
        <Icon name="close" />Stop ({formatBytes(received)})
      </button>
    );
  }
  return (
    <Menu class="button small" align="end" label={<><Icon name="download" />Download</>}>
      {(close) => (
        <ul class="menu-list">
          {FORMATS.map((format) => (
            <li key={format}>
              <button type="button" onClick={() => { close(); void download(format); }}>
                {NAMES[format]}<span class="type">.{format}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}

function counter(onBytes: (bytes: number) => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  let told = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes - told > 1 << 20) {
        told = bytes;
        onBytes(bytes);
      }
      controller.enqueue(chunk);
    },
  });
}

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
