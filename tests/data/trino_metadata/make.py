"""Asks a real Trino 476 what its metadata has: python3 make.py http://127.0.0.1:8080

`tables.json`: names and types of the columns of every table of `system` and of the information schema, and of those
that `*` leaves out. `statements.json`: names and types of the columns of each statement of `statements.sql`, or its
error's name; lengths of texts are left out where they are those of the longest text shown. `types.json`: what
`system.jdbc.columns` says of a column of each type. The catalogs are `memory`
and `tpch` (`tpch.column-naming=STANDARD`). The answers are Trino's: never correct one by hand.
"""

import json
import pathlib
import re
import sys
import urllib.request

FOLDER = pathlib.Path(__file__).parent
HEADERS = {
    "X-Trino-User": "test", "X-Trino-Catalog": "tpch", "X-Trino-Schema": "tiny", "X-Trino-Time-Zone": "UTC",
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
}
HIDDEN = {
    "information_schema.columns": ["comment", "extra_info", "column_comment"],
    "information_schema.tables": ["table_comment"],
}
TYPES = [
    "boolean", "tinyint", "smallint", "integer", "bigint", "real", "double", "decimal(10,2)", "decimal(38,0)",
    "varchar", "varchar(5)", "varbinary", "date", "time(0)", "time(3)", "time(9)", "timestamp(0)", "timestamp(3)",
    "timestamp(6)", "timestamp(9)", "timestamp(0) with time zone", "timestamp(3) with time zone",
    "timestamp(9) with time zone", "array(integer)", "array(array(varchar(3)))", 'row(x integer, "Y z" varchar)',
    "row(integer, decimal(3,1))", "interval day to second", "interval year to month",
]
OF_TYPES = "data_type, type_name, column_size, buffer_length, decimal_digits, num_prec_radix, nullable, " \
    "char_octet_length, is_nullable"
# Columns of this type are not to be had here.
WITH_MAPS = {"runtime.optimizer_rule_stats"}


def ask(url, sql):
    request = urllib.request.Request(f"{url}/v1/statement", data=sql.encode(), headers=HEADERS)
    answer, columns, rows = json.load(urllib.request.urlopen(request)), [], []
    while "nextUri" in answer and "error" not in answer:
        answer = json.load(urllib.request.urlopen(urllib.request.Request(answer["nextUri"], headers=HEADERS)))
        columns = answer.get("columns") or columns
        rows += answer.get("data") or []
    if "error" in answer:
        return answer["error"]["errorName"], []
    return [[column["name"], re.sub(r"^varchar\(\d+\)$", "varchar", column["type"])] for column in columns], rows


def store(name, values):
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    (FOLDER / name).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main(url):
    listed = "SELECT table_schema, table_name FROM system.information_schema.tables ORDER BY 1, 2"
    tables = {}
    for schema, table in ask(url, listed)[1]:
        name = f"{schema}.{table}"
        if name not in WITH_MAPS:
            hidden = HIDDEN.get(name, [])
            columns, _ = ask(url, f"SELECT * FROM system.{name} LIMIT 0")
            more, _ = ask(url, f"SELECT {', '.join(hidden)} FROM system.{name} LIMIT 0") if hidden else ([], [])
            tables[name] = {"columns": columns, "hidden": more}
    store("tables.json", tables)
    columns = ", ".join(f"c{index} {name}" for index, name in enumerate(TYPES))
    ask(url, f"CREATE TABLE memory.default.every_type ({columns})")
    of_types = f"SELECT {OF_TYPES} FROM system.jdbc.columns WHERE table_cat = 'memory' AND " \
        "table_name = 'every_type' ORDER BY ordinal_position"
    rows = ask(url, of_types)[1]
    ask(url, "DROP TABLE memory.default.every_type")
    store("types.json", dict(zip(TYPES, rows, strict=True)))
    statements = (FOLDER / "statements.sql").read_text().splitlines()
    statements = [line for line in statements if line and not line.startswith("--")]
    store("statements.json", {sql: ask(url, sql)[0] for sql in statements})


if __name__ == "__main__":
    main(sys.argv[1])
