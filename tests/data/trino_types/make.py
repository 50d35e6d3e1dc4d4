"""Asks a real Trino for the answers to `types.sql` and `values.sql`: python3 make.py http://127.0.0.1:8080 [types|values]

They are stored as `types.json` (names and types of the columns) and `values.json` (the rows, too). The Trino is 476
with the catalogs `memory` and `tpch` (`tpch.column-naming=STANDARD`), the session's time zone is UTC. A statement that
has an answer keeps it: to ask all anew, remove the files. The answers are Trino's: never correct one by hand, and never
take one from Rowhouse. What Rowhouse is known to refuse, or to answer otherwise, stands in `known.txt` under the reason.
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
PLAIN = re.compile("[a-z_][a-z0-9_]*")


def ask(url, sql):
    request = urllib.request.Request(f"{url}/v1/statement", data=sql.encode(), headers=HEADERS)
    answer, columns, rows = json.load(urllib.request.urlopen(request)), None, []
    while "nextUri" in answer and "error" not in answer:
        answer = json.load(urllib.request.urlopen(urllib.request.Request(answer["nextUri"], headers=HEADERS)))
        columns = answer.get("columns") or columns
        rows += answer.get("data") or []
    return None if "error" in answer else (columns, rows)


def name_of(signature):
    """The type as `typeof` spells it: the names of the protocol differ in spaces and in letter case."""
    arguments = [argument["value"] for argument in signature["arguments"]]
    raw = signature["rawType"]
    if raw in ("array", "map", "qdigest"):
        return f"{raw}({', '.join(name_of(argument) for argument in arguments)})"
    if raw == "row":
        fields = []
        for argument in arguments:
            name = (argument.get("fieldName") or {}).get("name")
            shown = name if not name or PLAIN.fullmatch(name) else '"' + name.replace('"', '""') + '"'
            fields.append((f"{shown} " if name else "") + name_of(argument["typeSignature"]))
        return f"row({', '.join(fields)})"
    if raw == "varchar" and arguments == [2147483647] or not arguments:
        return raw
    numbers = ",".join(str(argument) for argument in arguments)
    return f"{raw.removesuffix(' with time zone')}({numbers})" + (" with time zone" if "zone" in raw else "")


def main(url, names):
    for name in names or ("types", "values"):
        path = FOLDER / f"{name}.json"
        known = {case["sql"]: case for case in json.loads(path.read_text())} if path.exists() else {}
        cases = []
        for sql in (FOLDER / f"{name}.sql").read_text().splitlines():
            if not sql or sql.startswith("--"):
                continue
            case = known.get(sql)
            if case is None and (answer := ask(url, sql)):
                columns, rows = answer
                case = {"sql": sql, "columns": [[column["name"], name_of(column["typeSignature"])] for column in columns]}
                if name == "values":
                    case["rows"] = rows
            if case:
                cases.append(json.dumps(case, ensure_ascii=False))
        path.write_text("[\n" + ",\n".join(cases) + "\n]\n")
        print(name, len(cases))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
