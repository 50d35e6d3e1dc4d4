"""Reads all rows of a statement with the published Python client of Trino.

Standard input: {"host", "port", "user", "token"?, "encoding": a name or null for rows in pages, "sql"}. Standard output: rows and
milliseconds."""

import json
import sys
import time

import trino


def main():
    task = json.load(sys.stdin)
    credentials = [("token", task["token"])] if task.get("token") else None
    connection = trino.dbapi.connect(
        host=task["host"],
        port=task["port"],
        user=task["user"],
        extra_credential=credentials,
        encoding=task["encoding"],
    )
    begun = time.monotonic()
    cursor = connection.cursor()
    cursor.execute(task["sql"])
    count = 0
    while rows := cursor.fetchmany(10_000):
        count += len(rows)
    print(count, round((time.monotonic() - begun) * 1000))


main()
