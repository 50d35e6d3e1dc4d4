"""The columns of `typed_files.py`: their types in files and in SQL, their values, and what they are compared with."""

import datetime
import math
import random
import struct
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import pyarrow as pa

ROWS_OF_GROUP = 10
ROWS = 6 * ROWS_OF_GROUP
SEED = ""
EPOCH = datetime.datetime(1970, 1, 1)


class Column:
    """`pool` has pairs of a value, as pyarrow takes it, and the same in SQL; values that are not in the rows are made of
    `absent`. `by_hand` is how `parquet_by_hand.py` writes a value."""

    def __init__(self, name, arrow_type, sql_type, pool, absent=(), in_parquet=True, filters=None, by_hand=None):
        self.name = name
        self.arrow_type = arrow_type
        self.sql_type = sql_type
        self.pool = dict_of(pool)
        self.absent = list(absent)
        self.is_in_parquet = in_parquet
        self.filters = filters
        self.by_hand = by_hand

    @cached_property
    def keys(self):
        return spread(self.name, list(self.pool))

    @cached_property
    def values(self):
        return [None if key is None else self.pool[key][0] for key in self.keys]

    def array(self):
        if pa.types.is_dictionary(self.arrow_type):
            return pa.array(self.values, self.arrow_type.value_type).dictionary_encode()
        return pa.array(self.values, self.arrow_type)

    def fits(self, way):
        """Whether a way of writing Parquet keeps the values."""
        if way == "integers":
            return self.name not in ("timestamp_ns", "zoned_ns")
        if way == "old":
            # INT96 has its own units, and version 1.0 no unsigned integers of 32 bits.
            return not self.name.startswith(("timestamp", "zoned", "uint", "time_ns", "float16"))
        if way == "without_schema":
            return self.name not in ("date64", "dictionary", "float16", "nothing", "zoned_tokyo") and not (
                self.name.startswith("duration")
            )
        return True

    def description(self):
        present = [key for key in self.pool if key in set(self.keys)]
        return {
            "type": self.sql_type,
            "values": self.keys,
            "present": present,
            "absent": [key for key in self.pool if key not in present] + self.absent,
            "filters": self.filters or {},
        }


def dict_of(pool):
    return {sql: (value, sql) for value, sql in pool}


def spread(name, keys):
    """Mixed, only NULL, all the same, ascending, without NULL, and one value among NULLs."""
    chance = random.Random(name + SEED)
    used = keys[: max(2, len(keys) - 2)]
    ascending = sorted(chance.choices(range(len(used)), k=ROWS_OF_GROUP))
    groups = [
        chance.choices([None, *used], k=ROWS_OF_GROUP),
        [None] * ROWS_OF_GROUP,
        [chance.choice(used)] * ROWS_OF_GROUP,
        [used[place] for place in ascending],
        chance.choices(used, k=ROWS_OF_GROUP),
        [used[0] if row % 4 == 1 else None for row in range(ROWS_OF_GROUP)],
    ]
    return [key for group in groups for key in group]


def integers(bits, signed):
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    middle = [-1, 0, 1, 7, 100] if signed else [0, 1, 7, 100, 200]
    return sorted({least, least + 1, most - 1, most, *middle, most // 2})


def integer_column(name, arrow_type, sql_type, bits, signed, **more):
    cast = "CAST({} AS " + sql_type + ")"
    if sql_type == "decimal(20,0)":
        cast = "CAST('{}' AS decimal(20,0))"
    if sql_type == "bigint":
        cast = "BIGINT '{}'"
    values = integers(bits, signed)
    pool = [(value, cast.format(value)) for value in values]
    filters = {cast.format(value): str(value) for value in values}
    return Column(name, arrow_type, sql_type, pool, absent=[cast.format(42)], filters=filters, **more)


def real(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


DOUBLES = [0.5, -0.0, 0.0, 1.0, -1.5, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan, 2.0, 3.0]
REALS = [0.5, -0.0, 0.0, 1.0, -1.5, real(1e30), real(-1e30), real(1e-45), math.inf, -math.inf, math.nan, real(0.1), 3.0]
HALVES = [0.5, -0.0, 0.0, 1.0, -1.5, 65504.0, -65504.0, math.inf, -math.inf, math.nan, 2.0, 3.0]


def special(value):
    if math.isnan(value):
        return "nan()"
    return "infinity()" if value > 0 else "-infinity()"



def double_sql(value):
    if not math.isfinite(value):
        return special(value)
    mantissa, exponent = f"{value:.17e}".split("e")
    return f"{mantissa}E{int(exponent)}"


def real_sql(value):
    if not math.isfinite(value):
        return f"CAST({special(value)} AS real)"
    return f"REAL '{value!r}'"


def number_text(value):
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")


def scaled(number, scale):
    """Whatever the digits: arithmetic would round them."""
    return Decimal((int(number < 0), tuple(map(int, str(abs(number)))), -scale))


def decimal_column(name, arrow_type, precision, scale, by_hand=None):
    most = 10**precision - 1
    whole = [0, 1, -1, most, -most, most // 2, -(most // 3), 10**scale, 12345 % (most + 1), most - 1]
    values = [scaled(number, scale) for number in dict.fromkeys(whole) if abs(number) <= most]
    sql = lambda value: f"CAST('{value:f}' AS decimal({precision},{scale}))"
    pool = [(value, sql(value)) for value in values]
    absent = [sql(scaled(most // 7, scale))] + (["DECIMAL '0.5'", "3"] if precision <= 20 else [])
    filters = {sql(value): f"{value:f}" for value in values}
    sql_type = f"decimal({precision},{scale})"
    return Column(name, arrow_type, sql_type, pool, absent=absent, filters=filters, by_hand=by_hand)


TEXTS = ["", "a", "ab", "abc", "abcdefghijklmnop", "abcdefghijklmnoq", "b", "B", "z" * 100, "ä", "äö", "😀", "a'b", "a%_b",
         "\u0000", "zz", "\uffff", "nothing like it"]


def text_sql(text):
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def text_column(name, arrow_type, **more):
    texts = [text for text in TEXTS if text != "\u0000"]
    pool = [(text, text_sql(text)) for text in texts]
    return Column(name, arrow_type, "varchar", pool, absent=[text_sql("abd"), text_sql("zzzz" * 60)],
                  filters={text_sql(text): text for text in texts}, **more)


BYTES = [b"", b"\0", b"\1", b"\x7f", b"\x80", b"\xff", b"\xff\xff", b"abc", b"abd", b"\xff" * 80, b"\x80\0", b"zz"]


def bytes_sql(value):
    return f"X'{value.hex()}'"


def bytes_column(name, arrow_type, values=BYTES, **more):
    pool = [(value, bytes_sql(value)) for value in values]
    return Column(name, arrow_type, "varbinary", pool, absent=[bytes_sql(b"nowhere")], **more)


DATES = [datetime.date(*parts) for parts in [
    (1970, 1, 1), (1969, 12, 31), (1970, 1, 2), (2024, 2, 29), (1582, 10, 4), (1900, 1, 1), (9999, 12, 31), (1, 1, 1),
    (2000, 1, 1), (2024, 3, 1)]]


def date_column(name, arrow_type, sql_type="date", **more):
    shown = lambda day: f"{day.year:04}-{day.month:02}-{day.day:02}"
    if sql_type == "date":
        sql = lambda day: f"DATE '{shown(day)}'"
    else:
        sql = lambda day: f"TIMESTAMP '{shown(day)} 00:00:00.000'"
    filters = {sql(day): shown(day) for day in DATES}
    absent = ["DATE '2024-02-28'", "TIMESTAMP '2024-02-29 00:00:00.001'"]
    return Column(name, arrow_type, sql_type, [(day, sql(day)) for day in DATES], absent=absent, filters=filters, **more)


def clock(nanos, digits):
    seconds, fraction = divmod(nanos, 10**9)
    shown = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return shown + (f".{fraction:09}"[: digits + 1] if digits else "")


def time_column(name, arrow_type, unit, **more):
    """`unit` is in nanoseconds."""
    day = 86_400 * 10**9
    nanos = [0, unit, day // 2, day // 2 - unit, day // 2 + unit, day - unit, 3600 * 10**9, 123_456_000 // unit * unit,
             13 * 3600 * 10**9, 7]
    nanos = sorted({number // unit * unit // 1000 * 1000 for number in nanos})
    sql = lambda number: f"TIME '{clock(number, 6)}'"
    pool = [(number // unit, sql(number)) for number in nanos]
    filters = {sql(number): clock(number, 6) for number in nanos}
    absent = ["TIME '12:34:56.000001'", "TIME '12:00:00'"]
    return Column(name, arrow_type, "time(6)", pool, absent=absent, filters=filters, **more)


def timestamp_column(name, arrow_type, sql_type, unit, digits, zone=None, **more):
    """`unit` is in nanoseconds; `zone` has a name, and hours that it is ahead of UTC in winter."""
    second = 10**9
    around = [0, -1, 1, 1_700_000_000, -1_700_000_000, 1_577_836_800, 946_684_800]
    nanos = {number * second for number in around}
    nanos |= {unit, -unit, 1_577_836_800 * second + unit, 1_577_836_800 * second + 123_456_789 // unit * unit, -1500_000_000}
    nanos = sorted(number // unit * unit for number in nanos)

    def shown(number, separator=" "):
        seconds, fraction = divmod(number, second)
        local = EPOCH + datetime.timedelta(seconds=seconds, hours=zone[1] if zone else 0)
        text = local.strftime(f"%Y-%m-%d{separator}%H:%M:%S")
        return text + f".{fraction:09}"[: digits + 1]

    sql = lambda number: f"TIMESTAMP '{shown(number)}{' ' + zone[0] if zone else ''}'"
    offset = "" if zone is None else f"{zone[1]:+03}:00"
    filters = {sql(number): shown(number, "T") + offset for number in nanos}
    absent = [sql(1_577_836_801 * second), sql(unit * 2)]
    if zone is None:
        absent += ["DATE '2020-01-01'", "TIMESTAMP '2020-01-01 00:00:00.0001'"]
    pool = [(number // unit, sql(number)) for number in nanos]
    return Column(name, arrow_type, sql_type, pool, absent=absent, filters=filters, **more)


def duration_column(name, arrow_type, units):
    """`units` in a millisecond."""
    def sql(millis):
        sign = "-" if millis < 0 else ""
        days, rest = divmod(abs(millis), 86_400_000)
        return f"INTERVAL '{sign}{days} {clock(rest * 10**6, 3)}' DAY TO SECOND"

    millis = [0, 1, -1, 1000, -1000, 86_400_000, -86_400_001, 123_456_789, 5]
    pool = [(number * units, sql(number)) for number in millis]
    pool = [(int(value), sql) for value, sql in pool if value == int(value)]
    return Column(name, arrow_type, "interval day to second", pool, absent=[sql(7)])


class NullColumn(Column):
    keys = [None] * ROWS


COLUMNS = [
    Column("boolean", pa.bool_(), "boolean", [(True, "true"), (False, "false")],
           filters={"true": "true", "false": "false"}, by_hand="boolean"),
    integer_column("int8", pa.int8(), "tinyint", 8, True),
    integer_column("int16", pa.int16(), "smallint", 16, True),
    integer_column("int32", pa.int32(), "integer", 32, True, by_hand="int32"),
    integer_column("int64", pa.int64(), "bigint", 64, True, by_hand="int64"),
    integer_column("uint8", pa.uint8(), "smallint", 8, False),
    integer_column("uint16", pa.uint16(), "integer", 16, False),
    integer_column("uint32", pa.uint32(), "bigint", 32, False, by_hand="uint32"),
    integer_column("uint64", pa.uint64(), "decimal(20,0)", 64, False, by_hand="uint64"),
    Column("float16", pa.float16(), "real", [(value, real_sql(value)) for value in HALVES],
           filters={real_sql(value): number_text(value) for value in HALVES}),
    Column("float32", pa.float32(), "real", [(value, real_sql(value)) for value in REALS], absent=["0.1E0"],
           filters={real_sql(value): number_text(value) for value in REALS}, by_hand="float"),
    Column("float64", pa.float64(), "double", [(value, double_sql(value)) for value in DOUBLES],
           absent=["0.75E0", "REAL '0.1'"],
           filters={double_sql(value): number_text(value) for value in DOUBLES}, by_hand="double"),
    decimal_column("decimal_5", pa.decimal128(5, 2), 5, 2, by_hand="decimal_bytes"),
    decimal_column("decimal_9", pa.decimal128(9, 0), 9, 0, by_hand="decimal_int32"),
    decimal_column("decimal_18", pa.decimal128(18, 4), 18, 4, by_hand="decimal_int64"),
    decimal_column("decimal_20", pa.decimal128(20, 10), 20, 10, by_hand="decimal_fixed"),
    decimal_column("decimal_38", pa.decimal128(38, 0), 38, 0, by_hand="decimal_bytes"),
    decimal_column("decimal_38_38", pa.decimal128(38, 38), 38, 38),
    decimal_column("decimal_32", pa.decimal32(7, 3), 7, 3),
    decimal_column("decimal_64", pa.decimal64(15, 2), 15, 2),
    text_column("text", pa.string(), by_hand="text"),
    text_column("large_text", pa.large_string()),
    text_column("dictionary", pa.dictionary(pa.int32(), pa.string())),
    bytes_column("binary", pa.binary(), by_hand="bytes"),
    bytes_column("large_binary", pa.large_binary()),
    bytes_column("fixed_binary", pa.binary(2), [b"\0\0", b"ab", b"\x7f\xff", b"\x80\0", b"\xff\xff", b"zz", b"aa"]),
    date_column("date32", pa.date32(), by_hand="date"),
    date_column("date64", pa.date64(), "timestamp(3)"),
    time_column("time_ms", pa.time32("ms"), 10**6, by_hand="time_millis"),
    time_column("time_us", pa.time64("us"), 10**3, by_hand="time_micros"),
    time_column("time_ns", pa.time64("ns"), 1, by_hand="time_nanos"),
    timestamp_column("timestamp_s", pa.timestamp("s"), "timestamp(3)", 10**9, 3),
    timestamp_column("timestamp_ms", pa.timestamp("ms"), "timestamp(3)", 10**6, 3, by_hand="timestamp_millis"),
    timestamp_column("timestamp_us", pa.timestamp("us"), "timestamp(6)", 10**3, 6, by_hand="timestamp_micros"),
    timestamp_column("timestamp_ns", pa.timestamp("ns"), "timestamp(9)", 1, 9, by_hand="timestamp_nanos"),
    timestamp_column("zoned_ms", pa.timestamp("ms", "UTC"), "timestamp(3) with time zone", 10**6, 3, ("UTC", 0)),
    timestamp_column("zoned_us", pa.timestamp("us", "UTC"), "timestamp(6) with time zone", 10**3, 6, ("UTC", 0)),
    timestamp_column("zoned_ns", pa.timestamp("ns", "UTC"), "timestamp(9) with time zone", 1, 9, ("UTC", 0)),
    timestamp_column("zoned_tokyo", pa.timestamp("us", "Asia/Tokyo"), "timestamp(6) with time zone", 10**3, 6,
                     ("Asia/Tokyo", 9)),
    duration_column("duration_s", pa.duration("s"), Fraction(1, 1000)),
    duration_column("duration_ms", pa.duration("ms"), 1),
    duration_column("duration_us", pa.duration("us"), 10**3),
    duration_column("duration_ns", pa.duration("ns"), 10**6),
    NullColumn("nothing", pa.null(), "varchar", [(None, "'x'"), (None, "'y'")]),
]


class TextFileColumn(Column):
    """`pool` has pairs of a field as it is written, and the same in SQL; `json_of` makes a JSON value of the field."""

    def __init__(self, name, sql_type, pool, json_of=None, absent=()):
        super().__init__(name, None, sql_type, pool, absent=absent)
        self.json_of = json_of

    @property
    def texts(self):
        return self.values

    @property
    def json(self):
        return [None if text is None else self.json_of(text) for text in self.texts]


TEXT_COLUMNS = [
    TextFileColumn("c_bigint", "bigint", [(str(value), f"BIGINT '{value}'") for value in integers(64, True)], int,
                     ["BIGINT '42'", "CAST(1 AS tinyint)"]),
    TextFileColumn("c_double", "double",
                     [(repr(value), double_sql(value)) for value in DOUBLES if math.isfinite(value)], float,
                     ["0.75E0", "1"]),
    TextFileColumn("c_boolean", "boolean", [("true", "true"), ("false", "false")], lambda text: text == "true"),
    TextFileColumn("c_date", "date", [(str(day), f"DATE '{day}'") for day in DATES if day.year > 1000],
                     absent=["DATE '2024-02-28'"]),
    TextFileColumn("c_timestamp", "timestamp(6)", [
        (f"2024-0{month}-01T0{month}:00:0{month}.00000{month}", f"TIMESTAMP '2024-0{month}-01 0{month}:00:0{month}.00000{month}'")
        for month in range(1, 8)], absent=["TIMESTAMP '2024-01-01 00:00:00'"]),
    TextFileColumn("c_time", "time(6)", [
        (clock(hour * 3600 * 10**9, 0), f"TIME '{clock(hour * 3600 * 10**9, 6)}'") for hour in (0, 1, 11, 12, 13, 23)],
        absent=["TIME '12:34:56'"]),
    TextFileColumn("c_text", "varchar", [(text, text_sql(text)) for text in TEXTS if text not in ("\u0000", "")], str,
                     absent=[text_sql("abd")]),
]
