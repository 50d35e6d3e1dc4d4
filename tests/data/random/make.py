"""Writes DuckDB's answers to random statements into `answers.json`: python3 make.py, with duckdb 2.0.

Seeds are gone through in order until there are enough statements. Left out are statements that DuckDB refuses, that give
many rows, or that DuckDB answers otherwise without its optimizer, and all but a few of those whose answers hold no value:
an empty answer cannot tell a wrong condition from a right one. The answers are an independent engine's: never correct one
by hand, and never take one from Rowhouse.
"""

import itertools
import json
import pathlib
import sys

import duckdb

from grammar import statement

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "answers"))
from make import value  # noqa: E402

STATEMENTS = 800
# Of those, how many may answer with no rows, or with NULLs alone.
WITHOUT_VALUES = 40
MAX_ROWS = 40
HERE = pathlib.Path(__file__).parent


def ask(connection, sql):
    return [[value(cell) for cell in row] for row in connection.execute(sql).fetchmany(MAX_ROWS + 1)]


def main():
    optimized, plain = duckdb.connect(), duckdb.connect()
    plain.execute("PRAGMA disable_optimizer")
    for file in (HERE.parent / "null_tables").glob("*.parquet"):
        for connection in (optimized, plain):
            connection.execute(f"CREATE TABLE {file.stem} AS FROM '{file}'")
    lines, without_values = [], 0
    for seed in itertools.count():
        if len(lines) == STATEMENTS:
            break
        sql = statement(seed)
        try:
            rows, again = ask(optimized, sql), ask(plain, sql)
        except duckdb.Error:
            continue
        if len(rows) > MAX_ROWS or sorted(map(str, rows)) != sorted(map(str, again)):
            continue
        if all(cell is None for row in rows for cell in row):
            if without_values == WITHOUT_VALUES:
                continue
            without_values += 1
        # Rows are compared in any order unless all of their columns are keys, as LIMIT has it here.
        case = {"sql": sql, "ordered": " LIMIT " in sql.rsplit(")", 1)[-1], "rows": rows}
        lines.append(json.dumps(case, ensure_ascii=False))
    (HERE / "answers.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{len(lines)} statements of {seed} seeds, {without_values} without a value")


main()
