// A statement from its submission to its end: submitted, followed, canceled.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Client, isAbort } from "../api/client.ts";
import type { Json } from "../api/exact-json.ts";
import type { Query } from "../api/types.ts";

export const isFinal = (query: Query): boolean => query.status === "FINISHED" || query.status === "FAILED";

export interface CacheChoice {
  isOn: boolean;
  ttlSeconds: number;
  refresh: boolean;
}

export interface Run {
  /** The record as last received. */
  query: Query | null;
  /** Why there is no record, or none any more. */
  fault: unknown;
  /** When the page submitted it; for the time shown while it runs. */
  startedAt: number;
  isActive: boolean;
  submit: (sql: string, cache: CacheChoice, parameters: { [name: string]: Json }) => void;
  /** Follows a statement that was submitted elsewhere. */
  open: (start: () => Promise<Query>) => void;
  cancel: () => void;
}

export function useRun(client: Client, workspaceId: string): Run {
  const [query, setQuery] = useState<Query | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [isActive, setActive] = useState(false);
  const [startedAt, setStartedAt] = useState(0);
  const current = useRef<{ abort: AbortController; id: string | null; isCanceled: boolean } | null>(null);

  const open = useCallback(
    (start: () => Promise<Query>) => {
      current.current?.abort.abort();
      const mine = { abort: new AbortController(), id: null as string | null, isCanceled: false };
      current.current = mine;
      setQuery(null);
      setFault(null);
      setActive(true);
      setStartedAt(Date.now());
      const follow = async () => {
        let record = await start();
        mine.id = record.id;
        // Canceled before the server had sent the id.
        if (mine.isCanceled) record = await client.cancel(workspaceId, record.id);
        while (mine === current.current) {
          setQuery(record);
          if (isFinal(record)) return;
          record = await client.waitForQuery(workspaceId, record.id, mine.abort.signal);
        }
      };
      follow()
        .catch((error: unknown) => {
          if (mine === current.current && !isAbort(error)) setFault(error);
        })
        .finally(() => {
          if (mine === current.current) setActive(false);
        });
    },
    [client, workspaceId],
  );
  const submit = useCallback(
    (sql: string, cache: CacheChoice, parameters: { [name: string]: Json }) => {
      const choice = cache.isOn ? { cacheTTL: cache.ttlSeconds, cacheRefresh: cache.refresh } : {};
      const values = Object.keys(parameters).length > 0 ? { parameters } : {};
      open(() => client.submit({ workspaceId, sql, ...choice, ...values }));
    },
    [client, workspaceId, open],
  );
  const cancel = useCallback(() => {
    const mine = current.current;
    if (mine === null) return;
    mine.isCanceled = true;
    if (mine.id !== null) client.cancel(workspaceId, mine.id).catch(setFault);
  }, [client, workspaceId]);
  useEffect(
    () => () => {
      current.current?.abort.abort();
      current.current = null;
    },
    [],
  );
  return { query, fault, startedAt, isActive, submit, open, cancel };
}
