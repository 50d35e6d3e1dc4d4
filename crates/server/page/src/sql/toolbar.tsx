// What one does with the statement in the editor.

import { usePlace } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import type { CacheChoice } from "./run.ts";

interface Properties {
  isActive: boolean;
  isSelected: boolean;
  isEmpty: boolean;
  cache: CacheChoice;
  isCatalogShown: boolean;
  onCache: (cache: CacheChoice) => void;
  onRun: () => void;
  onCancel: () => void;
  onSave: () => void;
  onView: () => void;
  onCatalog: () => void;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const MAX_TTL_SECONDS = 31_536_000;

export function Toolbar(properties: Properties) {
  const { isActive, isSelected, isEmpty, isCatalogShown } = properties;
  const { workspace } = usePlace();
  return (
    <div class="toolbar" role="toolbar" aria-label="Statement">
      <button
        type="button"
        class="button icon-only quiet"
        aria-label="Catalog"
        aria-pressed={isCatalogShown}
        title="Show or hide the catalog"
        onClick={properties.onCatalog}
      >
        <Icon name="sidebar" />
      </button>
      {isActive ? (
        <button type="button" class="button danger" onClick={properties.onCancel}>
          <Icon name="stop" filled />Cancel
        </button>
      ) : (
        <button
          type="button"
          class="button primary"
          disabled={isEmpty}
          title={isMac ? "⌘ Enter" : "Ctrl + Enter"}
          onClick={properties.onRun}
        >
          <Icon name="play" filled />{isSelected ? "Run selection" : "Run"}
          <kbd>{isMac ? "⌘↵" : "Ctrl ↵"}</kbd>
        </button>
      )}
      <CacheMenu cache={properties.cache} onCache={properties.onCache} />
      <span class="toolbar-space" />
      <button type="button" class="button" disabled={isEmpty} onClick={properties.onSave}>
        <Icon name="save" /><span class="wide-only">Save</span>
        <span class="off-screen narrow-only">Save</span>
      </button>
      <button type="button" class="button" disabled={isEmpty} onClick={properties.onView} title={`Publish as a materialized view of ${workspace.title}`}>
        <Icon name="view" /><span class="wide-only">Create a view</span>
        <span class="off-screen narrow-only">Create a view</span>
      </button>
    </div>
  );
}

function CacheMenu({ cache, onCache }: { cache: CacheChoice; onCache: (cache: CacheChoice) => void }) {
  const state = !cache.isOn ? "off" : cache.refresh ? "refresh" : `${cache.ttlSeconds} s`;
  return (
    <Menu class="button" label={<><Icon name="clock" />Cache: {state}</>}>
      {() => (
        <div class="menu-card">
          <label class="switch">
            <input
              type="checkbox"
              checked={cache.isOn}
              onChange={(event) => onCache({ ...cache, isOn: event.currentTarget.checked })}
            />
            <span>Use the cache</span>
          </label>
          <label class="field">
            <span class="field-label">Results as old as (seconds)</span>
            <input
              type="number"
              name="cacheTTL"
              min={0}
              max={MAX_TTL_SECONDS}
              step={1}
              value={cache.ttlSeconds}
              disabled={!cache.isOn}
              onInput={(event) => {
                const seconds = event.currentTarget.valueAsNumber;
                if (Number.isInteger(seconds) && seconds >= 0) onCache({ ...cache, ttlSeconds: seconds });
              }}
            />
          </label>
          <label class="switch">
            <input
              type="checkbox"
              name="cacheRefresh"
              checked={cache.refresh}
              disabled={!cache.isOn}
              onChange={(event) => onCache({ ...cache, refresh: event.currentTarget.checked })}
            />
            <span>Run anyway and replace the cached result</span>
          </label>
          <p class="hint">
            These are <code>cacheTTL</code> and <code>cacheRefresh</code> of <code>POST /query</code>. Off, the
            statement runs and its result is kept for later.
          </p>
        </div>
      )}
    </Menu>
  );
}
