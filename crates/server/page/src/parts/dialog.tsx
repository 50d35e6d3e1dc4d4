// A modal dialog over the page: the browser keeps focus inside and closes it by Escape.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface Properties {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, wide = false, children }: Properties) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="dialog" data-wide={wide} aria-labelledby={id} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button icon-only quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** A question before something that cannot be undone. */
export function Confirm({ title, text, action, onConfirm, onClose }: {
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>Keep it</button>
        <button type="button" class="button danger" onClick={() => { onConfirm(); onClose(); }}>{action}</button>
      </div>
    </Dialog>
  );
}
