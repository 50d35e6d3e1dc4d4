// What is said about a section: a fault with its reason, an empty list, waiting; and short messages that go away.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import { Icon } from "./icon.tsx";

export function Fault({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div class="fault" role="alert">
      <Icon name="warning" />
      <span>{messageOf(error)}</span>
      {onRetry && <button type="button" class="button small" onClick={onRetry}>Try again</button>}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="empty-text">{children}</div>}
    </div>
  );
}

export function Waiting({ what }: { what: string }) {
  return <p class="waiting" role="status">{what}…</p>;
}

const SHOWN_MILLIS = 4000;
const messages = new EventTarget();

/** Says something for a few seconds at the foot of the page. */
export function say(text: string): void {
  messages.dispatchEvent(new CustomEvent("message", { detail: text }));
}

export function Messages() {
  const [text, setText] = useState("");
  useEffect(() => {
    let timer = 0;
    const show = (event: Event) => {
      setText((event as CustomEvent<string>).detail);
      clearTimeout(timer);
      timer = window.setTimeout(() => setText(""), SHOWN_MILLIS);
    };
    messages.addEventListener("message", show);
    return () => {
      clearTimeout(timer);
      messages.removeEventListener("message", show);
    };
  }, []);
  return <div class="messages" role="status" data-shown={text !== ""}>{text}</div>;
}
