// Text into the clipboard.

import { Icon } from "./icon.tsx";
import { say } from "./notice.tsx";

/** Copies; says so, or why not: a page that came over plain HTTP from another machine has no clipboard. */
export async function copyText(text: string, what: string): Promise<void> {
  if (navigator.clipboard === undefined) {
    copyBySelection(text);
    say(`${what} copied`);
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    say("The browser did not allow to copy");
  }
}

function copyBySelection(text: string): void {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "off-screen";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  return (
    <button
      type="button"
      class={label ? "button small" : "button icon-only quiet"}
      aria-label={label ? undefined : `Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copyText(text, what)}
    >
      <Icon name="copy" />
      {label}
    </button>
  );
}

/** A labelled text with a button that copies it. */
export function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div class="copy-line">
      <span class="field-label">{label}</span>
      <code>{text}</code>
      <CopyButton text={text} what={label} />
    </div>
  );
}
