"""What libraries over the Trino client show of a server: SQLAlchemy's dialect, Ibis and dbt, each by its own functions.

Argument: `sqlalchemy`, `ibis` or `dbt`. Standard input: {"host", "port", "user", "token"?, "catalog", "schema"}, the schema
with the table `tpch.tiny.nation` as the view or table `names`. Standard output: a transcript as JSON, the same for every
server that speaks the protocol."""

import json
import os
import sys
import tempfile

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
    return shown


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
        .agg(nations=table.count(), longest=table.n_name.length().max())
        .order_by("n_regionkey")
    )
    return {
        "catalog": connection.current_catalog,
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

        stdout = os.dup(1)
        os.dup2(2, 1)
        try:
            shown = {"debug": run("debug"), "list": run("list")}
            inline = "SELECT * FROM {{ ref('some_names') }} WHERE n_nationkey < 3 ORDER BY 1"
            rows = run("show", "--inline", inline).results[0].agate_table
            shown["show"] = [[str(value) for value in row.values()] for row in rows.rows]
            catalog = run("docs", "generate")
            shown["catalog"] = {
                name: {column.name: column.type for column in table.columns.values()}
                for name, table in sorted(catalog.sources.items())
            }
        finally:
            os.dup2(stdout, 1)
    return shown


def main():
    shown = {"sqlalchemy": of_sqlalchemy, "ibis": of_ibis, "dbt": of_dbt}[sys.argv[1]](json.load(sys.stdin))
    json.dump(shown, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
