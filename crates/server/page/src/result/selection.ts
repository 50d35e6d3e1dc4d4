// The selected block of cells: where it began and where it has come to.

export interface Cell {
  row: number;
  column: number;
}

export interface Selection {
  anchor: Cell;
  active: Cell;
}

export interface Block {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export function blockOf({ anchor, active }: Selection): Block {
  return {
    top: Math.min(anchor.row, active.row),
    bottom: Math.max(anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  };
}

export function isInside(block: Block, row: number, column: number): boolean {
  return row >= block.top && row <= block.bottom && column >= block.left && column <= block.right;
}

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Where a key leads from a cell; null for a key that moves nothing. */
export function moved({ key, ctrlKey, metaKey }: Key, { row, column }: Cell, rows: number, columns: number, pageRows: number): Cell | null {
  const far = ctrlKey || metaKey;
  const to: Cell | undefined = {
    ArrowUp: { row: far ? 0 : row - 1, column },
    ArrowDown: { row: far ? rows - 1 : row + 1, column },
    ArrowLeft: { row, column: far ? 0 : column - 1 },
    ArrowRight: { row, column: far ? columns - 1 : column + 1 },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? rows - 1 : row, column: columns - 1 },
  }[key];
  if (to === undefined) return null;
  return {
    row: Math.min(rows - 1, Math.max(0, to.row)),
    column: Math.min(columns - 1, Math.max(0, to.column)),
  };
}
