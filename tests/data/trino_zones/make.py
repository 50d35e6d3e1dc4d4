"""Writes Trino's answers to the statements of `zones.py`, in sessions of several time zones, and of `columns.py`, `rows.py`, `functions.py`, `identifiers.py`,
`chars.py` and `times.py` into `*.jsonl`:

    python3 make.py http://127.0.0.1:8080 [NAME...]

with a Trino 476 that has the catalog `memory`. One answer a line: `zone` of the session, `sql`, and `types` and `rows`, or
`error`. The answers are Trino's: never correct one by hand, and never take one from Rowhouse.
"""

import importlib
import json
import pathlib
import sys
import urllib.request

NAMES = ["zones", "columns", "rows", "functions", "identifiers", "chars", "times"]

HEADERS = {
    "X-Trino-User": "rowhouse",
    "X-Trino-Catalog": "memory",
    "X-Trino-Schema": "default",
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
}


def answer(address, zone, sql):
    headers = HEADERS | {"X-Trino-Time-Zone": zone}
    request = urllib.request.Request(f"{address}/v1/statement", data=sql.encode(), headers=headers)
    page = json.load(urllib.request.urlopen(request))
    columns, rows = None, []
    while True:
        columns = page.get("columns") or columns
        rows += page.get("data") or []
        if "error" in page:
            return {"zone": zone, "sql": sql, "error": page["error"]["errorName"], "message": page["error"]["message"]}
        if "nextUri" not in page:
            return {"zone": zone, "sql": sql, "types": [column["type"] for column in columns], "rows": rows}
        page = json.load(urllib.request.urlopen(urllib.request.Request(page["nextUri"], headers=headers)))


def main():
    address, *names = sys.argv[1:]
    for name in names or NAMES:
        suite = importlib.import_module(name)
        asked = [(zone, sql) for zone in suite.ZONES for sql in suite.STATEMENTS]
        lines = [json.dumps(answer(address, zone, sql), ensure_ascii=False) + "\n" for zone, sql in asked]
        (pathlib.Path(__file__).parent / f"{name}.jsonl").write_text("".join(lines))
        print(name, len(lines))


if __name__ == "__main__":
    main()
