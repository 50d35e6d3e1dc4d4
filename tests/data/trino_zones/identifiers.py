"""Statements of `uuid` and `ipaddress`."""

ZONES = ["UTC"]

UUIDS = [
    "12151fd2-7586-11e9-8f9e-2a86e4085a59",
    "92151FD2-7586-11e9-8f9e-2a86e4085a59",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
]
NO_UUIDS = ["", "x", "1-1-1-1-1", "12151fd2758611e98f9e2a86e4085a59", " 12151fd2-7586-11e9-8f9e-2a86e4085a59"]
ADDRESSES = [
    "10.0.0.1", "0.0.0.0", "255.255.255.255", "::", "::1", "1::", "::ffff:1.2.3.4", "::1.2.3.4", "fe80::1",
    "2001:db8:0:0:1:0:0:1", "2001:DB8::A", "1:0:0:2:0:0:0:3", "1:2:3:4:5:6:7:8", "1:0:2:3:4:5:6:7", "fe80::1%eth0",
]
NO_ADDRESSES = ["", "x", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", ":::", "1:2:3:4:5:6:7", "1::2::3", " ::1", "1.2.3.4%x"]
NETWORKS = ["10.0.0.0/8", "10.0.0.0/32", "0.0.0.0/0", "::/0", "::1/128", "fe80::/10", "2001:db8::/32", "::ffff:10.0.0.0/104"]
NO_NETWORKS = ["", "10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/x", "x/8", "10.0.0/8", "10.0.0.0/"]
OTHERS = ["boolean", "integer", "double", "varchar", "varchar(36)", "varbinary", "date", "array(varchar)"]


def statements():
    for kind, good, bad in (("UUID", UUIDS, NO_UUIDS), ("IPADDRESS", ADDRESSES, NO_ADDRESSES)):
        for text in good:
            yield f"SELECT {kind} '{text}'"
            yield f"SELECT CAST('{text}' AS {kind}), TRY_CAST('{text}' AS {kind})"
            yield f"SELECT CAST({kind} '{text}' AS varchar), CAST({kind} '{text}' AS varbinary)"
            yield f"SELECT CAST(CAST({kind} '{text}' AS varbinary) AS {kind})"
            yield f"SELECT CAST(x AS {kind}) FROM (VALUES '{text}', NULL) t(x)"
            for other in good:
                yield f"SELECT {kind} '{text}' < {kind} '{other}', {kind} '{text}' = {kind} '{other}'"
        for text in bad:
            yield f"SELECT {kind} '{text}'"
            yield f"SELECT CAST('{text}' AS {kind})"
            yield f"SELECT TRY_CAST('{text}' AS {kind}), TRY(CAST('{text}' AS {kind}))"
        rows = ", ".join(f"{kind} '{text}'" for text in good)
        yield f"SELECT x FROM (VALUES {rows}, NULL) t(x) ORDER BY x"
        yield f"SELECT x FROM (VALUES {rows}, NULL) t(x) ORDER BY x DESC NULLS FIRST"
        yield f"SELECT min(x), max(x), count(DISTINCT x), count(x) FROM (VALUES {rows}, NULL) t(x)"
        yield f"SELECT x, count(*) FROM (VALUES {rows}, {rows}) t(x) GROUP BY x ORDER BY x"
        yield f"SELECT DISTINCT x FROM (VALUES {rows}, {rows}) t(x) ORDER BY x"
        yield f"SELECT count(*) FROM (VALUES {rows}) a(x) JOIN (VALUES {rows}) b(x) ON a.x = b.x"
        yield f"SELECT x FROM (VALUES {rows}) t(x) WHERE x IN ({rows}) ORDER BY 1"
        yield f"SELECT x FROM (VALUES {rows}) t(x) WHERE x > (VALUES {kind} '{good[0]}') ORDER BY 1"
        yield f"SELECT ARRAY[{rows}], array_max(ARRAY[{rows}]), array_sort(ARRAY[{rows}])"
        yield f"SELECT contains(ARRAY[{rows}], {kind} '{good[0]}'), array_position(ARRAY[{rows}], {kind} '{good[1]}')"
        yield f"SELECT ROW({kind} '{good[0]}', 1), CAST(ROW('{good[0]}') AS row(a {kind}))"
        yield f"SELECT CAST(ARRAY['{good[0]}', NULL] AS array({kind})), CAST(ARRAY[{rows}] AS array(varchar))"
        yield f"SELECT typeof({kind} '{good[0]}'), typeof(ARRAY[{kind} '{good[0]}'])"
        yield f"SELECT coalesce(NULL, {kind} '{good[0]}'), nullif({kind} '{good[0]}', {kind} '{good[1]}')"
        yield f"SELECT CASE WHEN {kind} '{good[0]}' IS NULL THEN NULL ELSE {kind} '{good[0]}' END"
        yield f"SELECT greatest({rows}), least({rows})"
        yield f"SELECT {kind} '{good[0]}' IS DISTINCT FROM {kind} '{good[1]}', {kind} '{good[0]}' BETWEEN {kind} '{good[1]}' AND {kind} '{good[2]}'"
        yield f"SELECT CAST(NULL AS {kind}), max_by({kind} '{good[0]}', 1)"
        yield f"SELECT lag(x) OVER (ORDER BY x), row_number() OVER (PARTITION BY x) FROM (VALUES {rows}) t(x) ORDER BY 1"
        for binary in ["", "00", "0a000001", "00000000000000000000ffff0a000001", "0a00000100000000000000000000000001"]:
            yield f"SELECT CAST(X'{binary}' AS {kind})"
            yield f"SELECT TRY_CAST(X'{binary}' AS {kind})"
        for other in OTHERS:
            yield f"SELECT CAST({kind} '{good[0]}' AS {other})"
            yield f"SELECT CAST(CAST(NULL AS {other}) AS {kind})"
        yield f"SELECT {kind} '{good[0]}' = '{good[0]}'"
        yield f"SELECT {kind} '{good[0]}' || 'a'"
        yield f"SELECT {kind} '{good[0]}' + 1"
        yield f"SELECT length({kind} '{good[0]}')"
        yield f"SELECT sum({kind} '{good[0]}')"
    for address in ADDRESSES:
        for network in NETWORKS:
            yield f"SELECT contains('{network}', IPADDRESS '{address}')"
    for network in NO_NETWORKS:
        yield f"SELECT contains('{network}', IPADDRESS '::1')"
        yield f"SELECT TRY(contains('{network}', IPADDRESS '::1'))"
    yield "SELECT contains(NULL, IPADDRESS '::1'), contains('::/0', CAST(NULL AS ipaddress))"
    yield "SELECT length(CAST(uuid() AS varchar)), typeof(uuid()), uuid() = uuid()"
    yield "SELECT count(DISTINCT uuid()) FROM tpch.tiny.nation"
    yield "SELECT substr(CAST(uuid() AS varchar), 15, 1)"


STATEMENTS = list(dict.fromkeys(statements()))
