-- A token made by a token falls with it; when one was last used; accounts that may not call any more.
ALTER TABLE tokens ADD COLUMN parent_id TEXT REFERENCES tokens (id) ON DELETE CASCADE;

ALTER TABLE tokens ADD COLUMN last_used_at INTEGER;

CREATE INDEX tokens_by_parent ON tokens (parent_id) WHERE parent_id IS NOT NULL;

ALTER TABLE accounts ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0;
