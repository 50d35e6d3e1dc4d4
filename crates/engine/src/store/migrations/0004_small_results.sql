-- Files of small results that are not known to be on the disk: they are committed with their records, and removed from here
-- once the files are synced, many at a time.
CREATE TABLE small_results (
    location TEXT PRIMARY KEY NOT NULL,
    file BLOB NOT NULL
) STRICT, WITHOUT ROWID;
