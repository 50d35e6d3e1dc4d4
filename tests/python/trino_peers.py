"""What libraries over the Trino client show of a server: SQLAlchemy's dialect, Ibis, dbt and Superset, each by its own
functions.

Argument: `sqlalchemy`, `ibis`, `dbt` or `superset`. Standard input: {"host", "port", "user", "token"?, "catalog", "schema",
"slow", "setup"?}, the schema with three columns of `tpch.tiny.nation` as the table `names`, which `setup` makes; `slow` is a
statement to cancel. Standard output: a transcript as JSON, the same for every server that speaks the protocol."""

import json
import os
import sys
import tempfile
import threading
import time

os.environ.update(DBT_SEND_ANONYMOUS_USAGE_STATS="false", DO_NOT_TRACK="1")


def credential(task):
    return [("token", task["token"])] if task.get("token") else None


def of_sqlalchemy(task):
    """The functions of the dialect that tools such as Superset call."""
    import sqlalchemy
    from sqlalchemy.engine.url import URL
    from trino.sqlalchemy.dialect import TrinoDialect

    assert TrinoDialect.name == "trino"
    url = URL.create("trino", task["user"], None, task["host"], task["port"], f"{task['catalog']}/{task['schema']}")
    engine = sqlalchemy.create_engine(url, connect_args={"extra_credential": credential(task), "timezone": "UTC"})
    inspector = sqlalchemy.inspect(engine)
    schema = task["schema"]
    sample = dict(schema="tiny", catalog="tpch")
    shown = {
        "default schema": inspector.default_schema_name,
        "schemas": [name for name in inspector.get_schema_names() if name in (schema, "information_schema")],
        "tables": inspector.get_table_names(schema),
        "views": inspector.get_view_names(schema),
        "has table": [inspector.has_table(name, schema) for name in ("names", "nothing")],
        "columns": [
            [column["name"], str(column["type"]), column["nullable"], column["default"]]
            for column in inspector.get_columns("names", schema)
        ],
        "primary key": inspector.get_pk_constraint("names", schema),
        "foreign keys": inspector.get_foreign_keys("names", schema),
        "indexes": inspector.get_indexes("names", schema),
        "comment": inspector.get_table_comment("names", schema),
    }
    try:
        inspector.get_columns("nothing", schema)
    except sqlalchemy.exc.NoSuchTableError as error:
        shown["no such table"] = str(error)
    with engine.connect() as connection:
        text = sqlalchemy.text("SELECT n_name, :number + 1 FROM names WHERE n_nationkey = :key AND n_name <> :no")
        shown["bound"] = [list(row) for row in connection.execute(text, dict(number=1, key=7, no="it's ?"))]
        table = sqlalchemy.Table("names", sqlalchemy.MetaData(), schema=schema, autoload_with=engine)
        keys = table.c.n_nationkey
        statement = (
            sqlalchemy.select(table.c.n_name, sqlalchemy.func.length(table.c.n_name))
            .where(keys.in_([1, 2, 3]), table.c.n_name.like("%A%"))
            .order_by(keys.desc())
            .limit(2)
        )
        shown["of a table"] = [list(row) for row in connection.execute(statement)]
        region = sqlalchemy.Table(
            "region", sqlalchemy.MetaData(), schema=sample["schema"], trino_catalog="tpch", autoload_with=None
        )
        region.append_column(sqlalchemy.Column("r_name", sqlalchemy.String))
        statement = sqlalchemy.select(sqlalchemy.func.count(region.c.r_name.distinct()))
        shown["of another catalog"] = connection.execute(statement).scalar()
    raw = engine.raw_connection()
    shown["canceled"] = canceled(raw.cursor(), task["slow"])
    return shown


def canceled(cursor, sql):
    """What becomes of a statement that another thread cancels as it runs."""
    seen = []
    running = threading.Thread(target=lambda: seen.append(refusal(lambda: (cursor.execute(sql), cursor.fetchall()))))
    running.start()
    wait_until(lambda: cursor.query_id is not None)
    cursor.cancel()
    running.join(60)
    return seen


def wait_until(holds):
    for _ in range(600):
        try:
            if holds():
                return
        except AttributeError:
            # Its statement is not there yet.
            pass
        time.sleep(0.1)
    raise AssertionError("it does not come about within a minute")


def of_ibis(task):
    import ibis

    connection = ibis.trino.connect(
        host=task["host"],
        port=task["port"],
        user=task["user"],
        database=task["catalog"],
        schema=task["schema"],
        extra_credential=credential(task),
        timezone="UTC",
    )
    table = connection.table("names")
    expression = (
        table.filter(table.n_regionkey > 1)
        .group_by("n_regionkey")
        .agg(nations=lambda rows: rows.count(), longest=lambda rows: rows.n_name.length().max())
        .order_by("n_regionkey")
    )
    return {
        "catalog": connection.current_catalog == task["catalog"],
        "database": connection.current_database,
        "databases": [name for name in connection.list_databases() if name == task["schema"]],
        "has tpch": "tpch" in connection.list_catalogs(),
        "tables": connection.list_tables(),
        "like": connection.list_tables(like="nam"),
        "elsewhere": connection.list_tables(database=("tpch", "tiny")),
        "schema": {name: str(kind) for name, kind in table.schema().items()},
        "rows": connection.to_pandas(expression).values.tolist(),
        "sql": connection.sql("SELECT max(n_name) AS m FROM names").to_pandas()["m"].tolist(),
        "no such table": refusal(lambda: connection.table("nothing")),
    }


def refusal(act):
    try:
        act()
    except Exception as error:
        return type(error).__name__
    return None


def of_dbt(task):
    """`debug`, `list`, `show` and `docs generate` of a project whose source is the schema."""
    from dbt.cli.main import dbtRunner

    target = dict(
        type="trino", method="none", user=task["user"], host=task["host"], port=task["port"],
        database=task["catalog"], schema=task["schema"], threads=1, timezone="UTC",
    )
    if task.get("token"):
        # What dbt calls http_headers goes with every request.
        target["http_headers"] = {"X-Trino-Extra-Credential": f"token={task['token']}"}
    files = {
        "dbt_project.yml": {"name": "peer", "version": "1.0", "config-version": 2, "profile": "peer"},
        "profiles.yml": {"peer": {"target": "it", "outputs": {"it": target}}},
        "models/sources.yml": {"version": 2, "sources": [
            {"name": "lake", "database": task["catalog"], "schema": task["schema"], "tables": [{"name": "names"}]},
        ]},
    }
    model = "{{ config(materialized='ephemeral') }} SELECT n_nationkey, n_name FROM {{ source('lake', 'names') }}"
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w") as file:
                json.dump(content, file)
        with open(os.path.join(folder, "models", "some_names.sql"), "w") as file:
            file.write(model)

        def run(*arguments):
            outcome = dbtRunner().invoke(
                [*arguments, "--quiet", "--project-dir", folder, "--profiles-dir", folder]
            )
            assert outcome.success, f"dbt {arguments}: {outcome.exception or outcome.result}"
            return outcome.result

        shown = {"debug": run("debug"), "list": run("list")}
        inline = "SELECT * FROM {{ ref('some_names') }} WHERE n_nationkey < 3 ORDER BY 1"
        rows = run("show", "--inline", inline).results[0].agate_table
        shown["show"] = [[str(value) for value in row.values()] for row in rows.rows]
        catalog = run("docs", "generate")
        shown["adapter"] = of_adapter(task)
        shown["catalog"] = {
            name: {column.name: column.type for column in table.columns.values()}
            for name, table in sorted(catalog.sources.items())
        }
    return shown


def of_adapter(task):
    """What macros of a project call: relations, columns, a statement, a cancel."""
    from dbt.adapters.factory import get_adapter_by_type

    adapter = get_adapter_by_type("trino")
    seen = []

    def run_slowly():
        with adapter.connection_named("slow"):
            seen.append(refusal(lambda: adapter.execute(task["slow"], fetch=True)))

    with adapter.connection_named("peer"):
        relations = adapter.list_relations(task["catalog"], task["schema"])
        names = next(relation for relation in relations if relation.identifier == "names")
        _, table = adapter.execute("SELECT max(n_name) AS name FROM names", fetch=True)
        shown = {
            "schemas": task["schema"] in adapter.list_schemas(task["catalog"]),
            "relations": [[relation.identifier, str(relation.type)] for relation in relations],
            "columns": [[column.name, column.data_type] for column in adapter.get_columns_in_relation(names)],
            "rows": [list(row.values()) for row in table.rows],
        }
        slow = threading.Thread(target=run_slowly)
        slow.start()
        wait_until(lambda: any(
            connection.name == "slow" and connection.handle.handle and connection.handle._cursor.query_id
            for connection in adapter.connections.thread_connections.values()
        ))
        adapter.cancel_open_connections()
        slow.join(60)
        return {**shown, "canceled": seen}


def of_superset(task):
    """The functions of its engine's description that SQL Lab calls."""
    settings = """
SECRET_KEY = "for a test"
SQLALCHEMY_DATABASE_URI = "sqlite://"
FILTER_STATE_CACHE_CONFIG = EXPLORE_FORM_DATA_CACHE_CONFIG = {"CACHE_TYPE": "NullCache"}
"""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(settings)
        file.flush()
        os.environ["SUPERSET_CONFIG_PATH"] = file.name
        from superset.app import create_app

        app = create_app()
    with app.app_context():
        from superset.db_engine_specs.trino import TrinoEngineSpec
        from superset.models.core import Database
        from superset.sql.parse import Table

        database = Database(
            database_name="peer",
            sqlalchemy_uri=f"trino://{task['user']}@{task['host']}:{task['port']}/{task['catalog']}",
            extra=json.dumps({"engine_params": {"connect_args": {"extra_credential": credential(task)}}}),
        )
        names = Table("names", task["schema"], task["catalog"])

        def names_in(listed):
            return [name for name, *_ in listed(task["catalog"], task["schema"])]

        shown = {
            "catalog": database.get_default_catalog() == task["catalog"],
            "catalogs": "tpch" in database.get_all_catalog_names(),
            "schemas": task["schema"] in database.get_all_schema_names(catalog=task["catalog"]),
            "tables": sorted(names_in(database.get_all_table_names_in_schema)),
            "views": sorted(names_in(database.get_all_view_names_in_schema)),
            "columns": [[column["column_name"], str(column["type"])] for column in database.get_columns(names)],
            "rows": database.get_df(
                "SELECT n_name FROM names WHERE n_nationkey < 3 ORDER BY 1", task["catalog"], task["schema"]
            ).values.tolist(),
        }
        with database.get_raw_connection(catalog=task["catalog"], schema=task["schema"]) as connection:
            cursor, seen = connection.cursor(), []
            running = threading.Thread(
                target=lambda: seen.append(refusal(lambda: (cursor.execute(task["slow"]), cursor.fetchall())))
            )
            running.start()
            wait_until(lambda: cursor.query_id is not None)
            other = connection.cursor()
            shown["is canceled"] = TrinoEngineSpec.cancel_query(other, None, cursor.query_id)
            running.join(60)
            shown["canceled"] = seen
        return shown


def prepare(task):
    """Makes the tables, where the server has none yet."""
    import trino

    connection = trino.dbapi.connect(host=task["host"], port=task["port"], user=task["user"])
    for sql in task.get("setup", []):
        connection.cursor().execute(sql).fetchall()


def main():
    task = json.load(sys.stdin)
    prepare(task)
    peers = {"sqlalchemy": of_sqlalchemy, "ibis": of_ibis, "dbt": of_dbt, "superset": of_superset}
    # Some of them print.
    stdout = os.dup(1)
    os.dup2(2, 1)
    shown = peers[sys.argv[1]](task)
    with os.fdopen(stdout, "w") as output:
        json.dump(shown, output, indent=1)


if __name__ == "__main__":
    main()
