"""Reads ten rows of a statement with the published Python client of Trino, waits for a line, and reads on.

Standard input: a line {"host", "port", "user", "token", "sql"}, and later one more line. Standard output: `paused` after the
first rows, then the number of rows and a digest of all of them."""

import hashlib
import json
import sys

import trino

FIRST_ROWS = 10


def main():
    task = json.loads(sys.stdin.readline())
    connection = trino.dbapi.connect(
        host=task["host"], port=task["port"], user=task["user"], extra_credential=[("token", task["token"])]
    )
    cursor = connection.cursor()
    cursor.execute(task["sql"])
    digest = hashlib.sha256()
    count = 0
    rows = cursor.fetchmany(FIRST_ROWS)
    print("paused", flush=True)
    sys.stdin.readline()
    while rows:
        for row in rows:
            digest.update(repr(row).encode())
        count += len(rows)
        rows = cursor.fetchmany(1000)
    print(count, digest.hexdigest())


main()
