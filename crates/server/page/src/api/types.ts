// The wire types that the page reads, with the field names of the API. See docs/api.md.

import type { Json } from "./exact-json.ts";

export type Role = "CONSUMER" | "ANALYST" | "OWNER";

export interface Workspace {
  id: string;
  sqlName: string;
  title: string;
  engine: "polars" | "trino";
  role: Role;
}

export interface Column {
  name: string;
  type: string;
}

export type QueryStatus = "QUEUED" | "PLANNING" | "RUNNING" | "FINISHED" | "FAILED";

export interface QueryError {
  message: string;
  errorName: string;
  errorType: string;
  errorLocation?: { lineNumber: number; columnNumber: number };
}

export interface StatementStats {
  state: string;
  queued: boolean;
  scheduled: boolean;
  nodes: number;
  totalSplits: number;
  queuedSplits: number;
  runningSplits: number;
  completedSplits: number;
  cpuTimeMillis: number;
  wallTimeMillis: number;
  queuedTimeMillis: number;
  elapsedTimeMillis: number;
  processedRows: number;
  processedBytes: number;
  peakMemoryBytes: number;
  spilledBytes: number;
}

export interface QueryStats extends StatementStats {
  planningTimeMillis: number;
  executionTimeMillis: number;
  outputRows: number;
  outputBytes: number;
  progressPercentage: number;
}

export interface OutputStage {
  stageId: string;
  state: string;
  operator: string;
  outputRows?: number;
  outputBytes?: number;
  subStages: OutputStage[];
}

export interface Query {
  id: string;
  statementId: string | null;
  status: QueryStatus;
  startedAt: string;
  sql: string;
  duration: number;
  workspaceId: string;
  error?: QueryError;
  userId?: string;
  rowCount?: number;
  fromCache?: boolean;
  source?: string;
  columns?: Column[];
  queryStats?: QueryStats;
  outputStage?: OutputStage;
  /** As they were given; numbers here may have lost digits, see `Client.queryParameters`. */
  parameters?: object;
}

export interface QueryList {
  totalCount: number;
  result: Query[];
}

export interface ResultPage {
  result: Json[][];
  columns: Column[];
  rowCount: number;
}

export interface SavedSql {
  id: string;
  title: string;
  description?: string;
  sql: string;
  accountId?: string;
  /** Its name as an endpoint. */
  sqlName?: string;
}

export interface SavedSqlVersion {
  version: number;
  title: string;
  description?: string;
  sql: string;
  accountId?: string;
  username?: string;
  createdAt: string;
}

export interface EndpointCalls {
  calls: number;
  kept: number;
  unfinished: number;
  failed: number;
  p50Millis?: number;
  p95Millis?: number;
}

export interface CachedResult {
  queryId: string;
  sql?: string;
  createdAt: string;
  ageSeconds: number;
  rowCount: number;
  tables?: string[];
  volatile?: string;
}

export interface CachedResults {
  totalCount: number;
  result: CachedResult[];
}

/** What the form of an endpoint reads of its workspace's document. */
export interface DataDocument {
  paths: Record<string, { get?: { operationId?: string; parameters?: EndpointParameter[] } }>;
}

export interface EndpointParameter {
  name: string;
  required?: boolean;
  description?: string;
  schema: ParameterSchema;
}

export interface ParameterSchema {
  type?: string;
  enum?: (string | number | boolean)[];
  default?: unknown;
  items?: ParameterSchema;
  minimum?: number;
  maximum?: number;
  "x-sql-type"?: string;
}

export interface ViewGeneration {
  generation: number;
  refreshedAt: string;
  rowCount: number;
  queryId: string | null;
}

export interface MaterializedView {
  id: string;
  sqlName: string;
  title: string | null;
  description: string | null;
  sql: string;
  schedule: string | null;
  requiredFilters: string[];
  columns: Column[];
  rowCount: number | null;
  generation: number | null;
  refreshedAt: string | null;
  lastError: string | null;
}

export interface ServiceStatus {
  status: "RUNNING" | "STARTING" | "STOPPING" | "STOPPED" | "ERROR";
  lastUsed: string;
  maxIdleTime: number;
}

export interface Account {
  id: string;
  username: string;
  isAdmin: boolean;
  isDisabled: boolean;
}

export interface Token {
  id: string;
  name: string;
  accountId: string;
  createdAt: string;
  expiresAt: string | null;
}

export interface CreatedToken {
  name: string;
  token: string;
  expiresAt: string | null;
}

/** What a workspace may take; null is no limit, in what is set: as the configuration says. */
export interface WorkspaceLimits {
  concurrency: number | null;
  queuedStatements: number | null;
  requestsPerSecond: number | null;
  resultBytes: number | null;
  diskBytes: number | null;
  memoryBytes: number | null;
  cacheCheck: "age" | "sources" | null;
}

export interface WorkspaceUsage {
  workspaceId: string;
  limits: { set: WorkspaceLimits; inForce: WorkspaceLimits };
  runningStatements: number;
  queuedStatements: number;
  textBytes: number;
  diskBytes: number;
  memoryBytes: number;
}

export interface WorkspaceMember {
  accountId: string;
  username: string;
  role: Role;
}

export interface CatalogTable {
  catalog: string;
  schema: string;
  name: string;
  kind: "TABLE" | "VIEW" | "MATERIALIZED_VIEW" | "SAMPLE";
  columns: Column[];
  rowCount?: number;
}

export interface CatalogSchema {
  catalog: string;
  name: string;
}

export interface CatalogFunction {
  name: string;
  kind: "SCALAR" | "AGGREGATE" | "WINDOW";
  signatures: string[];
  description: string;
}

export interface Catalog {
  defaultCatalog: string | null;
  defaultSchema: string | null;
  catalogs: string[];
  schemas: CatalogSchema[];
  tables: CatalogTable[];
  /** There are more schemas or tables than these. */
  truncated?: boolean;
  functions: CatalogFunction[];
}
