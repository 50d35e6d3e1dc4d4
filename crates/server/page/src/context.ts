// What every section shares: who asks, and where.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Client } from "./api/client.ts";
import type { Account, Workspace } from "./api/types.ts";
import type { Section } from "./route.ts";

export interface Place {
  client: Client;
  workspace: Workspace;
  workspaces: Workspace[];
  /** The caller's account; only admins and owners may read accounts. */
  account: Account | null;
  /** Goes to a section of this workspace. */
  go: (section: Section, id?: string | null) => void;
  /** Puts a text into the SQL section's editor. */
  openSql: (sql: string) => void;
  signOut: () => void;
}

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === null) throw new Error("a section stands outside of a workspace");
  return place;
}
