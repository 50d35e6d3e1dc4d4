"""Asks a real Trino for the answers to the statements of `*.sql`: python3 make.py http://127.0.0.1:8080 [name ...]

They are stored as `*.json`: names and types of the columns, and rows as Trino's protocol has them, or the error's name. The
Trino is 476, the session's time zone is UTC. `aggregates.sql` is what `forms.py` prints; its first line says what `v` stands
for. The answers are Trino's: never
correct one by hand, and never take one from Rowhouse. What stands in `known.txt` Rowhouse answers otherwise, for the reason
above it.
"""

import json
import pathlib
import re
import sys
import urllib.request

FOLDER = pathlib.Path(__file__).parent
HEADERS = {
    "X-Trino-User": "test", "X-Trino-Catalog": "memory", "X-Trino-Schema": "default", "X-Trino-Time-Zone": "UTC",
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
}


def ask(url, sql):
    request = urllib.request.Request(f"{url}/v1/statement", data=sql.encode(), headers=HEADERS)
    answer, columns, rows = json.load(urllib.request.urlopen(request)), None, []
    while "nextUri" in answer and "error" not in answer:
        answer = json.load(urllib.request.urlopen(urllib.request.Request(answer["nextUri"], headers=HEADERS)))
        columns = answer.get("columns") or columns
        rows += answer.get("data") or []
    if "error" in answer:
        return {"error": answer["error"]["errorName"]}
    return {"columns": [[column["name"], column["type"]] for column in columns], "rows": rows}


def main(url, names):
    for path in sorted(FOLDER.glob("*.sql")):
        if names and path.stem not in names:
            continue
        lines = path.read_text().splitlines()
        tables = [line.removeprefix("-- v = ") for line in lines if line.startswith("-- v = ")]
        statements = [line for line in lines if line and not line.startswith("--")]
        if tables:
            statements = {sql: re.sub(r"\bFROM v\b", f"FROM {tables[0]}", sql) for sql in statements}
        else:
            statements = {sql: sql for sql in statements}
        cases = [json.dumps({"sql": sql} | ask(url, asked), ensure_ascii=False) for sql, asked in statements.items()]
        path.with_suffix(".json").write_text("[\n" + ",\n".join(cases) + "\n]\n")
        print(path.stem, len(cases))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
