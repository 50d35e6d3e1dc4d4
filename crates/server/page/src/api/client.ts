// Requests to the server that gave the page, with the token of the session.

import { type Json, parseExact, printExact } from "./exact-json.ts";
import type {
  Account, CachedResults, Catalog, CreatedToken, DataDocument, EndpointCalls, MaterializedView, Query, QueryList, ResultPage, Role, SavedSql, SavedSqlVersion, ServiceStatus,
  StatementStats, Token, ViewGeneration, Workspace, WorkspaceLimits, WorkspaceMember, WorkspaceUsage,
} from "./types.ts";

/** The page's root, with a slash at its end: `https://host/web/`. */
export const ROOT = document.baseURI;
/** The base address that the documents call `base_url`. */
export const BASE_URL = ROOT.replace(/\/$/, "");

/** Seconds that the server holds an answer about a running query back. */
const WAIT_SECONDS = 1;

/** An answer that refuses. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string,
    /** The operator's cap on rows, where that is what refused. */
    readonly maxPageRows: number | null = null,
  ) {
    super(message);
  }
}

export const FORMATS = ["csv", "json", "ndjson", "parquet", "arrow"] as const;
export type Format = (typeof FORMATS)[number];

interface RequestOptions {
  method?: string;
  body?: object;
  signal?: AbortSignal;
}

export type Parameters = Record<string, string | number | undefined>;

/** The API as one token sees it. */
export class Client {
  /** Learned from the first answer that refuses. */
  private maxPageRows = Number.MAX_SAFE_INTEGER;

  constructor(
    readonly token: string,
    private readonly onUnauthorized: () => void,
  ) {}

  workspaces = () => this.json<Workspace[]>("api/v1/workspaces");
  accounts = () => this.json<Account[]>("api/v1/accounts");
  createAccount = (username: string, isAdmin: boolean) =>
    this.json<Account>("api/v1/account", { body: { username, isAdmin } });
  updateAccount = (id: string, change: { isAdmin?: boolean; isDisabled?: boolean }) =>
    this.json<Account>(path("api/v1/account", id), { method: "PUT", body: change });
  tokens = () => this.json<Token[]>("api/v1/tokens");
  createToken = (body: { name: string; accountId?: string; expiresInDays: number }) =>
    this.json<CreatedToken>("api/v1/token", { body });
  revokeToken = (id: string) => this.json(path("api/v1/token", id), { method: "DELETE" });
  usage = (workspaceId: string) => this.json<WorkspaceUsage>(path("api/v1/workspace", workspaceId, "usage"));
  setLimits = (workspaceId: string, limits: WorkspaceLimits) =>
    this.json<unknown>(path("api/v1/workspace", workspaceId, "limits"), { method: "PUT", body: limits });
  members = (workspaceId: string) => this.json<WorkspaceMember[]>(path("api/v1/workspace", workspaceId, "members"));
  setMember = (workspaceId: string, accountId: string, role: Role | null) =>
    this.json(path("api/v1/workspace", workspaceId, "member"), { method: "PUT", body: { accountId, role } });

  service = () => this.json<ServiceStatus>("api/v1/service/SQL_ENGINE");
  setService = (state: boolean) =>
    this.json<ServiceStatus>("api/v1/service/SQL_ENGINE", { method: "PUT", body: { state } });

  /** Without a place: catalogs, and what is in the default ones. */
  catalog = (workspaceId: string, place: { catalog?: string; schema?: string } = {}) =>
    this.json<Catalog>("api/v1/catalog" + search({ workspaceId, ...place }));

  submit = (body: {
    workspaceId: string; sql: string; cacheTTL?: number; cacheRefresh?: boolean; parameters?: { [name: string]: Json };
  }) => this.json<Query>("api/v1/query", { body: { ...body, source: "WEB" } });
  query = (workspaceId: string, id: string, signal?: AbortSignal) =>
    this.json<Query>(path("api/v1/query", id) + search({ workspaceId }), withSignal(signal));
  /** What a query ran with, digit for digit. */
  async queryParameters(workspaceId: string, id: string): Promise<{ [name: string]: Json }> {
    const answer = await this.send(path("api/v1/query", id) + search({ workspaceId }));
    const record = parseExact(await answer.text()) as { parameters?: { [name: string]: Json } };
    return record.parameters ?? {};
  }
  /** Answers when the query has ended, or as it stands after a second. */
  waitForQuery = (workspaceId: string, id: string, signal?: AbortSignal) =>
    this.json<Query>(path("api/v1/query", id) + search({ workspaceId, wait: WAIT_SECONDS }), withSignal(signal));
  cancel = (workspaceId: string, id: string) =>
    this.json<Query>(path("api/v1/query", id, "cancel"), { method: "PUT", body: { workspaceId } });
  queries = (workspaceId: string, limit: number, offset: number) =>
    this.json<QueryList>("api/v1/queries" + search({ workspaceId, limit, offset }));
  /** Rows of a result: in several requests where the operator has set a cap on one (D8). */
  async rows(workspaceId: string, id: string, limit: number, offset: number, signal?: AbortSignal): Promise<ResultPage> {
    const first = await this.rowsAtOnce(workspaceId, id, Math.min(limit, this.maxPageRows), offset, signal);
    const rows = [...first.result];
    while (rows.length < limit && offset + rows.length < first.rowCount) {
      const step = Math.min(limit - rows.length, this.maxPageRows);
      rows.push(...(await this.rowsAtOnce(workspaceId, id, step, offset + rows.length, signal)).result);
    }
    return { ...first, result: rows };
  }

  private async rowsAtOnce(workspaceId: string, id: string, limit: number, offset: number, signal?: AbortSignal): Promise<ResultPage> {
    try {
      const answer = await this.send(resultPath(workspaceId, id, { limit, offset }), withSignal(signal));
      return parseExact(await answer.text()) as unknown as ResultPage;
    } catch (error) {
      const cap = error instanceof ApiError ? error.maxPageRows : null;
      if (cap === null || cap < 1 || cap >= limit) throw error;
      this.maxPageRows = cap;
      return this.rowsAtOnce(workspaceId, id, cap, offset, signal);
    }
  }

  savedSqls = (workspaceId: string) => this.json<SavedSql[]>("api/v1/sqls" + search({ workspaceId }));
  savedSqlStatistics = (workspaceId: string, id: string) =>
    this.json<{ stats: StatementStats }>(path("api/v1/sql", id) + search({ workspaceId }));
  savedSqlVersions = (workspaceId: string, id: string) =>
    this.json<SavedSqlVersion[]>(path("api/v1/sql", id, "versions") + search({ workspaceId }));
  restoreSql = (workspaceId: string, id: string, version: number) =>
    this.json<SavedSql>(path("api/v1/sql", id), { method: "PUT", body: { workspaceId, version } });
  endpointCalls = (workspaceId: string, id: string) =>
    this.json<EndpointCalls>(path("api/v1/sql", id, "calls") + search({ workspaceId }));
  /** The document that describes the workspace's views and endpoints. */
  dataDocument = (workspaceSqlName: string) =>
    this.json<DataDocument>(`v1/data/${encodeURIComponent(workspaceSqlName)}/openapi.json`);
  cachedResults = (workspaceId: string) => this.json<CachedResults>("api/v1/cache" + search({ workspaceId }));
  purgeCache = (workspaceId: string, scope: { queryId?: string; table?: string; all?: string }) =>
    this.json<{ purged: number }>("api/v1/cache" + search({ workspaceId, ...scope }), { method: "DELETE" });
  saveSql = (workspaceId: string, body: { title: string; description: string; sql: string; sqlName?: string }) =>
    this.json<SavedSql>("api/v1/sql", { body: { workspaceId, ...body } });
  updateSql = (workspaceId: string, id: string, body: { title?: string; description?: string; sql?: string; sqlName?: string | null }) =>
    this.json<SavedSql>(path("api/v1/sql", id), { method: "PUT", body: { workspaceId, ...body } });
  deleteSql = (workspaceId: string, id: string) =>
    this.json(path("api/v1/sql", id) + search({ workspaceId }), { method: "DELETE" });
  executeSql = (workspaceId: string, id: string) =>
    this.json<Query>(path("api/v1/sql", id), { body: { workspaceId, source: "SAVED_SQL" } });

  views = (workspaceId: string) => this.json<MaterializedView[]>("api/v1/materializedViews" + search({ workspaceId }));
  createView = (workspaceId: string, body: object) =>
    this.json<MaterializedView & { refreshQueryId: string | null }>("api/v1/materializedView", {
      body: { workspaceId, ...body },
    });
  updateView = (workspaceId: string, id: string, body: object) =>
    this.json<MaterializedView & { refreshQueryId?: string | null }>(
      path("api/v1/materializedView", id) + search({ workspaceId }),
      { method: "PUT", body },
    );
  dropView = (workspaceId: string, id: string) =>
    this.json(path("api/v1/materializedView", id) + search({ workspaceId }), { method: "DELETE" });
  viewGenerations = (workspaceId: string, id: string) =>
    this.json<ViewGeneration[]>(path("api/v1/materializedView", id, "generations") + search({ workspaceId }));
  refreshView = (workspaceId: string, id: string) =>
    this.json<Query>(path("api/v1/materializedView", id, "refresh"), { body: { workspaceId } });

  /** Sends a request to an address relative to the page's root. Throws an ApiError for an answer that refuses. */
  async send(address: string, options: RequestOptions = {}): Promise<Response> {
    const answer = await this.sendAny(address, options);
    if (answer.ok) return answer;
    throw await refused(answer);
  }

  /** As `send`, also for answers that refuse. */
  async sendAny(address: string, { method, body, signal }: RequestOptions = {}): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Token ${this.token}` };
    if (body) headers["Content-Type"] = "application/json";
    let answer: Response;
    try {
      answer = await fetch(new URL(address, ROOT), {
        method: method ?? (body ? "POST" : "GET"),
        headers,
        ...(body && { body: printExact(withoutUndefined(body)) }),
        ...(signal && { signal }),
        // The header is all that tells who asks.
        credentials: "omit",
      });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiError(0, "UNREACHABLE", "The server cannot be reached.", "");
    }
    if (answer.status === 401 && (await codeOf(answer)) === "UNAUTHORIZED") this.onUnauthorized();
    return answer;
  }

  private async json<T>(address: string, options: RequestOptions = {}): Promise<T> {
    return (await (await this.send(address, options)).json()) as T;
  }
}

/** Address of a query's rows. */
export function resultPath(workspaceId: string, id: string, parameters: Parameters): string {
  return path("api/v1/query", id, "result") + search({ workspaceId, ...parameters });
}

function withSignal(signal?: AbortSignal): RequestOptions {
  return signal ? { signal } : {};
}

function path(base: string, ...segments: string[]): string {
  return [base, ...segments.map(encodeURIComponent)].join("/");
}

function search(parameters: Parameters): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

function withoutUndefined(body: object): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as { [name: string]: Json };
}

async function codeOf(answer: Response): Promise<Json> {
  const body: unknown = await answer.clone().json().catch(() => null);
  return (body as { code?: string } | null)?.code ?? null;
}

async function refused(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as {
    code?: string; message?: string; requestId?: string; details?: { maxPageRows?: number };
  };
  return new ApiError(
    answer.status,
    body.code ?? "UNKNOWN",
    body.message ?? `The server answered with status ${answer.status}.`,
    body.requestId ?? "",
    body.details?.maxPageRows ?? null,
  );
}

/** What to show of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a request ended because it was no longer wanted. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** A line for a shell; the token is a variable, so that it stands in no history. */
export function curlLine(path: string): string {
  return `curl -H "Authorization: Token $TOKEN" '${`${BASE_URL}/${path}`.replaceAll("'", "%27")}'`;
}
