// Who is signed in, light or dark, signing out.

import { useState } from "preact/hooks";
import { ROOT } from "../api/client.ts";
import { usePlace } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { setTheme, storedTheme, THEMES, type Theme } from "../session.ts";

const REFERENCE = new URL("api/v1/reference", ROOT).href;

const NAMES: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export function UserMenu() {
  const { account, workspace, signOut } = usePlace();
  const [theme, choose] = useState(storedTheme);
  return (
    <Menu align="end" class="button quiet icon-only" name="Account and theme" label={<Icon name="user" />}>
      {() => (
        <div class="menu-card">
          <p class="who">
            <strong>{account?.username ?? "Signed in"}</strong>
            <span class="tag">{workspace.role.toLowerCase()}</span>
          </p>
          <fieldset class="segments">
            <legend class="field-label">Theme</legend>
            {THEMES.map((name) => (
              <label key={name}>
                <input
                  type="radio"
                  name="theme"
                  value={name}
                  checked={theme === name}
                  onChange={() => { setTheme(name); choose(name); }}
                />
                <span>{NAMES[name]}</span>
              </label>
            ))}
          </fieldset>
          <a href={REFERENCE} target="_blank" rel="noreferrer">API reference</a>
          <div class="menu-actions">
            <button type="button" class="button" onClick={signOut}>Sign out</button>
          </div>
        </div>
      )}
    </Menu>
  );
}
