-- The generations that views have had, the served one among them: what each refresh brought, and which query it was.
CREATE TABLE generation_log (
    view_id TEXT NOT NULL REFERENCES views (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    query_id TEXT,
    row_count INTEGER NOT NULL,
    refreshed_at INTEGER NOT NULL,
    PRIMARY KEY (view_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO generation_log (view_id, number, query_id, row_count, refreshed_at)
SELECT view_id, number, NULL, row_count, refreshed_at FROM generations;
