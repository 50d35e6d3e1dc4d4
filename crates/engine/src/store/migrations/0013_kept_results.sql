-- Small results stay in the database for as long as they are kept: their rows come in the order of their numbers, and a
-- count of their bytes reads the index alone.
CREATE TABLE kept_results (
    seq INTEGER PRIMARY KEY,
    location TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    file BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX kept_results_by_location ON kept_results (location, bytes);

INSERT INTO kept_results (location, bytes, file) SELECT location, length(file), file FROM small_results;

DROP TABLE small_results;
