"""Hashes and encodings of bytes."""

from suite import Suite, quoted

BLOBS = ["", "00", "61", "616263", "C3A9", "F09F9880", "FF", "DEADBEEF", "0001020304050607", "00010203040506070809", "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"]

# Lengths at which the hashes take another way.
LENGTHS = [1, 3, 4, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 23, 24, 31, 32, 33, 47, 48, 49, 55, 56, 63, 64, 65, 95, 96, 97, 111, 112, 127, 128, 129, 143, 160, 176, 190, 191, 192, 193, 255, 287, 288, 289, 383, 384, 385, 1000]


def blob(text):
    return f"X'{text}'"


def long_text(length):
    return f"to_utf8(rpad('', {length}, 'Rowhouse hashes bytes, 0123456789'))"


def hashes(suite):
    for function in ["md5", "sha1", "sha256", "sha512", "xxhash64", "murmur3", "spooky_hash_v2_32", "spooky_hash_v2_64", "crc32"]:
        suite.calls(f"{function}({{0}})", [blob(text) for text in BLOBS])
        suite.calls(f"{function}({{0}})", [long_text(length) for length in LENGTHS])
        suite.values(f"{function}(CAST(NULL AS varbinary))", f"{function}('a')", f"{function}(1)", f"{function}()")
    keys = ["", "6B6579", "00", "FF" * 64, "AB" * 65, "CD" * 128, "EF" * 129]
    for function in ["hmac_md5", "hmac_sha1", "hmac_sha256", "hmac_sha512"]:
        suite.calls(f"{function}({{0}}, {{1}})", [(blob(text), blob(key)) for text in BLOBS[:4] for key in keys])
        suite.values(f"{function}(X'61', NULL)", f"{function}(X'61')", f"{function}('a', X'61')")


TEXTS = ["", "a", "abcd", "00ff", "00FF", "0", "000", "zz", "0g", "é0", " 00", "YQ==", "YQ", "YWI=", "YWJj", "YQ=", "YQ=a", "YQ==a", "YQ===", "=", "==", "====", "A===", "Y", "Y!==", " YQ==", "YQ==\n", "YR==", "w6k=", "_-8=", "/+8=", "é", "😀"]
TEXTS_32 = ["", "A", "AA", "AAA", "AAAA", "AAAAA", "AAAAAA", "AAAAAAA", "AAAAAAAA", "ME======", "ME", "ME=", "MF", "MFRA====", "MFRGG===", "MFRGGZA=", "mfrgg", "M1", "M8", "M=E", "M E=", "MFRGGZDF", "MFRGGZDFM======", "é", "AAé", "A\x01"]


def encodings(suite):
    for function in ["to_hex", "to_base64", "to_base64url", "to_base32", "reverse", "length", "to_hex(reverse", "from_utf8(from_hex(to_hex"]:
        suite.calls(f"{function}({{0}}{')' * (function.count('(') + 1)}", [blob(text) for text in BLOBS + ["FBEFBE", "FBFF", "000000", "0102030405060708090A0B"]])
    for function, texts in [("from_hex", TEXTS), ("from_base64", TEXTS), ("from_base64url", TEXTS), ("from_base32", TEXTS_32)]:
        suite.calls(f"{function}({{0}})", [quoted(text) for text in texts])
        suite.calls(f"{function}({{0}})", [f"to_utf8({quoted(text)})" for text in texts])
        suite.values(f"{function}(NULL)", f"{function}(1)")
    suite.values("to_hex('a')", "to_base32('a')", "to_base64url(1)")


def numbers(suite):
    suite.calls("to_big_endian_64({0})", ["BIGINT '0'", "BIGINT '1'", "BIGINT '-1'", "9223372036854775807", "BIGINT '-9223372036854775808'", "BIGINT '81985529216486895'"])
    suite.calls("to_big_endian_32({0})", ["0", "1", "-1", "2147483647", "INTEGER '-2147483648'", "19088743"])
    suite.values("to_big_endian_64(1)", "to_big_endian_32(BIGINT '1')", "to_big_endian_32(TINYINT '1')", "to_big_endian_32(2147483648)", "to_big_endian_64(NULL)")
    for function in ["from_big_endian_64", "from_big_endian_32", "from_ieee754_64", "from_ieee754_32"]:
        suite.calls(f"{function}({{0}})", [blob(text) for text in BLOBS + ["3F800000", "C0490FDB", "7FC00000", "FF800000", "80000000", "3FF0000000000000", "C00921FB54442D18", "7FF8000000000000", "FFF0000000000000", "8000000000000000", "00000001", "0000000000000001"]])
    suite.calls("to_ieee754_64({0})", ["0e0", "-0e0", "1e0", "1.5e0", "-3.141592653589793e0", "nan()", "infinity()", "-infinity()", "4.9e-324", "1.7976931348623157e308"])
    suite.calls("to_ieee754_32({0})", ["REAL '0'", "REAL '-0'", "REAL '1'", "REAL '1.5'", "REAL '-3.1415927'", "CAST(nan() AS real)", "CAST(infinity() AS real)", "REAL '1.4E-45'", "REAL '3.4028235E38'"])
    suite.values("to_ieee754_64(1)", "to_ieee754_64(REAL '1.5')", "to_ieee754_32(1e0)", "to_ieee754_32(1)", "to_ieee754_64(DECIMAL '1.5')")


INVALID = ["", "61", "C3A9", "F09F9880", "FF", "C3", "61FF62", "EDA080", "C080", "F4908080", "E28240", "E2", "F09F98", "80", "FE", "FFFE61", "F8888080", "F888808080", "FC8480808080", "E080AF", "C1BF", "F08080AF", "EDBFBF61", "E28262E2", "C3C3A9", "F0C3A9", "F7BFBFBF"]


def parts(suite):
    blobs = [blob(text) for text in INVALID]
    suite.calls("from_utf8({0})", blobs)
    for replacement in ["'?'", "''", "'é'", "'😀'", "63", "233", "128512", "0"]:
        suite.calls("from_utf8({0}, %s)" % replacement, blobs)
    suite.values("from_utf8(X'FF', '??')", "from_utf8(X'61', '??')", "from_utf8(X'FF', 1114112)", "from_utf8(X'FF', 55296)", "from_utf8(X'61', 55296)", "from_utf8(X'FF', NULL)", "from_utf8('a')", "from_utf8(X'FF', 1.5)")
    positions = ["0", "1", "2", "-1", "-2", "-4", "-5", "4", "5", "9"]
    suite.calls("substr({0}, {1})", [("X'61626364'", n) for n in positions])
    suite.calls("substr({0}, {1}, {2})", [("X'61626364'", n, m) for n in positions for m in ["0", "1", "2", "9", "-1"]])
    suite.calls("substr({0}, {1}, {2})", [("X''", n, "1") for n in positions])
    for function in ["lpad", "rpad"]:
        suite.calls(function + "({0}, {1}, {2})", [(text, n, filler) for text in ["X''", "X'6162'", "X'616263'"] for n in ["0", "1", "2", "3", "4", "7", "8"] for filler in ["X'00'", "X'0102'", "X'FFFEFD'"]])
        suite.values(function + "(X'61', -1, X'00')", function + "(X'61', 2147483648, X'00')", function + "(X'61', 2, X'')", function + "(X'61', 1, X'')", function + "(X'61', 2)", function + "(X'61', 3, 'a')")
    suite.calls("{0} || {1}", [(blob(a), blob(b)) for a in BLOBS[:3] for b in BLOBS[3:6]])


def statements(suite: Suite):
    hashes(suite)
    encodings(suite)
    numbers(suite)
    parts(suite)
