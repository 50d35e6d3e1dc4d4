"""Makes the Parquet and Arrow files of this folder: python3 make.py, with pyarrow 26.

`types` has a column of every type and rows with ordinary values, extreme values and nothing but NULL.
`people` is what the tests of views filter. The files are small and are stored, so that tests need no Python.
"""

import datetime as dt
import decimal
import math

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet

UTC = dt.timezone.utc
D = decimal.Decimal

types = pa.schema([
    ("id", pa.int64()),
    ("c_boolean", pa.bool_()),
    ("c_tinyint", pa.int8()),
    ("c_smallint", pa.int16()),
    ("c_integer", pa.int32()),
    ("c_bigint", pa.int64()),
    ("c_real", pa.float32()),
    ("c_double", pa.float64()),
    ("c_decimal", pa.decimal128(18, 4)),
    ("c_big_decimal", pa.decimal128(38, 10)),
    ("c_varchar", pa.string()),
    ("c_varbinary", pa.binary()),
    ("c_date", pa.date32()),
    ("c_time", pa.time64("us")),
    ("c_timestamp_3", pa.timestamp("ms")),
    ("c_timestamp_6", pa.timestamp("us")),
    ("c_timestamp_9", pa.timestamp("ns")),
    ("c_zoned_3", pa.timestamp("ms", tz="UTC")),
    ("c_zoned_6", pa.timestamp("us", tz="UTC")),
    ("c_array", pa.list_(pa.int64())),
    ("c_texts", pa.list_(pa.string())),
    ("c_row", pa.struct([("x", pa.int64()), ("y", pa.string())])),
    ("c_nested", pa.list_(pa.struct([("k", pa.string()), ("v", pa.list_(pa.float64()))]))),
])

ordinary = [
    1, True, 7, -300, 70_000, 5_000_000_000, 1.5, 0.1, D("12.3400"), D("1.0000000001"), 'a "quoted"\ttext, ünïcode \U0001F3E0\\',
    b"\x00\xff\x10", dt.date(2024, 2, 29), dt.time(12, 34, 56, 789012),
    dt.datetime(2024, 2, 29, 12, 34, 56, 789000), dt.datetime(2024, 2, 29, 12, 34, 56, 789012),
    1_709_210_096_789_012_345, dt.datetime(2024, 2, 29, 12, 34, 56, 789000, UTC),
    dt.datetime(2024, 2, 29, 12, 34, 56, 789012, UTC), [1, None, 3], ["a", "b\n"], {"x": 1, "y": "z"},
    [{"k": "a", "v": [0.5, None]}, {"k": None, "v": []}, None],
]
least = [
    2, False, -(2**7), -(2**15), -(2**31), -(2**63), -math.inf, -math.inf, D("-99999999999999.9999"),
    D("-9999999999999999999999999999.9999999999"), "", b"", dt.date(1, 1, 1), dt.time(0, 0, 0, 1),
    dt.datetime(1969, 12, 31, 23, 59, 59, 999000), dt.datetime(1, 1, 1, 0, 0, 0, 1), -1,
    dt.datetime(1969, 12, 31, 23, 59, 59, 999000, UTC), dt.datetime(1, 1, 1, 0, 0, 0, 1, UTC), [], [None],
    {"x": None, "y": None}, [],
]
greatest = [
    3, True, 2**7 - 1, 2**15 - 1, 2**31 - 1, 2**63 - 1, math.inf, math.inf, D("99999999999999.9999"),
    D("9999999999999999999999999999.9999999999"), "\u0000\u001f\u007f\u2028</script>", bytes(range(256)), dt.date(9999, 12, 31),
    dt.time(23, 59, 59, 999999), dt.datetime(9999, 12, 31, 23, 59, 59, 999000),
    dt.datetime(9999, 12, 31, 23, 59, 59, 999999), 2**63 - 1, dt.datetime(9999, 12, 31, 23, 59, 59, 999000, UTC),
    dt.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC), [2**63 - 1], [""], {"x": 2**63 - 1, "y": ""}, [None],
]
special = [4] + [None] * (len(types) - 1)
special[6], special[7] = math.nan, math.nan
nothing = [5] + [None] * (len(types) - 1)

columns = list(zip(ordinary, least, greatest, special, nothing))
table = pa.table([pa.array(list(values), field.type) for values, field in zip(columns, types)], schema=types)
parquet.write_table(table, "types.parquet", compression="zstd", coerce_timestamps=None, version="2.6")
feather.write_feather(table, "types.arrow", compression="uncompressed")

people = pa.table({
    "id": pa.array(range(1, 9), pa.int64()),
    "name": ["Ann", "Bob", "a:b:c", "x,y", "Zoë 🏠", "100%", None, "null"],
    "score": pa.array([1.5, -2.0, math.nan, math.inf, 0.1, None, 3e10, 0.0], pa.float64()),
    "price": pa.array([D("1.10"), D("1.1"), D("-0.05"), D("99999999.99"), None, D("0.00"), D("2.50"), D("2.51")], pa.decimal128(10, 2)),
    "born": pa.array([dt.date(1999, 12, 31), dt.date(2000, 1, 1), dt.date(2000, 2, 29), None, dt.date(1970, 1, 1),
                      dt.date(1815, 12, 10), dt.date(2024, 1, 1), dt.date(2024, 1, 2)], pa.date32()),
    "seen": pa.array([dt.datetime(2024, 1, 1, 0, 0, 0, 1), dt.datetime(2024, 1, 1), dt.datetime(2023, 12, 31, 23, 59, 59, 999999),
                      None, dt.datetime(2024, 6, 1, 12, 30), dt.datetime(2024, 6, 1, 12, 30, 0, 500000),
                      dt.datetime(1969, 7, 20, 20, 17, 40), dt.datetime(2024, 6, 1, 12, 31)], pa.timestamp("us")),
    "wakes": pa.array([dt.time(6, 30), dt.time(6, 30, 0, 1), dt.time(23, 59, 59, 999999), None, dt.time(0), dt.time(12), dt.time(7), dt.time(8)], pa.time64("us")),
    "active": pa.array([True, False, None, True, False, True, None, False], pa.bool_()),
    "raw": pa.array([b"a", b"", None, b"\xff", b"b", b"c", b"d", b"e"], pa.binary()),
    "tags": pa.array([["a"], [], None, ["b", None], ["c"], ["d"], ["e"], ["f"]], pa.list_(pa.string())),
    "place": pa.array([{"x": 1}, {"x": None}, None, {"x": 4}, {"x": 5}, {"x": 6}, {"x": 7}, {"x": 8}], pa.struct([("x", pa.int64())])),
    "small": pa.array([-128, 127, 0, 1, None, 2, 3, 4], pa.int8()),
    "a:b": ["one", "two", "three", "four", "five", "six", "seven", "x:y"],
    "a": ["b", "EQ", "3", "4", "5", "b:EQ:x", "7", "8"],
    "Mixed": pa.array(range(11, 19), pa.int32()),
    "twin": pa.array(range(21, 29), pa.int32()),
    "TWIN": pa.array(range(31, 39), pa.int32()),
})
parquet.write_table(people, "people.parquet", compression="zstd")
