// One value, whole.

import type { Json } from "../api/exact-json.ts";
import type { Column } from "../api/types.ts";
import { formatCount } from "../format.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { fullText, textOf } from "./cell.ts";

export function CellDialog({ column, row, value, onClose }: {
  column: Column;
  row: number;
  value: Json;
  onClose: () => void;
}) {
  return (
    <Dialog title={column.name} onClose={onClose} wide>
      <p class="hint">Row {formatCount(row + 1)}, <span class="type">{column.type}</span></p>
      <pre class="value">{fullText(value)}</pre>
      <div class="dialog-foot"><CopyButton text={textOf(value)} what="value" label="Copy" /></div>
    </Dialog>
  );
}
