"""Writes Trino's answers to the statements of `date_times.py` and the other lists here into `*.jsonl`:

    python3 make.py http://127.0.0.1:8080 [NAME...]

with a Trino 476 that has the catalog `memory`. One answer a line: `sql`, and `type` and `rows` (values of the one
column) or `error`, `line` and `column`. The answers are Trino's: never correct one by hand, and never take one from
Rowhouse.
"""

import functools
import importlib
import json
import pathlib
import sys
import urllib.request

from suite import Suite, answers_of_calls

NAMES = [
    *("date_times", "regular_expressions", "binary", "urls", "words", "patterns", "distributions", "groups"),
    *("text", "limits", "json_type", "sql_json", "lambdas", "maps", "group_arrays", "sketches"),
]

HEADERS = {
    "X-Trino-User": "rowhouse",
    "X-Trino-Catalog": "memory",
    "X-Trino-Schema": "default",
    "X-Trino-Time-Zone": "UTC",
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
}


# Not answers to a statement.
OF_THE_SERVER = ("PAGE_TRANSPORT_TIMEOUT",)


def answer(address, sql):
    request = urllib.request.Request(f"{address}/v1/statement", data=sql.encode(), headers=HEADERS)
    page = json.load(urllib.request.urlopen(request))
    columns, rows = None, []
    while True:
        columns = page.get("columns") or columns
        rows += page.get("data") or []
        if "error" in page:
            error = page["error"]
            place = error.get("errorLocation")
            found = {"sql": sql, "error": error["errorName"]}
            if place:
                found |= {"line": place["lineNumber"], "column": place["columnNumber"]}
            return found | {"message": error["message"]}
        if "nextUri" not in page:
            assert len(columns) == 1, sql
            return {"sql": sql, "type": columns[0]["type"], "rows": [row[0] for row in rows]}
        page = json.load(urllib.request.urlopen(urllib.request.Request(page["nextUri"], headers=HEADERS)))


def main():
    address, *names = sys.argv[1:]
    folder = pathlib.Path(__file__).parent
    for name in names or NAMES:
        suite = Suite()
        importlib.import_module(name).statements(suite)
        ask = functools.partial(answer, address)
        answers = []
        for statements, calls in suite.groups:
            answers += [ask(sql) for sql in statements]
            if calls:
                answers += answers_of_calls(*calls, ask)
        answers = [found for found in answers if found.get("error") not in OF_THE_SERVER]
        lines = [json.dumps(found, ensure_ascii=False) + "\n" for found in answers]
        (folder / f"{name}.jsonl").write_text("".join(lines))
        print(f"{name}.jsonl: {len(answers)}, {sum('error' in found for found in answers)} errors")


if __name__ == "__main__":
    main()
