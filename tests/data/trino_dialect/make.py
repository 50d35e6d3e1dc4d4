"""Asks a real Trino 476 for its answers to the statements of the files of `PARTS`:

    python3 make.py http://127.0.0.1:8080

with the catalogs `memory` and `tpch` (`tpch.column-naming=STANDARD`), in UTC. One answer a line of the file named there:
`sql`, and `columns` (name, type) and `rows`, or `error`, `code`, `at` (line, column). A statement that has an answer
keeps it. The answers are Trino's: never correct one by hand, and never take one from Rowhouse.
"""

import json
import pathlib
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

FOLDER = pathlib.Path(__file__).parent

import aggregates
import casts
import clauses
import columns
import common_types
import evaluation_order
import excluded_rows
import far_moments_and_stars
import floats
import forms
import functions
import json_table
import patterns
import routines
import rows_and_words
import tries
import trino_own
import untaken_branches
import unwrapped_casts
import windows_and_names

# A file of answers, and the statements in it.
PARTS = {
    "aggregates.jsonl": (aggregates,),
    "answers.jsonl": (functions, casts, clauses, routines),
    "columns.jsonl": (columns,),
    "common_types.jsonl": (common_types,),
    "evaluation_order.jsonl": (evaluation_order,),
    "excluded_rows.jsonl": (excluded_rows,),
    "far_moments_and_stars.jsonl": (far_moments_and_stars,),
    "floats.jsonl": (floats,),
    "forms.jsonl": (forms,),
    "json_table.jsonl": (json_table,),
    "patterns.jsonl": (patterns,),
    "rows_and_words.jsonl": (rows_and_words,),
    "tries.jsonl": (tries,),
    "trino_own.jsonl": (trino_own,),
    "untaken_branches.jsonl": (untaken_branches,),
    "unwrapped_casts.jsonl": (unwrapped_casts,),
    "windows_and_names.jsonl": (windows_and_names,),
}

HEADERS = {
    "X-Trino-User": "alice", "X-Trino-Catalog": "memory", "X-Trino-Schema": "default", "X-Trino-Time-Zone": "UTC",
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
}
MAX_ROWS = 100


def name_of():
    import importlib.util

    spec = importlib.util.spec_from_file_location("types_make", FOLDER.parent / "trino_types" / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.name_of


SPELLED = name_of()


def fetch(request):
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def ask(url, sql):
    page = fetch(urllib.request.Request(f"{url}/v1/statement", data=sql.encode(), headers=HEADERS))
    columns, rows = None, []
    while True:
        columns = page.get("columns") or columns
        rows += page.get("data") or []
        if "error" in page:
            error = page["error"]
            place = error.get("errorLocation")
            found = {"sql": sql, "error": error["errorName"], "code": error["errorCode"], "message": error["message"][:200]}
            return found | ({"at": [place["lineNumber"], place["columnNumber"]]} if place else {})
        if "nextUri" not in page:
            assert len(rows) <= MAX_ROWS, sql
            named = [[column["name"], SPELLED(column["typeSignature"])] for column in columns or []]
            return {"sql": sql, "columns": named, "rows": rows}
        page = fetch(urllib.request.Request(page["nextUri"], headers=HEADERS))


def make(url, path, modules):
    lines = path.read_text().splitlines() if path.exists() else []
    known = {case["sql"]: case for case in map(json.loads, lines)}
    wanted = list(dict.fromkeys(sql for part in modules for sql in part.statements()))
    missing = [sql for sql in wanted if sql not in known]
    with ThreadPoolExecutor(3) as pool:
        for at in range(0, len(missing), 300):
            part = missing[at : at + 300]
            known |= zip(part, pool.map(lambda sql: ask(url, sql), part))
            kept = [json.dumps(known[sql], ensure_ascii=False) for sql in wanted if sql in known]
            path.write_text("\n".join(kept) + "\n")
    kept = [json.dumps(known[sql], ensure_ascii=False) for sql in wanted]
    path.write_text("\n".join(kept) + "\n")
    print(path.name, len(kept), sum("error" in case for case in map(json.loads, kept)), "errors")


def main(url):
    for name, modules in PARTS.items():
        make(url, FOLDER / name, modules)


if __name__ == "__main__":
    main(sys.argv[1])
