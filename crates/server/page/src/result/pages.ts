// The rows of a result, fetched by pages as they come into sight and kept within bounds.

import { type Client, isAbort } from "../api/client.ts";
import type { Json } from "../api/exact-json.ts";

export type Row = readonly Json[];

export const PAGE_ROWS = 200;
/** Pages kept; those unseen the longest go first. */
const MAX_PAGES = 100;
/** Requests at a time. */
const MAX_REQUESTS = 3;

type Fetch = (limit: number, offset: number, signal: AbortSignal) => Promise<readonly Row[]>;

export class Pages {
  /** Called when rows have come or could not. */
  onChange: () => void = () => undefined;
  fault: unknown = null;
  private readonly pages = new Map<number, readonly Row[]>();
  private readonly requests = new Map<number, AbortController>();
  private wanted: number[] = [];

  constructor(private readonly fetch: Fetch) {}

  static ofQuery(client: Client, workspaceId: string, id: string): Pages {
    return new Pages(async (limit, offset, signal) => {
      const page = await client.rows(workspaceId, id, limit, offset, signal);
      return page.result;
    });
  }

  /** A row, if it is at hand. */
  row(index: number): Row | undefined {
    return this.pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Tells which rows are in sight: their pages are fetched, what is no longer wanted is not. */
  show(first: number, last: number): void {
    const from = Math.floor(first / PAGE_ROWS);
    const to = Math.floor(last / PAGE_ROWS);
    this.wanted = [];
    for (let page = from; page <= to; page += 1) this.wanted.push(page);
    for (const [page, request] of this.requests) {
      if (!this.wanted.includes(page)) request.abort();
    }
    for (const page of this.wanted) {
      const rows = this.pages.get(page);
      if (rows === undefined) continue;
      // Seen last, kept longest: a map remembers the order of insertion.
      this.pages.delete(page);
      this.pages.set(page, rows);
    }
    this.pump();
  }

  /** Rows `first` to `last`, from what is at hand or from the server. */
  async range(first: number, last: number): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let index = first; index <= last; index += 1) {
      const row = this.row(index);
      if (row === undefined) return this.fetch(last - first + 1, first, new AbortController().signal);
      rows.push(row);
    }
    return rows;
  }

  retry(): void {
    this.fault = null;
    this.pump();
  }

  close(): void {
    this.wanted = [];
    this.onChange = () => undefined;
    for (const request of this.requests.values()) request.abort();
  }

  private pump(): void {
    if (this.fault !== null) return;
    for (const page of this.wanted) {
      if (this.requests.size >= MAX_REQUESTS) return;
      if (this.pages.has(page) || this.requests.has(page)) continue;
      const abort = new AbortController();
      this.requests.set(page, abort);
      this.fetch(PAGE_ROWS, page * PAGE_ROWS, abort.signal)
        .then((rows) => this.keep(page, rows))
        .catch((error: unknown) => {
          if (!isAbort(error)) this.fault = error;
        })
        .finally(() => {
          this.requests.delete(page);
          this.onChange();
          this.pump();
        });
    }
  }

  private keep(page: number, rows: readonly Row[]): void {
    this.pages.set(page, rows);
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= MAX_PAGES) return;
      this.pages.delete(oldest);
    }
  }
}
