-- A saved SQL with a name is an endpoint; its columns, as they were when it was saved, as JSON.
ALTER TABLE saved_sql ADD COLUMN sql_name TEXT;

ALTER TABLE saved_sql ADD COLUMN columns TEXT;

CREATE UNIQUE INDEX saved_sql_by_name ON saved_sql (workspace_id, sql_name) WHERE sql_name IS NOT NULL;
