"""A small writer of Parquet for what pyarrow does not write: decimals as byte arrays, INT96 with statistics, and statistics as
other writers leave them: cut off, of zeros with the wrong sign, or in the order of signed bytes under their old names."""

import datetime
import math
import struct

from typed_columns import ROWS, ROWS_OF_GROUP

# Of the format's thrift definition.
BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED = range(8)
OPTIONAL, RLE, PLAIN = 1, 3, 0
I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
DAY = 86_400 * 10**9
JULIAN_EPOCH = 2_440_588


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def zigzag(number):
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def encode(value):
    """The kind of a field, and its bytes: an `int` is 64 bits, a tuple of one 32 bits."""
    if isinstance(value, bool):
        return (1 if value else 2), b""
    if isinstance(value, tuple):
        return I32, zigzag(value[0])
    if isinstance(value, int):
        return I64, zigzag(value)
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return BINARY, varint(len(value)) + value
    if isinstance(value, dict):
        return STRUCT, fields(value)
    items = [encode(item) for item in value]
    head = len(items) << 4 if len(items) < 15 else 0xF0
    length = b"" if len(items) < 15 else varint(len(items))
    return LIST, bytes([head | items[0][0]]) + length + b"".join(item for _, item in items)


def fields(values):
    out, last = b"", 0
    for number, value in sorted(values.items()):
        if value is None:
            continue
        kind, encoded = encode(value)
        out += bytes([number - last << 4 | kind]) + encoded
        last = number
    return out + b"\0"


def signed(number, length=None):
    length = length or max(1, (number.bit_length() + 8) // 8)
    return number.to_bytes(length, "big", signed=True)


def unscaled(value):
    sign, digits, _ = value.as_tuple()
    number = int("".join(map(str, digits)))
    return -number if sign else number


def int96(nanos):
    day, rest = divmod(nanos, DAY)
    return struct.pack("<qi", rest, day + JULIAN_EPOCH)


def days(value):
    return (value - datetime.date(1970, 1, 1)).days


class Kind:
    """`value` makes what is stored of a value, `schema` has further fields of the schema element; `order` sorts stored
    values."""

    def __init__(self, physical, value=lambda value: value, schema=None, order=lambda stored: stored, length=None):
        self.physical = physical
        self.value = value
        self.schema = schema or {}
        self.order = order
        self.length = length

    def plain(self, stored):
        if self.physical == INT32:
            return struct.pack("<I", stored & 0xFFFFFFFF)
        if self.physical == INT64:
            return struct.pack("<Q", stored & 0xFFFFFFFFFFFFFFFF)
        if self.physical == FLOAT:
            return struct.pack("<f", stored)
        if self.physical == DOUBLE:
            return struct.pack("<d", stored)
        if self.physical == BYTE_ARRAY:
            return struct.pack("<I", len(stored)) + stored
        return bytes([stored]) if self.physical == BOOLEAN else stored

    def page(self, stored):
        if self.physical != BOOLEAN:
            return b"".join(map(self.plain, stored))
        bits = sum(value << place for place, value in enumerate(stored))
        return bits.to_bytes((len(stored) + 7) // 8, "little")

    def bound(self, stored):
        """As statistics have it: a byte array without its length."""
        return stored if self.physical == BYTE_ARRAY else self.plain(stored)


def clock_type(member, unit):
    return {10: {member: {1: False, 2: {unit: {}}}}}


def decimal_kind(physical, precision, scale, **more):
    return Kind(physical, schema={6: (5,), 7: (scale,), 8: (precision,)}, **more)


def kind_of(column):
    if column.by_hand.startswith("decimal"):
        precision, scale = column.arrow_type.precision, column.arrow_type.scale
        from_bytes = lambda stored: int.from_bytes(stored, "big", signed=True)
        if column.by_hand == "decimal_bytes":
            return decimal_kind(BYTE_ARRAY, precision, scale, value=lambda value: signed(unscaled(value)), order=from_bytes)
        if column.by_hand == "decimal_fixed":
            return decimal_kind(
                FIXED, precision, scale, value=lambda value: signed(unscaled(value), 12), order=from_bytes, length=12
            )
        return decimal_kind(INT32 if column.by_hand == "decimal_int32" else INT64, precision, scale, value=unscaled)
    return {
        "boolean": Kind(BOOLEAN, int),
        "int32": Kind(INT32),
        "int64": Kind(INT64),
        "uint32": Kind(INT32, schema={6: (13,)}),
        "uint64": Kind(INT64, schema={6: (14,)}),
        "float": Kind(FLOAT),
        "double": Kind(DOUBLE),
        "text": Kind(BYTE_ARRAY, lambda text: text.encode(), schema={6: (0,)}),
        "bytes": Kind(BYTE_ARRAY),
        "date": Kind(INT32, days, schema={6: (6,)}),
        "time_millis": Kind(INT32, schema={6: (7,)} | clock_type(7, 1)),
        "time_micros": Kind(INT64, schema={6: (8,)} | clock_type(7, 2)),
        "time_nanos": Kind(INT64, schema=clock_type(7, 3)),
        "timestamp_millis": Kind(INT64, schema=clock_type(8, 1)),
        "timestamp_micros": Kind(INT64, schema=clock_type(8, 2)),
        "timestamp_nanos": Kind(INT96, int96, order=lambda stored: struct.unpack("<qi", stored)[::-1]),
        "row_number": Kind(INT64),
    }[column.by_hand]


def statistics(kind, stored, null_count, way):
    if way == "none":
        return None
    if kind.physical in (FLOAT, DOUBLE):
        stored = [value for value in stored if not math.isnan(value)]
    if not stored:
        return {3: null_count}
    order = kind.order
    if way == "deprecated":
        if kind.physical == BYTE_ARRAY:
            order = lambda value: [byte - 256 if byte > 127 else byte for byte in value]
        elif kind.schema.get(6) in ((13,), (14,)):
            bits = 32 if kind.physical == INT32 else 64
            order = lambda value: value - (1 << bits) if value >> bits - 1 else value
        least, greatest = min(stored, key=order), max(stored, key=order)
        return {1: kind.bound(greatest), 2: kind.bound(least), 3: null_count}
    least, greatest = min(stored, key=order), max(stored, key=order)
    if kind.physical in (FLOAT, DOUBLE):
        # As writers do that do not look at the sign of zero.
        least, greatest = (0.0 if least == 0 else least), (-0.0 if greatest == 0 else greatest)
    least, greatest = kind.bound(least), kind.bound(greatest)
    is_cut = way == "truncated" and kind.physical == BYTE_ARRAY and 5 not in kind.schema.get(6, ())
    if not is_cut:
        return {3: null_count, 5: greatest, 6: least}
    is_text = kind.schema.get(6) == (0,)
    return {5: above(greatest, is_text), 6: cut(least, is_text), 7: False, 8: False}


def cut(value, is_text):
    value = value[:3]
    while is_text and not is_utf8(value):
        value = value[:-1]
    return value


def above(value, is_text):
    """Something short that is not less; none where there is nothing."""
    if len(value) <= 3:
        return value
    prefix = cut(value, is_text)
    if is_text:
        last = prefix.decode()
        for place in reversed(range(len(last))):
            if ord(last[place]) < 0xD7FF:
                return (last[:place] + chr(ord(last[place]) + 1)).encode()
        return None
    stripped = prefix.rstrip(b"\xff")
    return stripped[:-1] + bytes([stripped[-1] + 1]) if stripped else None


def is_utf8(value):
    try:
        value.decode()
        return True
    except UnicodeDecodeError:
        return False


def levels(values):
    runs = b""
    for value in values:
        runs += varint(1 << 1) + bytes([value is not None])
    return struct.pack("<I", len(runs)) + runs


class RowNumber:
    name = "id"
    by_hand = "row_number"
    values = list(range(ROWS))


def write_by_hand(path, columns, way):
    columns = [RowNumber, *columns]
    out = bytearray(b"PAR1")
    groups = []
    for start in range(0, ROWS, ROWS_OF_GROUP):
        chunks, size = [], 0
        for column in columns:
            kind = kind_of(column)
            values = column.values[start : start + ROWS_OF_GROUP]
            stored = [kind.value(value) for value in values if value is not None]
            page = levels(values) + kind.page(stored)
            header = fields({1: (0,), 2: (len(page),), 3: (len(page),), 5: {1: (len(values),), 2: (PLAIN,), 3: (RLE,), 4: (RLE,)}})
            offset = len(out)
            out += header + page
            length = len(out) - offset
            size += length
            of_column = {
                1: (kind.physical,),
                2: [(PLAIN,), (RLE,)],
                3: [column.name],
                4: (0,),
                5: len(values),
                6: length,
                7: length,
                9: offset,
                12: statistics(kind, stored, len(values) - len(stored), way),
            }
            chunks.append({2: offset, 3: of_column})
        groups.append({1: chunks, 2: size, 3: ROWS_OF_GROUP})
    schema = [{4: "schema", 5: (len(columns),)}]
    for column in columns:
        kind = kind_of(column)
        length = None if kind.length is None else (kind.length,)
        schema.append({1: (kind.physical,), 2: length, 3: (OPTIONAL,), 4: column.name} | kind.schema)
    orders = None if way == "deprecated" else [{1: {}} for _ in columns]
    created_by = "parquet-mr version 1.8.0" if way == "deprecated" else "tests"
    footer = fields({1: (1,), 2: schema, 3: ROWS, 4: groups, 6: created_by, 7: orders})
    with open(path, "wb") as file:
        file.write(bytes(out) + footer + struct.pack("<I", len(footer)) + b"PAR1")
