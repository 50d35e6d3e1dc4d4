// Tabs with the keys that one expects: arrows move, Home and End jump.

import { useRef } from "preact/hooks";

interface Properties<T extends string> {
  name: string;
  tabs: readonly { id: T; label: string; disabled?: boolean }[];
  selected: T;
  onSelect: (id: T) => void;
}

export function Tabs<T extends string>({ name, tabs, selected, onSelect }: Properties<T>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const open = tabs.filter((tab) => !tab.disabled);
    const at = open.findIndex((tab) => tab.id === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: open.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = open[(to + open.length) % open.length];
    if (!tab) return;
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={name} ref={list} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          type="button"
          key={tab.id}
          role="tab"
          class="tab"
          data-tab={tab.id}
          disabled={tab.disabled ?? false}
          aria-selected={tab.id === selected}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
