"""Expressions that fail for rows which a condition, a limit, a filter or TRY excludes, and which nothing needs; and VALUES
of rows, numbers of columns in ORDER BY and GROUP BY, CUBE with repeated keys, names of columns of `*`.
"""

# A relation whose text `s` is no number where `a` is 0.
TEXTS = "(VALUES ('x', 0), ('1', 1), ('3', 2), ('y', 0)) AS t(s, a)"
# Each excludes the rows for which the expressions of `FAILING` fail.
EXCLUDED = ["a <> 0", "regexp_like(s, '^[0-9]+$')", "s IN ('1', '3')", "a > 0 AND s < 'a'"]
FAILING = [("CAST(s AS integer)", "x > 1"), ("10 / a", "x > 5"), ("element_at(ARRAY[7, 8], a)", "x = 8"),
           ("ARRAY[7, 8][a]", "x >= 7"), ("CAST(s || '0' AS bigint)", "x BETWEEN 10 AND 30")]
# How the outer condition stands above the inner one.
FORMS = [
    "SELECT x FROM (SELECT {f} AS x FROM {t} WHERE {e}) WHERE {c} ORDER BY 1",
    "SELECT x FROM (SELECT x FROM (SELECT {f} AS x, a FROM (SELECT * FROM {t} WHERE {e})) WHERE a < 9) WHERE {c} ORDER BY 1",
    "SELECT x, count(*) FROM (SELECT {f} AS x FROM {t} WHERE {e}) GROUP BY x HAVING {c} ORDER BY 1",
    "SELECT DISTINCT x FROM (SELECT {f} AS x FROM {t} WHERE {e}) WHERE {c} ORDER BY 1",
    "SELECT x FROM (SELECT {f} AS x FROM {t} WHERE {e} UNION ALL SELECT {f} FROM {t} WHERE {e}) WHERE {c} ORDER BY 1",
    "SELECT x, b FROM (SELECT {f} AS x, a FROM {t} WHERE {e}) JOIN (VALUES 0, 1, 2) u(b) ON a = b WHERE {c} ORDER BY 1",
    "SELECT x, b FROM (VALUES 0, 1, 2) u(b) LEFT JOIN (SELECT {f} AS x, a FROM {t} WHERE {e}) ON a = b WHERE {c} ORDER BY 1",
    "SELECT x, n FROM (SELECT {f} AS x, row_number() OVER (ORDER BY a) AS n FROM {t} WHERE {e}) WHERE {c} ORDER BY 1",
    "SELECT b FROM (VALUES 1, 2) u(b) WHERE EXISTS (SELECT 1 FROM (SELECT {f} AS x, a FROM {t} WHERE {e}) WHERE {c} AND a = b)",
    "SELECT b FROM (VALUES 1, 2) u(b) WHERE b IN (SELECT a FROM (SELECT {f} AS x, a FROM {t} WHERE {e}) WHERE {c})",
    "SELECT (SELECT max(x) FROM (SELECT {f} AS x FROM {t} WHERE {e}) WHERE {c})",
    "WITH w AS (SELECT {f} AS x, a FROM {t} WHERE {e}) SELECT p.x FROM w p JOIN w q ON p.a = q.a WHERE p.{c} ORDER BY 1",
    "SELECT x FROM (SELECT {f} AS x FROM {t} WHERE {e} ORDER BY a LIMIT 3) WHERE {c} ORDER BY 1",
    "SELECT x FROM (SELECT {f} AS x FROM {t} CROSS JOIN UNNEST(ARRAY[1]) AS v(k) WHERE {e}) WHERE {c} ORDER BY 1",
    "SELECT sum({f}) FILTER (WHERE {e}) FROM {t}",
    "SELECT array_agg({f} ORDER BY a) FILTER (WHERE {e}), max({f}) FILTER (WHERE {e}) FROM {t}",
]

OTHERS = r"""
SELECT n_nationkey, 10 / (n_nationkey - 5) AS g FROM tpch.tiny.nation ORDER BY n_nationkey LIMIT 2
SELECT n_nationkey, 10 / (n_nationkey - 5) AS g FROM tpch.tiny.nation ORDER BY n_nationkey OFFSET 6 LIMIT 2
SELECT 10 / (n_nationkey - 5) AS g, 10 / (n_nationkey - 6) AS h FROM tpch.tiny.nation ORDER BY n_nationkey DESC LIMIT 3
SELECT 10 / (n_nationkey - 5) AS g FROM tpch.tiny.nation ORDER BY g, n_nationkey LIMIT 2
SELECT n_name, x FROM (SELECT n_name, 10 / (n_nationkey - 5) AS x FROM tpch.tiny.nation) ORDER BY n_name LIMIT 3
WITH w AS (SELECT n_name, 10 / (n_nationkey - 5) AS x FROM tpch.tiny.nation) SELECT n_name, x FROM w ORDER BY n_name LIMIT 3
SELECT n_name, x FROM (SELECT * FROM (SELECT n_name, 10 / (n_nationkey - 5) AS x FROM tpch.tiny.nation)) ORDER BY n_name LIMIT 3
SELECT n_name, x, 1 FROM (SELECT n_name, 10 / (n_nationkey - 5) AS x FROM tpch.tiny.nation) ORDER BY n_name LIMIT 3
SELECT n_name || CAST(10 / (n_nationkey - 20) AS varchar) FROM tpch.tiny.nation ORDER BY n_name LIMIT 3
SELECT count(*) FROM (SELECT 10 / n_nationkey AS g FROM tpch.tiny.nation)
SELECT count(*) FROM (SELECT 10 / n_nationkey AS g, n_name || 'x' AS h FROM tpch.tiny.nation)
SELECT count(*) FROM (SELECT 10 / a FROM (VALUES 0, 1) t(a))
SELECT 1 FROM (SELECT 10 / a FROM (VALUES 0, 1) t(a))
SELECT count(*) FROM (SELECT 10 / a FROM (VALUES 0, 1) t(a)), (VALUES 1, 2, 3)
SELECT ROW(10 / n, 1)[2] FROM (VALUES 0, 1) t(n)
SELECT count(*) FROM (SELECT 10 / n_nationkey x FROM tpch.tiny.nation ORDER BY n_nationkey DESC LIMIT 10) WHERE x >= 0
SELECT a FROM (SELECT 10 / a AS g, a FROM (VALUES 0, 1) t(a)) ORDER BY 1
SELECT x FROM (SELECT x, 10 / (x - 1) AS c FROM (VALUES 1, 2) t(x)) a WHERE (SELECT count(*) FROM (VALUES 1) b(y) WHERE y < a.x) = 0
SELECT x, (SELECT max(y) FROM (VALUES 1, 2) b(y) WHERE y < a.x) FROM (SELECT x, 10 / (x - 1) AS c FROM (VALUES 1, 2) t(x)) a ORDER BY 1
SELECT x FROM (SELECT x, 10 / (x - 1) AS c FROM (VALUES 1, 2) t(x)) a WHERE (SELECT count(DISTINCT b.z) FROM (VALUES REAL '1', REAL '3') b(z) WHERE a.x = b.z) = 1
SELECT f, 1 / f, (SELECT max(i) FROM (VALUES 1) v(i) WHERE i < t.i) FROM (VALUES (1, -0e0), (2, 1e0)) t(i, f) ORDER BY t.i
SELECT f, g, (SELECT count(*) FROM (VALUES 1) v(i) WHERE i < t.i) FROM (VALUES (1, ARRAY[-0e0], REAL '-0.0'), (2, NULL, NULL)) t(i, f, g) ORDER BY t.i
SELECT m, (SELECT sum(i) FROM (VALUES 1) v(i) WHERE i < t.i) FROM (VALUES (1, MAP(ARRAY['a'], ARRAY[-0e0])), (2, NULL)) t(i, m) ORDER BY t.i
SELECT c, (SELECT count(*) FROM (VALUES 1, 2) v(i) WHERE i < t.i) FROM (VALUES (1, CHAR 'a '), (2, CHAR 'a '), (2, CHAR 'a ')) t(i, c) ORDER BY t.i
SELECT n_nationkey FROM tpch.tiny.nation WHERE n_nationkey IN (1, 10 / (n_nationkey - 1)) ORDER BY 1
SELECT a FROM (VALUES 1, 2, 3) t(a) WHERE a IN (1, 2, 10 / (a - 1)) ORDER BY 1
SELECT a FROM (VALUES 1, 2, 3) t(a) WHERE a NOT IN (1, 10 / (a - 1)) ORDER BY 1
SELECT a, a IN (1, NULL, 10 / (a - 1)) FROM (VALUES 1, 2, 11) t(a) ORDER BY 1
SELECT a, a IN (10 / (a - 1), 1) FROM (VALUES 2, 3) t(a) ORDER BY 1
SELECT a FROM (VALUES 1, 2) t(a) WHERE a IN (10 / (a - 1), 1)
SELECT a FROM (VALUES 0, 1) t(a) WHERE 10 / a > 1 AND a <> 0
SELECT sum(10 / a) FILTER (WHERE a <> 0), count(10 / a) FILTER (WHERE a > 0) FROM (VALUES 0, 1, 2) t(a)
SELECT b, sum(10 / a) FILTER (WHERE a <> 0) FROM (VALUES (0, 1), (1, 1), (0, 2)) t(a, b) GROUP BY b ORDER BY b
"""

ROWS = r"""
VALUES CAST(ROW(1, 2) AS row(x integer, y integer))
SELECT x FROM (VALUES CAST(ROW(1, 2) AS row(x integer, y integer)))
SELECT * FROM (VALUES CAST(ROW(1, 2) AS row(x integer, y integer)), (3, 4)) ORDER BY 1
VALUES (ROW(1, 2))
VALUES ((1, 2))
VALUES ROW(ROW(1, 2))
VALUES (ROW(ROW(5, 6)))
SELECT * FROM (VALUES (1, 2), (ROW(5, 6))) ORDER BY 1
SELECT * FROM (VALUES ROW(1, 2), (ROW(5, 6))) ORDER BY 1
SELECT * FROM (VALUES (ROW(5, 'a')), (1, 'bc')) ORDER BY 1
VALUES IF(true, ROW(1, 'a'))
VALUES (1, ROW(2, 3))
VALUES (1, 2), ROW(ROW(1, 2))
SELECT 1 WHERE ROW(1, 2) IN (VALUES (ROW(1, 2)))
SELECT r.x FROM (VALUES (ROW(CAST(ROW(1, 2) AS row(x integer, y integer))))) t(r)
SELECT 1 ORDER BY 1.5
SELECT 1 ORDER BY 1e0
SELECT 1 ORDER BY -1
SELECT 1 ORDER BY 0
SELECT 1 ORDER BY (1)
SELECT 1 GROUP BY 1.5
SELECT 1 GROUP BY -1
SELECT a FROM (VALUES 1) t(a) GROUP BY a ORDER BY 1.5
SELECT DISTINCT a FROM (VALUES 1) t(a) ORDER BY 1.5
SELECT count(*) FROM (SELECT a FROM (VALUES 1) t(a) UNION SELECT 2 ORDER BY 1.5)
SELECT b, count(*) FROM (VALUES (1, 'x')) t(a, b) GROUP BY ROLLUP (b, b) ORDER BY 1, 2
SELECT a, b, count(*) FROM (VALUES (1, 'x')) t(a, b) GROUP BY CUBE (b, b, a) ORDER BY 1, 2
SELECT a, b, count(*) FROM (VALUES (1, 'x')) t(a, b) GROUP BY CUBE (t.a, a, b) ORDER BY 1, 2
SELECT a, b, count(*) FROM (VALUES (1, 'x')) t(a, b) GROUP BY CUBE (b, (a, b)) ORDER BY 1, 2
SELECT a, b, count(*) FROM (VALUES (1, 'x')) t(a, b) GROUP BY CUBE ((b, a), (a, b)) ORDER BY 1, 2
SELECT a, b, count(*) FROM (VALUES (1, 'x')) t(a, b) GROUP BY CUBE (a), CUBE (a, b) ORDER BY 1, 2
SELECT a, b, count(*) FROM (VALUES (1, 'x')) t(a, b) GROUP BY GROUPING SETS (CUBE (a, a), (b)) ORDER BY 1, 2
"""

TRIED = r"""
SELECT TRY(ROW(CAST(s AS integer), n)) FROM (VALUES ('x', 0)) t(s, n)
SELECT TRY(ARRAY[CAST(s AS integer), n]) FROM (VALUES ('x', 0)) t(s, n)
SELECT TRY(ARRAY[1 / 0])
SELECT TRY(ARRAY[10 / n]) IS NULL FROM (VALUES 0) t(n)
SELECT TRY(cardinality(ARRAY[10 / n])) FROM (VALUES 0) t(n)
SELECT TRY((2, 10 / n) = (1, 10)) FROM (VALUES 0) t(n)
SELECT u.x FROM (VALUES 0, 1) t(n) CROSS JOIN UNNEST(TRY(ARRAY[10 / n, 7])) u(x) ORDER BY 1
SELECT n, TRY(ARRAY[10 / n, 1]) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, TRY(ROW(10 / n, ARRAY[7 / n])) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, TRY(concat(ARRAY[10 / n], ARRAY[1])) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, TRY(MAP(ARRAY[1], ARRAY[10 / n])) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, TRY(CAST(ROW(10 / n, 'a') AS row(x bigint, y varchar))) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, coalesce(TRY(ARRAY[10 / n]), ARRAY[-1]) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, TRY(contains(ARRAY[10 / n], 2)) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, TRY(n IN (1, 10 / n)) FROM (VALUES 0, 1, 5) t(n) ORDER BY 1
SELECT n, TRY(10 / n IN (2, 3)) FROM (VALUES 0, 1, 5) t(n) ORDER BY 1
SELECT n, TRY(10 / n IN (2, NULL)) FROM (VALUES 0, 1, 5) t(n) ORDER BY 1
SELECT n, TRY(10 / n NOT IN (2, n)) FROM (VALUES 0, 1, 5) t(n) ORDER BY 1
SELECT n, TRY(chr(coalesce(10 / n, 65))) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, TRY(date_add('day', coalesce(n + 1, 0), DATE '2024-01-01')) FROM (VALUES 1, 2147483647) t(n) ORDER BY 1
SELECT n, TRY(element_at(ARRAY[1, 2], CASE WHEN n = 0 THEN 10 / n ELSE 1 END)) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT n, TRY(chr(IF(n IN (1, 10 / n), 65, 66))) FROM (VALUES 0, 1, 5) t(n) ORDER BY 1
SELECT n, TRY(chr(10 / n + 1)) FROM (VALUES 0, 5) t(n) ORDER BY 1
SELECT k, sum(v) FROM (SELECT DECIMAL '905.0' AS k, o_custkey AS v FROM tpch.tiny.orders ORDER BY o_orderkey LIMIT 100) GROUP BY k
SELECT 1 ORDER BY - -1
SELECT count(TRY(ARRAY[10 / n])) FROM (VALUES 0, 5) t(n)
SELECT coalesce(CAST(n_nationkey AS decimal(38, 35)), 1000) FROM tpch.tiny.nation WHERE n_nationkey < 3 ORDER BY 1
SELECT count(*) FROM tpch.tiny.nation WHERE CAST(n_nationkey AS decimal(38, 36)) < 100
SELECT TRY(CAST(n_nationkey AS decimal(38, 35)) > 1000) FROM tpch.tiny.nation LIMIT 1
SELECT * FROM (VALUES 1.5, 2.5) u(b) JOIN (SELECT sum(DISTINCT 1.5) a, max(y) c FROM (VALUES 1, 2) x(y)) t ON u.b = t.a
SELECT c, count(*) FROM (SELECT 1.5 AS c, n_name FROM tpch.tiny.nation WHERE nullif(n_regionkey, 2) = 1) GROUP BY c
"""

# Conditions that fail for rows which a join excludes.
JOINED = r"""
SELECT n_name FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey AND r_name <> 'AFRICA' WHERE 10 / n_regionkey = 10 ORDER BY 1
SELECT n_name FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey AND r_name <> 'AFRICA' AND 10 / n_regionkey = 10 ORDER BY 1
SELECT a.x FROM (VALUES 2, 0) a(x) JOIN (VALUES 2, 3) b(x) ON a.x = b.x AND 10 / a.x = 5
SELECT a.x FROM (SELECT DISTINCT x FROM (VALUES 2, 0, 2) t(x)) a JOIN (VALUES 2, 3) b(x) ON a.x = b.x AND 10 / a.x = 5
SELECT a.s FROM (VALUES (1, '1'), (2, 'a')) a(k, s) JOIN (VALUES 1) b(k) ON a.k = b.k WHERE CAST(a.s AS integer) = 1
SELECT a.s, c.z FROM (VALUES (1, '1'), (2, 'a')) a(k, s) JOIN (VALUES 1, 1) b(k) ON a.k = b.k JOIN (VALUES (1, 'u')) c(k, z) ON c.k = b.k WHERE CAST(a.s AS integer) = 1 AND z = 'u'
SELECT a.x FROM (VALUES 2, 3) a(x) LEFT JOIN (VALUES 2, 0) b(x) ON a.x = b.x AND 10 / b.x = 5 ORDER BY 1
SELECT a.x, b.x FROM (VALUES 2, 0) a(x) RIGHT JOIN (VALUES 2, 3) b(x) ON a.x = b.x WHERE 10 / b.x = 5 ORDER BY 2
SELECT a.x FROM (VALUES 2, 0) a(x) WHERE a.x IN (SELECT y FROM (VALUES 2, 3) b(y)) AND 10 / a.x = 5
SELECT a.x FROM (VALUES 2, 0) a(x) WHERE EXISTS (SELECT 1 FROM (VALUES 2, 3) b(y) WHERE y = a.x) AND 10 / a.x = 5
SELECT a.x FROM (VALUES 2, 3) a(x) WHERE a.x IN (SELECT y FROM (VALUES 2, 0) b(y) WHERE 10 / a.x = 5)
SELECT x, v FROM (VALUES (2, ARRAY[1]), (0, CAST(ARRAY[] AS array(integer)))) t(x, a) CROSS JOIN UNNEST(a) u(v) WHERE 10 / x = 5
SELECT count(*) FROM (SELECT n_regionkey k FROM tpch.tiny.nation UNION ALL SELECT 0) a JOIN tpch.tiny.region ON r_regionkey = k AND r_regionkey > 0 WHERE 12 / k > 3
"""

NAMES = r"""
SELECT * FROM (VALUES (1, 2)) t(a, b) CROSS JOIN (SELECT 1)
SELECT t.*, u.* FROM (SELECT 1) t, (SELECT 2) u
SELECT 5, t.* FROM (SELECT 1) t
SELECT *, 5 FROM (SELECT 1, 2 AS x) t
SELECT * FROM (SELECT 1) t JOIN (SELECT 1) u ON true
SELECT * FROM (SELECT 5, t.* FROM (SELECT 1) t)
SELECT _col0 FROM (SELECT 5, t.* FROM (SELECT 1) t)
SELECT DISTINCT t.*, 3 FROM (SELECT 1) t
SELECT * FROM (SELECT 1, 2) UNION SELECT 1, 2
"""


def statements():
    for form in FORMS:
        for place, (failing, condition) in enumerate(FAILING):
            excluded = EXCLUDED[(place + len(form)) % len(EXCLUDED)]
            yield form.format(f=failing, t=TEXTS, e=excluded, c=condition)
    for text in (OTHERS, ROWS, TRIED, JOINED, NAMES):
        yield from filter(None, text.splitlines())
