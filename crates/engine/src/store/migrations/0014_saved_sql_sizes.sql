-- Bytes of the titles, descriptions and texts of a saved SQL's versions, for the limit of its workspace.
ALTER TABLE saved_sql ADD COLUMN version_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE saved_sql SET version_bytes = coalesce((
    SELECT sum(octet_length(title) + coalesce(octet_length(description), 0) + octet_length(sql))
    FROM saved_sql_versions WHERE saved_sql_id = saved_sql.id
), 0);
