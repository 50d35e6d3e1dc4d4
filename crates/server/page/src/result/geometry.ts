// From where one has scrolled to which rows are in sight. Browsers lay out some 30 million pixels at most, so a long
// result's track is shorter than its rows and a scroll bar's pixel may stand for many rows; the wheel and the keys
// still move by rows.

export const ROW_PIXELS = 26;
export const HEAD_PIXELS = 42;
const MAX_TRACK_PIXELS = 8_000_000;

export class Geometry {
  readonly trackPixels: number;
  readonly isScaled: boolean;

  constructor(
    readonly rowCount: number,
    readonly viewPixels: number,
  ) {
    const full = rowCount * ROW_PIXELS + HEAD_PIXELS;
    this.trackPixels = Math.min(full, MAX_TRACK_PIXELS);
    this.isScaled = full > MAX_TRACK_PIXELS;
  }

  /** Rows that fit below the head, with fractions. */
  get viewRows(): number {
    return Math.max(1, (this.viewPixels - HEAD_PIXELS) / ROW_PIXELS);
  }

  /** The row at the top when scrolled to the end. */
  get maxTop(): number {
    return Math.max(0, this.rowCount - this.viewRows);
  }

  private get maxScroll(): number {
    return Math.max(1, this.trackPixels - this.viewPixels);
  }

  /** The row at the top, with its fraction. */
  topOf(scrollPixels: number): number {
    const top = this.isScaled ? (scrollPixels / this.maxScroll) * this.maxTop : scrollPixels / ROW_PIXELS;
    return Math.min(this.maxTop, Math.max(0, top));
  }

  scrollOf(top: number): number {
    return this.isScaled ? (top / this.maxTop) * this.maxScroll : top * ROW_PIXELS;
  }

  /** The top from which a row is in sight, moving as little as can be. */
  topFor(row: number, top: number): number {
    if (row < top) return row;
    const lowest = row + 1 - this.viewRows;
    return Math.min(this.maxTop, Math.max(0, lowest > top ? lowest : top));
  }
}

/** Widths of columns, and which of them a window shows. */
export class Columns {
  readonly starts: readonly number[];
  readonly totalPixels: number;

  constructor(
    readonly widths: readonly number[],
    readonly firstPixels: number,
  ) {
    const starts: number[] = [];
    let at = firstPixels;
    for (const width of widths) {
      starts.push(at);
      at += width;
    }
    this.starts = starts;
    this.totalPixels = at;
  }

  /** The first and last column that touch a window. */
  between(left: number, right: number): [number, number] {
    let first = this.starts.findIndex((start, index) => start + (this.widths[index] ?? 0) > left + this.firstPixels);
    if (first < 0) first = Math.max(0, this.widths.length - 1);
    let last = first;
    while (last + 1 < this.widths.length && (this.starts[last + 1] ?? 0) < right) last += 1;
    return [first, last];
  }
}
