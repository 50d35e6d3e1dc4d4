"""Writes DuckDB's answers to the statements of cases.txt into answers.jsonl: python3 make.py, with duckdb 2.0.

A line is a statement over t1 (40 rows full of NULLs and duplicates), t2 (5 rows) and t0 (none). After ` ||| ` stands
the statement that DuckDB is asked instead where its dialect differs (its `/` of integers is no integer, its functions
have other names); after ` !!! ` stands the error that Trino has and DuckDB has not.

The answers are an independent engine's: never correct one by hand, and never take one from Rowhouse.
"""

import datetime
import decimal
import json
import math
import pathlib

import duckdb

HERE = pathlib.Path(__file__).parent


def plain(value):
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return str(value)
    if isinstance(value, datetime.timedelta):
        return round(value.total_seconds() * 1000)
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, dict):
        return [plain(element) for element in value.values()]
    raise TypeError(f"{value!r}")


def main():
    connection = duckdb.connect()
    for file in sorted(HERE.glob("*.parquet")):
        connection.execute(f"create view {file.stem} as select * from '{file}'")
    with open(HERE / "answers.jsonl", "w") as out:
        for line in (HERE / "cases.txt").read_text().splitlines():
            if not line.strip() or line.startswith("--"):
                continue
            sql, _, error = line.partition(" !!! ")
            sql, _, asked = sql.partition(" ||| ")
            if error:
                case = {"sql": sql, "error": error}
            else:
                found = connection.execute(asked or sql).fetchall()
                case = {
                    "sql": sql,
                    "isOrdered": "order by" in sql.lower().rsplit(")", 1)[-1],
                    "rows": [[plain(value) for value in row] for row in found],
                }
            print(json.dumps(case, ensure_ascii=False), file=out)


main()
