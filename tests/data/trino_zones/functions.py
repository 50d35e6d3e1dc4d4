"""Statements that define functions of values with zones."""

ZONES = ["UTC", "Europe/Berlin"]

T = "timestamp(3) with time zone"

STATEMENTS = [
    f"WITH FUNCTION f(x {T}) RETURNS bigint RETURN hour(x) SELECT f(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo'), f(TIMESTAMP '2020-01-01 00:00:00 UTC'), f(DATE '2020-01-01')",
    f"WITH FUNCTION f(x {T}) RETURNS {T} RETURN x SELECT f(TIMESTAMP '2020-07-01 05:06:07 Europe/Berlin'), f(TIMESTAMP '2020-07-01 00:00:00 +05:30')",
    f"WITH FUNCTION f(x {T}) RETURNS {T} RETURN x + INTERVAL '1' DAY SELECT f(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo'), f(DATE '2020-01-01')",
    "WITH FUNCTION f(x time(3) with time zone) RETURNS time(3) with time zone RETURN x SELECT f(TIME '10:00:00 +03:00'), f(TIME '10:00:00')",
    f"WITH FUNCTION f(x {T}) RETURNS {T} RETURN x, FUNCTION g(y {T}) RETURNS varchar RETURN CAST(f(y) AS varchar) SELECT g(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo'), g(TIMESTAMP '2020-01-01 00:00:00 America/New_York')",
    f"WITH FUNCTION f(x {T}) RETURNS {T} BEGIN DECLARE y {T} DEFAULT x; SET y = y + INTERVAL '1' HOUR; RETURN y; END SELECT f(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo'), f(NULL)",
    f"WITH FUNCTION f(x {T}) RETURNS {T} BEGIN IF x IS NULL THEN RETURN NULL; END IF; RETURN x; END SELECT f(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo'), f(NULL)",
    f"WITH FUNCTION f() RETURNS {T} RETURN TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo' SELECT f(), hour(f())",
    f"WITH FUNCTION f() RETURNS {T} RETURN DATE '2020-03-01' SELECT f(), hour(f())",
    f"WITH FUNCTION f(x array({T})) RETURNS {T} RETURN x[1] SELECT f(ARRAY[TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo'])",
    f"WITH FUNCTION f(x {T}) RETURNS array({T}) RETURN ARRAY[x, x] SELECT f(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo')",
    f"WITH FUNCTION f(x {T}) RETURNS varchar RETURNS NULL ON NULL INPUT RETURN 'a' || CAST(x AS varchar) SELECT f(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo'), f(NULL)",
    f"WITH FUNCTION f(x {T}, n bigint) RETURNS {T} BEGIN WHILE n > 0 DO SET x = x + INTERVAL '1' DAY; SET n = n - 1; END WHILE; RETURN x; END SELECT f(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo', 3), f(TIMESTAMP '2020-03-28 00:00:00 Europe/Berlin', n) FROM (VALUES 1, 2) t(n)",
    f"WITH FUNCTION f(x {T}) RETURNS {T} BEGIN IF hour(x) > 3 THEN RETURN x; ELSE RETURN TIMESTAMP '2021-01-01 00:00:00 UTC'; END IF; RETURN x; END SELECT f(TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo')",
    f"WITH FUNCTION f(x timestamp(6) with time zone) RETURNS bigint RETURN day(x) SELECT f(TIMESTAMP '2020-01-01 23:00:00 Asia/Tokyo')",
    f"WITH FUNCTION f(x timestamp(0) with time zone) RETURNS bigint RETURN day(x) SELECT f(TIMESTAMP '2020-01-01 23:00:00.123 Asia/Tokyo')",
    f"WITH FUNCTION f(x {T}) RETURNS bigint RETURN 1, FUNCTION f(x timestamp(3)) RETURNS bigint RETURN 2 SELECT f(TIMESTAMP '2020-01-01 23:00:00.123 Asia/Tokyo'), f(TIMESTAMP '2020-01-01 23:00:00.123')",
    f"WITH FUNCTION f(x {T}) RETURNS bigint RETURN hour(x) SELECT f(from_iso8601_timestamp(c)) FROM (VALUES '2020-01-01T01:00:00+05:00') t(c)",
    f"WITH FUNCTION f(x {T}) RETURNS bigint RETURN hour(x) SELECT f(at_timezone(now(), c)) IS NULL FROM (VALUES 'Asia/Tokyo') t(c)"
]
