// A button that opens a panel below itself. It closes by Escape, by a click elsewhere and when focus leaves it.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

interface Properties {
  label: ComponentChildren;
  /** Read to those who do not see, where the label is an icon or a fragment. */
  name?: string;
  class?: string;
  align?: "start" | "end";
  disabled?: boolean;
  children: (close: () => void) => ComponentChildren;
}

export function Menu({ label, name, class: className = "button", align = "start", disabled, children }: Properties) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const wrapper = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !wrapper.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [isOpen]);
  return (
    <div
      class="menu"
      ref={wrapper}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen) {
          event.stopPropagation();
          close();
        }
      }}
    >
      <button
        type="button"
        class={className}
        ref={button}
        disabled={disabled ?? false}
        aria-expanded={isOpen}
        aria-controls={id}
        {...(name ? { "aria-label": name, title: name } : {})}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div class="menu-panel" data-align={align} id={id}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
