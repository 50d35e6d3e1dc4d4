"""Reads results in every format with independent readers (pyarrow, DuckDB, polars, Python's own csv and json) and
compares each value with the one in JSON. Standard input: JSON {"results": [address, ...], "headers": {...}}; each
address answers GET with `format=` appended. Prints a line a result and reader; ends with status 1 at a difference.
"""

import base64
import csv
import datetime
import io
import json
import math
import os
import re
import struct
import sys
import tempfile
import urllib.request
from decimal import Decimal

import duckdb
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet


class Number(str):
    """A JSON number as it is spelled."""


def fetch(address, headers):
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        return answer.read()


def refuse(word):
    raise ValueError(f"{word} is not JSON")


def parse(text):
    return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=refuse)


# What a value of a type must be, from the JSON value to something that readers' values can be made to equal.

def wanted(value, signature):
    raw = signature["rawType"]
    if value is None:
        return None
    if raw == "interval year to month":
        # Files have months, JSON has years and months.
        sign, years, rest = re.fullmatch(r"(-?)(\d+)-(\d+)", value).groups()
        return int(sign + "1") * (int(years) * 12 + int(rest))
    if raw in ("tinyint", "smallint", "integer", "bigint"):
        return int(value)
    if raw in ("real", "double"):
        number = float(value) if isinstance(value, Number) else {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}[value]
        return bits(number, raw)
    if raw == "decimal":
        assert "e" not in value.lower(), value
        assert max(0, -Decimal(value).as_tuple().exponent) == signature["arguments"][1]["value"], value
        return Decimal(value)
    if raw == "varbinary":
        return base64.b64decode(value, validate=True)
    if raw == "array":
        element = signature["arguments"][0]["value"]
        return [wanted(item, element) for item in value]
    if raw == "row":
        fields = [argument["value"] for argument in signature["arguments"]]
        assert len(value) == len(fields), (value, fields)
        return [wanted(item, field["typeSignature"]) for item, field in zip(value.values(), fields)]
    return value


def bits(number, raw):
    if math.isnan(number):
        return "NaN"
    return struct.pack("<f" if raw == "real" else "<d", number)


def clock(units, per_second, digits):
    seconds, fraction = divmod(units, per_second)
    fraction = fraction * 1_000_000_000 // per_second
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return text + ("." + f"{fraction:09}"[:digits] if digits else "")


def moment(units, per_second, digits, suffix=""):
    days, rest = divmod(units, 86_400 * per_second)
    date = datetime.date(1970, 1, 1) + datetime.timedelta(days=days)
    return f"{date.isoformat()}T{clock(rest, per_second, digits)}{suffix}"


def interval(millis):
    sign, magnitude = ("-", -millis) if millis < 0 else ("", millis)
    days, rest = divmod(magnitude, 86_400_000)
    return f"{sign}{days} {clock(rest, 1000, 3)}"


PER_SECOND = {"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}


def precision(signature):
    """Digits of a second that JSON shows: 6 or 9 of a time, the next of 0, 3, 6 and 9 of a timestamp."""
    numbers = [argument["value"] for argument in signature["arguments"] if argument["kind"] == "LONG"]
    digits = numbers[0] if numbers else 6
    return max(6, -(-digits // 3) * 3) if signature["rawType"] == "time" else -(-digits // 3) * 3


# An Arrow array as such values: only pyarrow's own meaning of the file is used.

def from_arrow(array, signature):
    if isinstance(array, pyarrow.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pyarrow.ChunkedArray):
            return [value for chunk in array.chunks for value in from_arrow(chunk, signature)]
    raw, kind = signature["rawType"], array.type
    check_arrow_type(kind, signature)
    if pyarrow.types.is_timestamp(kind):
        per_second = PER_SECOND[kind.unit]
        zoned = kind.tz is not None
        units = array.cast(pyarrow.timestamp(kind.unit)).cast(pyarrow.int64()).to_pylist()
        if zoned and kind.tz != "UTC":
            return [None if unit is None else ("moment", unit, per_second) for unit in units]
        return [None if unit is None else moment(unit, per_second, precision(signature), "Z" if zoned else "") for unit in units]
    if pyarrow.types.is_time(kind):
        wide = array if kind.bit_width == 64 else array.cast(pyarrow.time64("us"))
        per_second = PER_SECOND[wide.type.unit]
        digits = precision(signature)
        return [None if unit is None else clock(unit, per_second, digits) for unit in wide.cast(pyarrow.int64()).to_pylist()]
    if pyarrow.types.is_duration(kind):
        return [None if unit is None else interval(unit * 1000 // PER_SECOND[kind.unit]) for unit in array.cast(pyarrow.int64()).to_pylist()]
    if raw == "array":
        element = signature["arguments"][0]["value"]
        flat = from_arrow(array.flatten(), element)
        lists, start = [], 0
        for length in array.value_lengths().to_pylist():
            lists.append(None if length is None else flat[start:start + length])
            start += length or 0
        return lists
    if raw == "row":
        fields = [argument["value"] for argument in signature["arguments"]]
        columns = [from_arrow(part, field["typeSignature"]) for part, field in zip(array.flatten(), fields)]
        valid = array.is_valid().to_pylist()
        return [list(row) if there else None for row, there in zip(zip(*columns), valid)]
    return [plain(value, signature) for value in array.to_pylist()]


def check_arrow_type(kind, signature):
    """A type that holds its values, but under another name, is a difference too."""
    types = pyarrow.types
    tests = {
        "boolean": types.is_boolean, "tinyint": types.is_int8, "smallint": types.is_int16, "integer": types.is_int32,
        "bigint": types.is_int64, "real": types.is_float32, "double": types.is_float64, "date": types.is_date32,
        "varchar": lambda kind: types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind),
        "varbinary": lambda kind: types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind),
        "decimal": types.is_decimal128, "time": types.is_time, "timestamp": types.is_timestamp,
        "timestamp with time zone": lambda kind: types.is_timestamp(kind) and kind.tz is not None,
        "interval day to second": types.is_duration, "interval year to month": types.is_int32,
        # A NULL without a type is written as text.
        "unknown": lambda kind: types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind),
        "array": lambda kind: types.is_list(kind) or types.is_large_list(kind), "row": types.is_struct,
    }
    assert tests[signature["rawType"]](kind), f"{kind} stands for {signature['rawType']}"


def plain(value, signature):
    """A Python value of a reader as `wanted` gives it."""
    raw = signature["rawType"]
    if value is None:
        return None
    if raw in ("real", "double"):
        return bits(value, raw)
    if raw == "date":
        return value.isoformat()
    if raw == "varbinary":
        return bytes(value)
    if raw == "interval day to second":
        return interval(value if isinstance(value, int) else round(value / datetime.timedelta(milliseconds=1)))
    if raw == "time":
        return value.isoformat(timespec="microseconds")
    if raw == "array":
        return [plain(item, signature["arguments"][0]["value"]) for item in value]
    if raw == "row":
        fields = [argument["value"] for argument in signature["arguments"]]
        items = value.values() if isinstance(value, dict) else value
        return [plain(item, field["typeSignature"]) for item, field in zip(items, fields)]
    return value


def json_text(value, signature):
    """What JSON says of a zoned value whose zone is not UTC, as the moment that Arrow keeps."""
    text = value
    base, offset = (text[:-1], "+00:00") if text.endswith("Z") else (text[:-6], text[-6:])
    date, time = base.split("T")
    seconds, _, fraction = time.partition(".")
    days = (datetime.date.fromisoformat(date) - datetime.date(1970, 1, 1)).days
    hours, minutes, whole = map(int, seconds.split(":"))
    sign = -1 if offset[0] == "-" else 1
    shift = sign * (int(offset[1:3]) * 60 + int(offset[4:6])) * 60
    units = (days * 86_400 + hours * 3600 + minutes * 60 + whole - shift) * 1_000_000_000 + int(f"{fraction:0<9}" or 0)
    return units


def equal(left, right, signature):
    if isinstance(right, tuple):
        return left is not None and json_text(left, signature) == right[1] * (1_000_000_000 // right[2])
    return left == right


# The readers. Each gives its column names, and its columns of values.

def with_arrow_stream(body, columns):
    table = pyarrow.ipc.open_stream(body).read_all()
    table.validate(full=True)
    return table.column_names, [from_arrow(table.column(index), column["typeSignature"]) for index, column in enumerate(columns)]


def with_pyarrow_parquet(body, columns):
    table = pyarrow.parquet.read_table(io.BytesIO(body))
    table.validate(full=True)
    return table.column_names, [from_arrow(table.column(index), column["typeSignature"]) for index, column in enumerate(columns)]


def polars_columns(frame, columns):
    values = []
    for series, column in zip(frame.get_columns(), columns):
        signature = column["typeSignature"]
        kind = series.dtype
        if isinstance(kind, polars.Datetime):
            per_second = PER_SECOND[kind.time_unit]
            digits, zone = precision(signature), kind.time_zone
            units = series.to_physical().to_list()
            if zone not in (None, "UTC"):
                values.append([None if unit is None else ("moment", unit, per_second) for unit in units])
            else:
                suffix = "Z" if zone else ""
                values.append([None if unit is None else moment(unit, per_second, digits, suffix) for unit in units])
        elif isinstance(kind, polars.Time):
            values.append([None if unit is None else clock(unit, 1_000_000_000, precision(signature)) for unit in series.to_physical().to_list()])
        else:
            values.append([plain(value, signature) for value in series.to_list()])
    return values


def with_polars_parquet(body, columns):
    frame = polars.read_parquet(io.BytesIO(body))
    return frame.columns, polars_columns(frame, columns)


def with_polars_stream(body, columns):
    frame = polars.read_ipc_stream(io.BytesIO(body))
    return frame.columns, polars_columns(frame, columns)


def with_duckdb_parquet(body, columns):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.parquet")
        with open(path, "wb") as file:
            file.write(body)
        connection = duckdb.connect()
        connection.execute("SET TimeZone = 'UTC'")
        relation = connection.sql(f"SELECT * FROM read_parquet('{path}')")
        names = relation.columns
        values = []
        for place, (name, kind, column) in enumerate(zip(names, relation.types, columns)):
            quoted = '"' + name.replace('"', '""') + '"'
            signature = column["typeSignature"]
            kind = str(kind)
            if kind.startswith("TIMESTAMP"):
                function, per_second = ("epoch_ns", 1_000_000_000) if kind == "TIMESTAMP_NS" else ("epoch_us", 1_000_000)
                units = [row[0] for row in connection.sql(f"SELECT {function}({quoted}) FROM read_parquet('{path}')").fetchall()]
                if signature["rawType"] == "timestamp":
                    digits = precision(signature)
                    values.append([None if unit is None else moment(unit, per_second, digits) for unit in units])
                else:
                    values.append([None if unit is None else ("moment", unit, per_second) for unit in units])
                continue
            rows = connection.sql(f"SELECT {quoted} FROM read_parquet('{path}')").fetchall()
            values.append([plain(row[0], signature) for row in rows])
        return names, values


def with_python_csv(body, columns):
    text = body.decode("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    check_line_ends(text)
    # NULL alone in its row is an empty line, which this reader gives as a row without fields.
    rows = [row or [""] for row in rows]
    return rows[0], [list(column) for column in zip(*rows[1:])] or [[] for _ in columns]


def check_line_ends(text):
    """Outside quotes a line ends with CRLF and nothing else, and the text ends with one (RFC 4180, 2.1 and 2.2)."""
    outside = "".join(text.split('"')[::2])
    assert outside.endswith("\r\n"), "the text does not end with CRLF"
    bare = outside.replace("\r\n", "")
    assert "\r" not in bare and "\n" not in bare, "a line end that is not CRLF"


def with_duckdb_csv(body, columns):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        with open(path, "wb") as file:
            file.write(body)
        options = "header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"', new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false, auto_detect = false"
        named = ", ".join(f"'c{index}': 'VARCHAR'" for index in range(len(columns)))
        rows = duckdb.connect().sql(f"SELECT * FROM read_csv('{path}', {options}, columns = {{{named}}})").fetchall()
        return None, [list(column) for column in zip(*rows)] or [[] for _ in columns]


def csv_field(value, column):
    """A JSON value as its CSV field."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def check(reader, names, values, columns, rows, expected_names):
    if names is not None:
        assert list(names) == expected_names, f"{reader}: the columns are {names}, expected {expected_names}"
    assert len(values) == len(columns), f"{reader}: {len(values)} columns of {len(columns)}"
    for index, column in enumerate(columns):
        signature = column["typeSignature"]
        expected = [row[index] for row in rows]
        assert len(values[index]) == len(rows), f"{reader}: {len(values[index])} rows of {len(rows)} in {column['name']}"
        for number, (left, right) in enumerate(zip(expected, values[index])):
            if reader.endswith("csv"):
                left = csv_field(left, column)
                if reader == "python csv":
                    left = "" if left is None else left
                if isinstance(left, (list, dict)):
                    left, right = left, None if right is None else parse(right)
                same = left == right
            else:
                left = wanted(left, signature)
                # The last of the 64-bit nanoseconds is DuckDB's "infinity", which it does not count.
                is_infinity = reader.startswith("duckdb") and left == "2262-04-11T23:47:16.854775807" and right is None
                same = is_infinity or equal(left, right, signature)
            assert same, f"{reader}: {column['name']} {column['type']}, row {number}: {right!r}, in JSON {left!r}"
    print(f"{reader}: {len(rows)} rows of {len(columns)} columns are the same")


def unique(names):
    taken, given = [], set(names)
    for name in names:
        candidate, suffix = name, 0
        while candidate in taken or (suffix > 0 and candidate in given):
            suffix += 1
            candidate = f"{name}_{suffix}"
        taken.append(candidate)
    return taken


def main():
    task = json.load(sys.stdin)
    for address in task["results"]:
        get = lambda tail: fetch(address + tail, task["headers"])
        answer = parse(get("&format=json").decode("utf-8"))
        rows, columns = answer["result"], json.loads(get("&format=json&limit=0"))["columns"]
        names = [column["name"] for column in columns]
        keys = unique(names)
        objects = parse(get("&format=json&shape=objects").decode("utf-8"))["result"]
        assert [list(row) for row in objects] == [keys] * len(rows), "keys of the objects"
        assert [list(row.values()) for row in objects] == rows, "values of the objects"
        lines = get("&format=ndjson").decode("utf-8").split("\n")
        assert lines.pop() == "" and [parse(line) for line in lines] == rows, "NDJSON"
        print(f"python json: {len(rows)} rows of {len(columns)} columns are the same")
        stream, parquet, text = get("&format=arrow"), get("&format=parquet"), get("&format=csv")
        check("pyarrow stream", *with_arrow_stream(stream, columns), columns, rows, names)
        if len(set(names)) == len(names):
            check("polars stream", *with_polars_stream(stream, columns), columns, rows, names)
        check("pyarrow parquet", *with_pyarrow_parquet(parquet, columns), columns, rows, keys)
        check("polars parquet", *with_polars_parquet(parquet, columns), columns, rows, keys)
        # DuckDB takes names that differ in letter case only for equal, and renames.
        if len({key.lower() for key in keys}) == len(keys):
            check("duckdb parquet", *with_duckdb_parquet(parquet, columns), columns, rows, keys)
        check("python csv", *with_python_csv(text, columns), columns, rows, names)
        check("duckdb csv", *with_duckdb_csv(text, columns), columns, rows, names)


if __name__ == "__main__":
    main()
