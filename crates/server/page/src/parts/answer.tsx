// A request of Interface B as people try it: its address, its line for curl, and the answer.

import { useEffect, useRef, useState } from "preact/hooks";
import { BASE_URL, type Client, curlLine, isAbort, messageOf } from "../api/client.ts";
import { parseExact, printExact } from "../api/exact-json.ts";
import { formatBytes, formatMillis } from "../format.ts";
import { CopyButton } from "./copy.tsx";

/** What the page shows of an answer; `curl` shows all. */
const SHOWN_CHARACTERS = 100_000;

interface Answer {
  status: number;
  millis: number;
  bytes: number;
  etag: string | null;
  cacheStatus: string | null;
  text: string;
  isGood: boolean;
}

/** Asks for an address, one at a time, and holds the last answer. */
export function useAnswer(client: Client) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const ask = async (path: string) => {
    abort.current = new AbortController();
    setBusy(true);
    setFault(null);
    try {
      const started = performance.now();
      const response = await client.sendAny(path, { signal: abort.current.signal });
      const body = await response.arrayBuffer();
      setAnswer({
        status: response.status,
        millis: performance.now() - started,
        bytes: body.byteLength,
        etag: response.headers.get("etag"),
        cacheStatus: response.headers.get("cache-status"),
        text: shownText(body, response.headers.get("content-type") ?? ""),
        isGood: response.ok,
      });
    } catch (error) {
      if (!isAbort(error)) setFault(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { answer, fault, isBusy, ask };
}

export function AnswerShown({ answer }: { answer: Answer }) {
  return (
    <div class="answer" role="status">
      <p class="answer-head">
        <span class="tag" data-tone={answer.isGood ? "good" : "bad"}>{answer.status}</span>
        <span>{formatMillis(answer.millis)}</span>
        <span>{formatBytes(answer.bytes)}</span>
        {answer.cacheStatus && <span class="hint">Cache <code>{answer.cacheStatus}</code></span>}
        {answer.etag && <span class="hint">ETag <code>{answer.etag}</code></span>}
      </p>
      <pre class="value" tabIndex={0}>{answer.text}</pre>
    </div>
  );
}

/** The address and the line for a shell, to be copied. */
export function Address({ path }: { path: string }) {
  return (
    <>
      <div class="address">
        <span class="method">GET</span>
        <code data-role="url">{`${BASE_URL}/${path}`}</code>
        <CopyButton text={`${BASE_URL}/${path}`} what="address" />
      </div>
      <div class="address">
        <code data-role="curl">{curlLine(path)}</code>
        <CopyButton text={curlLine(path)} what="curl line" />
      </div>
    </>
  );
}

/** JSON over several lines, other text as it is; of files only what they are. */
function shownText(body: ArrayBuffer, contentType: string): string {
  if (!/json|csv|text/.test(contentType)) return `${contentType}, ${formatBytes(body.byteLength)}`;
  const text = new TextDecoder().decode(body);
  const isWhole = text.length <= SHOWN_CHARACTERS;
  if (!isWhole) return `${text.slice(0, SHOWN_CHARACTERS)}\n… the page shows the first ${formatBytes(SHOWN_CHARACTERS)}`;
  if (!/^application\/json/.test(contentType)) return text;
  const value = parseExact(text);
  return Array.isArray(value) ? `[\n${value.map((row) => `  ${printExact(row)}`).join(",\n")}\n]` : printExact(value, "\n");
}
