// Where in the page one is: the workspace is the path's last segment (`/web/workspaces/<id>`), the rest is behind `#`.

import { useEffect, useState } from "preact/hooks";
import { ROOT } from "./api/client.ts";

export const SECTIONS = ["sql", "history", "saved", "views", "access"] as const;
export type Section = (typeof SECTIONS)[number];

export interface Route {
  workspaceId: string | null;
  section: Section;
  /** What of the section is open: a query, a saved SQL, a view. */
  id: string | null;
}

/** Address of a place, relative to the page's root. */
export function addressOf({ workspaceId, section, id }: Route): string {
  const path = workspaceId === null ? "" : `workspaces/${encodeURIComponent(workspaceId)}`;
  return `${path}#/${section}${id === null ? "" : `/${encodeURIComponent(id)}`}`;
}

// The document's address changes as one moves, and with a relative <base> its meaning would: it is fixed once.
const root = new URL(ROOT);
document.querySelector("base")?.setAttribute("href", root.href);

function currentRoute(): Route {
  const path = location.pathname.startsWith(root.pathname) ? location.pathname.slice(root.pathname.length) : "";
  const [folder, workspaceId] = path.split("/");
  const [, section, id] = location.hash.split("/");
  return {
    workspaceId: folder === "workspaces" && workspaceId ? decodeURIComponent(workspaceId) : null,
    section: SECTIONS.find((known) => known === section) ?? "sql",
    id: id ? decodeURIComponent(id) : null,
  };
}

/** Goes to a place; the browser's back button returns. */
export function navigate(route: Route, how: "push" | "replace" = "push"): void {
  const address = new URL(addressOf(route), root);
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const update = () => setRoute(currentRoute());
    window.addEventListener("popstate", update);
    window.addEventListener("hashchange", update);
    return () => {
      window.removeEventListener("popstate", update);
      window.removeEventListener("hashchange", update);
    };
  }, []);
  return route;
}
