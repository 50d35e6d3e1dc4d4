-- What calls of endpoints were like, by hour since 1970: how they were answered, and how often each step of durations.
CREATE TABLE endpoint_calls (
    saved_sql_id TEXT NOT NULL REFERENCES saved_sql (id) ON DELETE CASCADE,
    hour INTEGER NOT NULL,
    run INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    unfinished INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    durations TEXT NOT NULL,
    PRIMARY KEY (saved_sql_id, hour)
) STRICT, WITHOUT ROWID;
