"""What the published Python client of Trino shows of statements: the same for every server that speaks its protocol.

Standard input: {"host", "port", "user", "token"?, "statements": [{"sql", "parameters"?}, …]}. Standard output: a transcript
as JSON, one entry a statement."""

import datetime
import decimal
import json
import sys

import trino


def shown(value):
    """A value with its Python type, so that 1 and 1.0 and '1' differ."""
    if isinstance(value, (list, tuple)):
        return [shown(part) for part in value]
    if isinstance(value, dict):
        return {str(key): shown(part) for key, part in value.items()}
    return f"{type(value).__name__} {value!r}"


def parameter(value):
    """`{"decimal": "1.5"}` and the like, for types that JSON does not have."""
    if not isinstance(value, dict):
        return value
    ((kind, text),) = value.items()
    return {
        "decimal": decimal.Decimal,
        "date": datetime.date.fromisoformat,
        "time": datetime.time.fromisoformat,
        "timestamp": datetime.datetime.fromisoformat,
        "bytes": bytes.fromhex,
    }[kind](text)


def run(connection, statement):
    cursor = connection.cursor()
    try:
        parameters = [parameter(value) for value in statement.get("parameters", [])]
        cursor.execute(statement["sql"], parameters or None)
        rows = cursor.fetchall()
    except trino.exceptions.TrinoQueryError as error:
        return {"error": error.error_name, "code": error.error_code, "kind": error.error_type}
    columns = [[column[0], column[1]] for column in cursor.description or []]
    return {"columns": columns, "rows": [shown(row) for row in rows]}


def main():
    task = json.load(sys.stdin)
    credential = [("token", task["token"])] if task.get("token") else None
    connection = trino.dbapi.connect(
        host=task["host"],
        port=task["port"],
        user=task["user"],
        catalog=task.get("catalog"),
        schema=task.get("schema"),
        extra_credential=credential,
        timezone="UTC",
    )
    json.dump([run(connection, statement) for statement in task["statements"]], sys.stdout)


if __name__ == "__main__":
    main()
