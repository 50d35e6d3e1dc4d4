-- What alone a token is good for, as JSON; NULL: whatever its owner may do.
ALTER TABLE tokens ADD COLUMN allow TEXT;
