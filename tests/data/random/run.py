"""Compares random statements with DuckDB: python3 run.py ROWHOUSE FIRST_SEED COUNT, ROWHOUSE being the binary.
`mutations.py` beside it has the server to itself.

`cargo xtask fuzz sql` builds the binary and calls this. Prints every statement that is answered wrong or that fails
otherwise than by a refusal, and the figures; ends with 1 if there was one.
"""

import collections
import http.client
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import duckdb

from grammar import statement
from newer import pair

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "answers"))
from make import value  # noqa: E402

TABLES = pathlib.Path(__file__).parent.parent / "null_tables"
MAX_ROWS = 5000
REFUSALS = ("NOT_SUPPORTED", "FUNCTION_NOT_FOUND", "TYPE_NOT_FOUND", "SYNTAX_ERROR")


class Server:
    def __init__(self, binary, folder, *more):
        arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", f"{folder}/data", *more]
        with open(f"{folder}/log", "w") as log:
            self.process = subprocess.Popen([binary, *arguments], stdout=subprocess.PIPE, stderr=log, text=True)
        address = next(found[1] for line in self.process.stdout if (found := re.search(r"http://([\d.]+:\d+)", line)))
        token = pathlib.Path(folder, "data", "admin-token").read_text().strip()
        self.connection = http.client.HTTPConnection(address, timeout=300)
        self.headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def ask(self, method, path, body=None):
        self.connection.request(method, path, json.dumps(body) if body is not None else None, self.headers)
        return json.loads(self.connection.getresponse().read())

    def prepare(self):
        name = "random_statements"
        self.workspace = self.ask("POST", "/api/v1/workspace", {"title": name, "sqlName": name})["id"]
        for file in sorted(TABLES.glob("*.parquet")):
            table = {"workspaceId": self.workspace, "name": file.stem, "location": str(file)}
            self.ask("POST", "/api/v1/table", table)

    def rows(self, sql, most=MAX_ROWS + 1):
        query = self.ask("POST", "/api/v1/query", {"workspaceId": self.workspace, "sql": sql})
        if "status" not in query:
            # Refused before it was a statement: an empty text.
            kind = "USER_ERROR" if query["code"] == "INVALID_ARGUMENTS" else "INTERNAL_ERROR"
            return None, {"errorName": query["code"], "errorType": kind, "message": query["message"]}
        while query["status"] not in ("FINISHED", "FAILED"):
            query = self.ask("GET", f"/api/v1/query/{query['id']}?workspaceId={self.workspace}&wait=30")
        if query["status"] == "FAILED":
            return None, query["error"]
        result = self.ask("GET", f"/api/v1/query/{query['id']}/result?workspaceId={self.workspace}&limit={most}")
        return result["result"], None


def normal(cell):
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        text = str(cell)
        is_timestamp = len(text) > 19 and text[10] == "T" and text[19] == "."
        return text.rstrip("0").rstrip(".") if is_timestamp else text
    return f"{cell:.9e}".replace("-0.000000000e+00", "0.000000000e+00")


def main():
    binary, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        server = Server(binary, folder)
        try:
            server.prepare()
            figures = compare(server, first, count)
        finally:
            server.process.terminate()
            server.process.wait()
    sys.exit(1 if figures["wrong"] or figures["failed"] else 0)


def compare(server, first, count):
    connection = duckdb.connect()
    for file in TABLES.glob("*.parquet"):
        connection.execute(f"CREATE TABLE {file.stem} AS FROM '{file}'")
    plain = connection.cursor()
    plain.execute("PRAGMA disable_optimizer")
    figures, refusals = collections.Counter(), collections.Counter()
    for seed in range(first, first + count):
        # Every other statement has newer types and functions, which DuckDB spells otherwise.
        sql, other = pair(seed) if seed % 2 else (statement(seed),) * 2
        try:
            rows = connection.execute(other).fetchmany(MAX_ROWS + 1)
        except duckdb.Error:
            figures["refused by DuckDB"] += 1
            continue
        if len(rows) > MAX_ROWS:
            figures["too many rows"] += 1
            continue
        expected = [[normal(value(cell)) for cell in row] for row in rows]
        found, error = server.rows(sql)
        if error:
            is_refused = error["errorName"] in REFUSALS
            figures["refused" if is_refused else "failed"] += 1
            if is_refused:
                refusals[error["message"].split(": ", 1)[-1]] += 1
            else:
                print(f"seed {seed} FAILED {error['errorName']}: {error['message']}\n    {sql}", flush=True)
            continue
        found = [[normal(cell) for cell in row] for row in found]
        if " LIMIT " not in sql.rsplit(")", 1)[-1]:
            found, expected = sorted(found), sorted(expected)
        if found == expected:
            figures["right"] += 1
        elif found == sorted([normal(value(cell)) for cell in row] for row in plain.execute(other).fetchall()):
            figures["DuckDB differs from itself"] += 1
        else:
            figures["wrong"] += 1
            print(f"seed {seed} WRONG\n    {sql}\n    {found[:3]} ({len(found)})\n    {expected[:3]} ({len(expected)})", flush=True)
        if (seed - first) % 2000 == 1999:
            print(dict(figures), flush=True)
    print(dict(figures))
    for message, times in refusals.most_common():
        print(f"    {times} × {message}")
    return figures


if __name__ == "__main__":
    main()
