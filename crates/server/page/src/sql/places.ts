// The places of a catalog: a catalog with its schemas, a schema with its tables. A Trino cluster's are read when they
// are opened or named in a statement, because it may have very many.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Client } from "../api/client.ts";
import type { Catalog } from "../api/types.ts";

/** A catalog whose schemas, or a schema whose tables are meant. */
export interface Place {
  catalog: string;
  schema?: string;
}

/** Whether what is in a place is known. */
export function isKnown(catalog: Catalog, { catalog: home, schema }: Place): boolean {
  if (schema === undefined) return catalog.schemas.some((found) => found.catalog === home);
  return catalog.tables.some((table) => table.catalog === home && table.schema === schema);
}

/** A catalog with what has been read of a place; what it had of that place before goes. */
export function joined(catalog: Catalog, { catalog: home, schema }: Place, read: Catalog): Catalog {
  if (schema === undefined) {
    return { ...catalog, schemas: [...catalog.schemas.filter((found) => found.catalog !== home), ...read.schemas] };
  }
  const others = catalog.tables.filter((table) => table.catalog !== home || table.schema !== schema);
  return { ...catalog, tables: [...others, ...read.tables] };
}

export interface Places {
  catalog: Catalog | null;
  error: unknown;
  /** Reads everything again. */
  reload: () => void;
  /** Reads a place, unless it is known. */
  open: (place: Place) => Promise<void>;
  /** The catalog of this moment, which may not be shown yet. */
  latest: () => Catalog | null;
  /** Why a place could not be read. */
  faultOf: (place: Place) => unknown;
}

const key = ({ catalog, schema }: Place) => JSON.stringify([catalog, schema]);

/** The catalog of a workspace, as far as it has been read. */
export function usePlaces(client: Client, workspaceId: string): Places {
  const [shown, setShown] = useState<{ catalog: Catalog | null; error: unknown }>({ catalog: null, error: null });
  const [faults, setFaults] = useState<Map<string, unknown>>(new Map());
  const latest = useRef<Catalog | null>(null);
  // What was asked before the workspace changed, or before all was read again, is not this catalog's.
  const turn = useRef(0);
  const reading = useRef(new Map<string, Promise<void>>());

  const reload = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    reading.current = new Map();
    setFaults(new Map());
    setShown((before) => ({ ...before, error: null }));
    client.catalog(workspaceId).then(
      (catalog) => {
        if (mine !== turn.current) return;
        latest.current = catalog;
        setShown({ catalog, error: null });
      },
      (error: unknown) => mine === turn.current && setShown((before) => ({ ...before, error })),
    );
  }, [client, workspaceId]);

  useEffect(() => {
    latest.current = null;
    setShown({ catalog: null, error: null });
    reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);

  const open = useCallback(
    (place: Place): Promise<void> => {
      if (latest.current === null || isKnown(latest.current, place)) return Promise.resolve();
      const known = reading.current.get(key(place));
      if (known) return known;
      const mine = turn.current;
      const asked = client.catalog(workspaceId, place).then(
        (read) => {
          if (mine !== turn.current || latest.current === null) return;
          latest.current = joined(latest.current, place, read);
          setShown({ catalog: latest.current, error: null });
        },
        (error: unknown) => {
          if (mine !== turn.current) return;
          // The next one who wants it asks again.
          reading.current.delete(key(place));
          setFaults((faults) => new Map(faults).set(key(place), error));
        },
      );
      reading.current.set(key(place), asked);
      setFaults((faults) => {
        const left = new Map(faults);
        left.delete(key(place));
        return left;
      });
      return asked;
    },
    [client, workspaceId],
  );

  return {
    ...shown, reload, open, latest: () => latest.current, faultOf: (place) => faults.get(key(place)) ?? null,
  };
}
