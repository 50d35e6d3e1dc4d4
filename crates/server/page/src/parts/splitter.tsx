// A handle between two panes: dragged, or moved by the arrow keys.

import { useRef } from "preact/hooks";

interface Properties {
  label: string;
  /** Height of the pane above, in pixels. */
  value: number;
  min: number;
  max: () => number;
  onChange: (value: number) => void;
}

const STEP = 24;

export function Splitter({ label, value, min, max, onChange }: Properties) {
  const start = useRef<{ y: number; value: number } | null>(null);
  const set = (wanted: number) => onChange(Math.round(Math.min(max(), Math.max(min, wanted))));
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      tabIndex={0}
      onPointerDown={(event) => {
        start.current = { y: event.clientY, value };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (start.current) set(start.current.value + event.clientY - start.current.y);
      }}
      onPointerUp={() => { start.current = null; }}
      onKeyDown={(event) => {
        if (event.key === "ArrowUp") set(value - STEP);
        else if (event.key === "ArrowDown") set(value + STEP);
        else return;
        event.preventDefault();
      }}
    />
  );
}
