"""Writes DuckDB's answers to the statements of `*.sql` into `*.json`: python3 make.py FOLDER, with duckdb 2.0.

FOLDER holds the eight TPC-H tables at scale 0.01 as Parquet, made by `tpchgen-cli parquet -s 0.01` (2.x), the
same generator as the sample catalog's. Statements are separated by a line `;`; the queries of TPC-H are taken
from `../tpch`. Above a statement may stand

    -- duckdb: SQL      the statement as DuckDB spells it, where it differs (on one line)
    -- refused: REASON  Rowhouse is known to refuse it; the answer is stored all the same

The answers are an independent engine's: never correct one by hand, and never take one from Rowhouse.
"""

import datetime
import decimal
import json
import math
import pathlib
import sys

import duckdb

MAX_ROWS = 1000
TABLES = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]


def value(found):
    if isinstance(found, decimal.Decimal):
        return float(found) if found % 1 else int(found)
    if isinstance(found, float):
        return found if math.isfinite(found) else {math.inf: "Infinity", -math.inf: "-Infinity"}.get(found, "NaN")
    if isinstance(found, datetime.datetime):
        return found.isoformat(timespec="microseconds")
    if isinstance(found, (datetime.date, datetime.time)):
        return found.isoformat()
    if isinstance(found, (list, tuple)):
        return [value(item) for item in found]
    if isinstance(found, dict):
        return {key: value(item) for key, item in found.items()}
    assert found is None or isinstance(found, (bool, int, str)), found
    return found


def is_ordered(sql):
    depth, place, lowered = 0, -1, sql.lower()
    for index, character in enumerate(sql):
        depth += (character == "(") - (character == ")")
        if depth == 0 and lowered.startswith("order by", index):
            place = index
    return place >= 0


def case(connection, text):
    lines, directives = [], {}
    for line in text.strip().splitlines():
        name, _, rest = line.removeprefix("-- ").partition(": ")
        if line.startswith("-- ") and name in ("duckdb", "refused"):
            directives[name] = rest
        else:
            lines.append(line)
    sql = "\n".join(lines)
    try:
        found = connection.execute(directives.get("duckdb", sql))
        doubles = [index for index, column in enumerate(found.description) if str(column[1]) == "DOUBLE"]
        rows = found.fetchall()
    except Exception as error:
        raise SystemExit(f"{sql}\n{error}")
    assert len(rows) <= MAX_ROWS, f"{len(rows)} rows are too many to store: {sql}"
    answer = {"sql": sql, "ordered": is_ordered(sql), "rows": [[value(item) for item in row] for row in rows]}
    if doubles:
        answer["doubles"] = doubles
    if "refused" in directives:
        answer["refused"] = directives["refused"]
    return answer


def main():
    connection = duckdb.connect()
    connection.execute("ATTACH ':memory:' AS tpch")
    connection.execute("CREATE SCHEMA tpch.tiny")
    for table in TABLES:
        connection.execute(f"CREATE TABLE tpch.tiny.{table} AS SELECT * FROM '{sys.argv[1]}/{table}.parquet'")
    folder = pathlib.Path(__file__).parent
    for path in sorted(folder.glob("*.sql")):
        texts = [text for text in path.read_text().split("\n;\n") if text.strip()]
        write(connection, path.with_suffix(".json"), texts)
    queries = sorted(folder.glob("../tpch/q*.sql"))
    connection.execute("USE tpch.tiny")
    write(connection, folder / "tpch.json", [query.read_text().strip().rstrip(";") for query in queries])


def write(connection, path, texts):
    answers = [case(connection, text) for text in texts]
    body = ",\n".join(json.dumps(answer, ensure_ascii=False) for answer in answers)
    path.write_text(f"[\n{body}\n]\n")
    print(f"{path.name}: {len(answers)}")


if __name__ == "__main__":
    main()
