-- What the result of an entry was made from, as JSON: tables in their versions. NULL where nobody can tell, as of entries
-- from before.
ALTER TABLE cache_entries ADD COLUMN sources TEXT;
