"""The peer of `cargo xtask bench tpch`, `tpcds` and `clickbench`: DuckDB over the same Parquet files, as one process that keeps its threads.

python3 duckdb.py FOLDER THREADS: a line of JSON with the version, then for each line on standard input, a statement
as a JSON string, one line `{"seconds": ..., "cpuSeconds": ..., "rows": [[...]]}`. Every statement runs in full; there
is no cache of results in DuckDB.
"""

import datetime
import decimal
import json
import math
import pathlib
import sys
import time

# A script's own folder comes first on the path, and this file is named like the package.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != pathlib.Path(__file__).parent]

import duckdb  # noqa: E402


def value(found):
    if isinstance(found, decimal.Decimal):
        return float(found)
    if isinstance(found, datetime.datetime):
        return found.isoformat(timespec="microseconds")
    if isinstance(found, datetime.date):
        return found.isoformat()
    if isinstance(found, float) and not math.isfinite(found):
        return str(found)
    return found


def main():
    folder, threads = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    for file in sorted(folder.glob("*.parquet")):
        connection.execute(f"CREATE VIEW {file.stem} AS FROM '{file}'")
    print(json.dumps({"version": duckdb.__version__}), flush=True)
    for line in sys.stdin:
        statement = json.loads(line)
        began, cpu_began = time.perf_counter(), time.process_time()
        rows = connection.execute(statement).fetchall()
        seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu_began
        rows = [[value(found) for found in row] for row in rows]
        print(json.dumps({"seconds": seconds, "cpuSeconds": cpu_seconds, "rows": rows}), flush=True)


main()
