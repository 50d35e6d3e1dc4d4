-- Which query a submit has made that its caller gave a name, so that it can be sent again. The digest is that of the request.
CREATE TABLE idempotency_keys (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    digest BLOB NOT NULL,
    workspace_id TEXT NOT NULL,
    query_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
