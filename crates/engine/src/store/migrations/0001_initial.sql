-- Moments are milliseconds since 1970-01-01T00:00:00Z, Booleans are 0 and 1, structures are JSON text
-- in the shape of the wire types.

CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    username TEXT NOT NULL UNIQUE COLLATE NOCASE,
    is_admin INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT;
CREATE INDEX tokens_by_account ON tokens (account_id);

CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    sql_name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    engine TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE members (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    PRIMARY KEY (workspace_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tables (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    location TEXT NOT NULL,
    format TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE views (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    sql_name TEXT NOT NULL,
    title TEXT,
    description TEXT,
    sql TEXT NOT NULL,
    schedule TEXT,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    columns TEXT NOT NULL,
    scheduled_at INTEGER,
    last_error TEXT,
    UNIQUE (workspace_id, sql_name)
) STRICT;

CREATE TABLE generations (
    view_id TEXT NOT NULL REFERENCES views (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    columns TEXT NOT NULL,
    row_count INTEGER NOT NULL,
    refreshed_at INTEGER NOT NULL,
    PRIMARY KEY (view_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE saved_sql (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    account_id TEXT,
    title TEXT NOT NULL,
    description TEXT,
    sql TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_run TEXT
) STRICT;
CREATE INDEX saved_sql_by_workspace ON saved_sql (workspace_id, seq);

CREATE TABLE query_records (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    is_final INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    saved_sql_id TEXT,
    fingerprint TEXT NOT NULL,
    result_file TEXT,
    result_expires_at INTEGER,
    record TEXT NOT NULL
) STRICT;
CREATE INDEX query_records_by_workspace ON query_records (workspace_id, seq);
CREATE INDEX query_records_by_start ON query_records (started_at);
CREATE INDEX query_records_not_final ON query_records (seq) WHERE is_final = 0;
CREATE INDEX query_records_by_expiry ON query_records (result_expires_at) WHERE result_file IS NOT NULL;
CREATE INDEX query_records_by_file ON query_records (result_file) WHERE result_file IS NOT NULL;

CREATE TABLE cache_entries (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    query_id TEXT NOT NULL,
    location TEXT NOT NULL,
    columns TEXT NOT NULL,
    row_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE INDEX cache_entries_by_location ON cache_entries (location);
