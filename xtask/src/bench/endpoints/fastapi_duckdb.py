"""The peer of `cargo xtask bench endpoint`: DuckDB behind FastAPI and uvicorn, in two worker processes.

python fastapi_duckdb.py FOLDER: serves on a free port of 127.0.0.1 and prints its address. `/groups?n=3` sums the rows of
FOLDER/lineitem.parquet in four groups, `/number?n=3` selects a number. Each worker has a connection of its own; answers are
made on FastAPI's threads, as its documentation has it for libraries that block. Nothing is kept of an answer.
"""

import os
import pathlib
import socket
import sys

import duckdb
import fastapi
import uvicorn

WORKERS = 2
FOLDER = "ROWHOUSE_BENCH_FOLDER"
GROUPS = """
    SELECT l_returnflag, l_linestatus, CAST(sum(l_quantity) AS DOUBLE) AS quantity, count(*) AS n
    FROM lineitem WHERE l_linenumber <> $n GROUP BY l_returnflag, l_linestatus
"""


def make():
    """The application of one worker process."""
    connection = duckdb.connect()
    file = pathlib.Path(os.environ[FOLDER]) / "lineitem.parquet"
    connection.execute(f"CREATE VIEW lineitem AS FROM '{file}'")
    app = fastapi.FastAPI()

    def rows(sql, n):
        found = connection.cursor().execute(sql, {"n": n})
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    @app.get("/groups")
    def groups(n: int):
        return rows(GROUPS, n)

    @app.get("/number")
    def number(n: int):
        return rows("SELECT $n AS a", n)

    return app


def main():
    os.environ[FOLDER] = sys.argv[1]
    # Workers are processes of their own, which import this file by its name.
    os.environ["PYTHONPATH"] = str(pathlib.Path(__file__).parent)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        host, port = listener.getsockname()
    versions = f"FastAPI {fastapi.__version__}, uvicorn {uvicorn.__version__}, DuckDB {duckdb.__version__}"
    print(f"{versions} http://{host}:{port}/", flush=True)
    uvicorn.run(
        "fastapi_duckdb:make",
        factory=True,
        host=host,
        port=port,
        workers=WORKERS,
        log_level="warning",
        access_log=False,
    )


if __name__ == "__main__":
    main()
