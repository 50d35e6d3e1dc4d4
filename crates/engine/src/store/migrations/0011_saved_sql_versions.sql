-- What a saved SQL was and is, each with who made it so and when; the newest is what stands in saved_sql.
CREATE TABLE saved_sql_versions (
    saved_sql_id TEXT NOT NULL REFERENCES saved_sql (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    sql TEXT NOT NULL,
    account_id TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (saved_sql_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO saved_sql_versions (saved_sql_id, number, title, description, sql, account_id, created_at)
SELECT id, 1, title, description, sql, account_id, created_at FROM saved_sql;
