// What the browser keeps: the token for as long as the tab lives, drafts beside it, tastes for longer.

const TOKEN = "rowhouse.token";
const THEME = "rowhouse.theme";
const WORKSPACE = "rowhouse.workspace";
const draftKey = (workspaceId: string) => `rowhouse.draft.${workspaceId}`;

export const storedToken = (): string | null => sessionStorage.getItem(TOKEN);
export const storeToken = (token: string): void => sessionStorage.setItem(TOKEN, token);

/** Forgets the token and the drafts of this tab. */
export function forgetSession(): void {
  sessionStorage.clear();
}

export const storedDraft = (workspaceId: string): string | null => sessionStorage.getItem(draftKey(workspaceId));
export const storeDraft = (workspaceId: string, sql: string): void =>
  sessionStorage.setItem(draftKey(workspaceId), sql);

export const lastWorkspace = (): string | null => localStorage.getItem(WORKSPACE);
export const storeLastWorkspace = (id: string): void => localStorage.setItem(WORKSPACE, id);

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

/** Applies a theme and keeps it. Listeners of `themechange` on the window redraw what CSS does not reach. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(THEME, theme);
  applyTheme(theme);
  window.dispatchEvent(new Event("themechange"));
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
