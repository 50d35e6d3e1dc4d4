"""Random statements, of `grammar.py` and `newer.py`, asked of a Rowhouse and of a real Trino 476:

    python3 beside_trino.py ../../../target/release/rowhouse http://127.0.0.1:8080 FIRST COUNT

Trino has the catalog `memory`, in which the tables are made. Prints what differs: rows, types, and errors by name. A wrong
answer, an internal error or an answer where Trino has an error ends it with 1. A seed always gives the same statement.
"""

import collections
import http.client
import json
import math
import sys
import tempfile
import threading
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import duckdb

from grammar import statement
from newer import pair
from run import MAX_ROWS, REFUSALS, TABLES, Server

THREADS = 3
HEADERS = {"X-Trino-User": "alice", "X-Trino-Time-Zone": "UTC", "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME"}
# Cross joins of three tables and a condition on texts take Trino many minutes.
TRINO_LIMIT = "query_max_run_time=30s"
# As DuckDB names it, and as Trino does.
TYPES = {"VARCHAR": "varchar", "TIMESTAMP": "timestamp(6)", "FLOAT": "real"}


class Client:
    """A client of Trino's protocol, with a connection for each thread."""

    def __init__(self, url, headers):
        self.address = urllib.parse.urlsplit(url).netloc
        self.headers = HEADERS | headers
        self.own = threading.local()

    def fetch(self, method, path, body=None):
        if not hasattr(self.own, "connection"):
            self.own.connection = http.client.HTTPConnection(self.address, timeout=600)
        self.own.connection.request(method, path, body, self.headers)
        answer = self.own.connection.getresponse().read()
        return json.loads(answer) if answer else {}

    def ask(self, sql):
        """Types and rows, or the error; none where there are too many rows."""
        page = self.fetch("POST", "/v1/statement", sql.encode())
        types, rows = None, []
        while True:
            if "error" in page:
                return None, page["error"]
            types = types or [column["type"] for column in page.get("columns") or []]
            rows += page.get("data") or []
            if "nextUri" not in page:
                return (types, rows), None
            path = urllib.parse.urlsplit(page["nextUri"]).path
            if len(rows) > MAX_ROWS:
                self.fetch("DELETE", path)
                return None, None
            page = self.fetch("GET", path)


def literal(value, data_type):
    if value is None:
        return f"CAST(NULL AS {data_type})"
    text = str(value).replace("'", "''")
    return f"CAST('{text}' AS {data_type})"


def make_tables(trino):
    for file in sorted(TABLES.glob("*.parquet")):
        relation = duckdb.sql(f"FROM '{file}'")
        types = [TYPES.get(str(name), str(name).lower()) for name in relation.types]
        rows = relation.fetchall()
        shown = [", ".join(map(literal, row, types)) for row in rows or [[None] * len(types)]]
        values = ", ".join(f"({row})" for row in shown)
        kept = "" if rows else " WHERE FALSE"
        for sql in (
            f"DROP TABLE IF EXISTS memory.default.{file.stem}",
            f"CREATE TABLE memory.default.{file.stem} AS SELECT * FROM (VALUES {values}) AS x ({', '.join(relation.columns)}){kept}",
        ):
            _, error = trino.ask(sql)
            assert error is None, error


def normal(cell):
    if isinstance(cell, float) or cell in ("NaN", "Infinity", "-Infinity"):
        number = float(cell)
        return f"{number:.9e}" if math.isfinite(number) and number else str(number + 0.0)
    if isinstance(cell, list):
        return [normal(part) for part in cell]
    return cell


def same_rows(sql, found, expected):
    found, expected = ([json.dumps(normal(row)) for row in rows] for rows in (found, expected))
    is_sorted = " ORDER BY " in sql.rsplit(")", 1)[-1]
    return found == expected if is_sorted else sorted(found) == sorted(expected)


def judge(rowhouse, trino, sql):
    expected, fault = trino.ask(sql)
    if fault and fault["errorName"] == "EXCEEDED_TIME_LIMIT":
        return "too slow for Trino", ""
    if not expected and not fault:
        return "too many rows", ""
    found, error = rowhouse.ask(sql)
    if error and error["errorName"] in REFUSALS and (expected or fault["errorName"] != error["errorName"]):
        return "refused", f"{error['message']}"
    if error and error["errorType"] != "USER_ERROR":
        return "failed", f"{error['errorName']}: {error['message']}"
    if error and fault:
        names = (error["errorName"], fault["errorName"])
        return ("same error", "") if names[0] == names[1] else ("other error", f"{names} {error['message']} ||| {fault['message']}")
    if error:
        return "failed", f"{error['errorName']}: {error['message']}"
    if fault and fault["errorName"] == "NOT_SUPPORTED":
        return "refused by Trino", ""
    if fault:
        return "answered here only", f"{fault['errorName']}: {fault['message']}"
    if not found:
        return "wrong", "too many rows"
    if found[0] != expected[0]:
        return "other types", f"{found[0]}\n    {expected[0]}"
    if not same_rows(sql, found[1], expected[1]):
        return "wrong", f"{found[1][:3]} ({len(found[1])})\n    {expected[1][:3]} ({len(expected[1])})"
    return "same", ""


def main():
    binary, url, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    trino = Client(url, {"X-Trino-Catalog": "memory", "X-Trino-Schema": "default", "X-Trino-Session": TRINO_LIMIT})
    make_tables(trino)
    figures = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(binary, folder)
        try:
            server.prepare()
            token = server.headers["Authorization"].split()[1]
            address = f"http://{server.connection.host}:{server.connection.port}"
            own = {"X-Trino-Catalog": "rowhouse", "X-Trino-Schema": "random_statements", "X-Trino-Extra-Credential": f"token={token}"}
            rowhouse = Client(address, own)

            def one(seed):
                sql = pair(seed)[0] if seed % 2 else statement(seed)
                return seed, sql, *judge(rowhouse, trino, sql)

            with ThreadPoolExecutor(THREADS) as pool:
                for done, (seed, sql, verdict, told) in enumerate(pool.map(one, range(first, first + count)), 1):
                    figures[verdict] += 1
                    if told:
                        print(f"seed {seed} {verdict}: {told}\n    {sql}", flush=True)
                    if done % 1000 == 0:
                        print(dict(figures), flush=True)
        finally:
            server.process.terminate()
            server.process.wait()
    print(dict(figures))
    sys.exit(1 if any(figures[bad] for bad in ("wrong", "failed", "other types", "answered here only")) else 0)


if __name__ == "__main__":
    main()
