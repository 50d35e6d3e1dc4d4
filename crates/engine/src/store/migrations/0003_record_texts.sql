-- Bytes of the texts of an ended statement, where they are long and still kept: what a workspace keeps of them is limited.
ALTER TABLE query_records ADD COLUMN text_bytes INTEGER;

UPDATE query_records SET text_bytes = octet_length(record) WHERE is_final = 1 AND octet_length(record ->> '$.sql') > 16384;

CREATE INDEX query_records_by_text ON query_records (workspace_id, seq, text_bytes) WHERE text_bytes IS NOT NULL;
