"""Subqueries in branches that constants exclude and columns that nothing uses, which fail where they are computed; and set
operations after ANY, ALL and SOME."""

# No name of a region is a number.
FAILING = (
    "(SELECT sum(CAST(r.r_name AS bigint)) FROM tpch.tiny.region r)",
    "(SELECT sum(CAST(r.r_name AS bigint)) FROM tpch.tiny.region r WHERE r.r_regionkey < n_nationkey)",
    "(SELECT CAST(r.r_name AS bigint) FROM tpch.tiny.region r WHERE r.r_regionkey = n_regionkey)",
    "(SELECT r.r_regionkey FROM tpch.tiny.region r)",
)

FORMS = (
    "IF(true, 1, {})",
    "IF(1 < 2, n_nationkey, {})",
    "IF(1 > 2, {})",
    "CASE WHEN 0 NOT IN (3, 1) THEN 7 ELSE {} END",
    "CASE WHEN 1 = 2 THEN {} WHEN n_nationkey > 3 THEN 5 WHEN true THEN 6 WHEN n_nationkey > 4 THEN {} ELSE {} END",
    "CASE WHEN CAST(NULL AS boolean) THEN {} ELSE 3 END",
    "CASE WHEN upper('a') = 'A' THEN 1 ELSE {} END",
    "CASE WHEN n_nationkey > 100 AND false THEN {} END",
    "CASE 1 WHEN 1 THEN 5 WHEN 2 THEN {} END",
    "COALESCE(1, {})",
    "COALESCE(NULLIF(1, 1), 2, {})",
    "NULLIF(1, 1) + {}",
    "CAST(NULL AS bigint) * {}",
    "IF(true, 1, IF(n_nationkey > {}, 1, 2))",
    "IF(false, IF(n_nationkey IN {}, 1, 3), 2)",
    "IF(false, IF(EXISTS {}, 1, 3), 2)",
    "IF(n_nationkey > 100, {}, 4)",
)

OTHERS = r"""
SELECT n_nationkey FROM tpch.tiny.nation WHERE IF(1 < 2, n_nationkey, (SELECT sum(CAST(r_name AS bigint)) FROM tpch.tiny.region)) = 3
SELECT sum(IF(1 = 2, (SELECT sum(CAST(r_name AS bigint)) FROM tpch.tiny.region), n_nationkey)) FROM tpch.tiny.nation
SELECT count(*) FILTER (WHERE IF(1 = 2, (SELECT sum(CAST(r_name AS bigint)) FROM tpch.tiny.region), n_nationkey) > 3) FROM tpch.tiny.nation
SELECT n_nationkey FROM tpch.tiny.nation WHERE n_nationkey < 3 ORDER BY IF(1 = 2, (SELECT sum(CAST(r_name AS bigint)) FROM tpch.tiny.region), n_nationkey) DESC
SELECT n_regionkey, IF(1 = 2, (SELECT sum(CAST(r_name AS bigint)) FROM tpch.tiny.region), count(*)) FROM tpch.tiny.nation GROUP BY n_regionkey ORDER BY 1
SELECT n_regionkey FROM tpch.tiny.nation GROUP BY n_regionkey HAVING IF(1 = 2, (SELECT sum(CAST(r_name AS bigint)) FROM tpch.tiny.region), count(*)) = 5 ORDER BY 1
SELECT x, CASE WHEN 1 = 1 THEN x / 2 ELSE 1 / 0 END FROM UNNEST(ARRAY[4, 5]) t(x)
SELECT CASE WHEN x > 0 THEN x WHEN 1 = 1 THEN -x ELSE 1 / 0 END FROM UNNEST(ARRAY[4, -5]) t(x)
SELECT CASE WHEN false THEN 'abc' ELSE 'd' END, typeof(CASE WHEN false THEN 'abc' ELSE 'd' END), typeof(CASE WHEN 1 = 1 THEN 1 ELSE 2.5 END), typeof(COALESCE(1, 2.5)), typeof(COALESCE(NULL, 'a', 'bcd'))
SELECT COALESCE(1, x / 0), COALESCE(NULL, 2.5, x), CASE WHEN 1 = 1 THEN 1 ELSE x + 0.5 END FROM UNNEST(ARRAY[4]) t(x)
SELECT CAST(NULL AS integer) + x / 0, CAST(NULL AS double) * (x / 0) FROM UNNEST(ARRAY[4]) t(x)
SELECT x, count(*) FROM UNNEST(ARRAY[4, 5, 4]) t(x) GROUP BY x, CASE WHEN 1 = 1 THEN x ELSE x / 0 END ORDER BY 1
SELECT x, rank() OVER (ORDER BY CASE WHEN 1 = 2 THEN x / 0 ELSE x END) FROM UNNEST(ARRAY[4, 5, 4]) t(x) ORDER BY 1
SELECT 1 = ANY ((SELECT 1) EXCEPT ALL (SELECT 2))
SELECT 1 = ANY ((SELECT 1) UNION SELECT 2)
SELECT 1 = SOME ((SELECT 1) INTERSECT SELECT 1)
SELECT 1 = ANY ((SELECT 1) ORDER BY 1 LIMIT 1)
SELECT 1 = ANY ((SELECT 1 UNION SELECT 2) EXCEPT SELECT 1)
SELECT 1 < ALL ((VALUES 2, 3) UNION ALL (SELECT 4))
SELECT 1 >= ANY (((SELECT 1) EXCEPT (SELECT 2)) UNION (VALUES 5))
SELECT x FROM UNNEST(ARRAY[1, 2, 3]) t(x) WHERE x <> ALL ((SELECT 1) UNION (SELECT 2)) AND 1 = ANY (VALUES 1) ORDER BY 1
SELECT 1 = ANY (WITH a AS (SELECT 1 x) SELECT x FROM a)
SELECT 5 FROM (SELECT max(CAST(n_name AS integer)) AS m FROM tpch.tiny.nation)
SELECT count(*) FROM (SELECT max(CAST(n_name AS integer)) AS m FROM tpch.tiny.nation GROUP BY n_regionkey)
SELECT count(*) FROM (SELECT CAST(n_name AS bigint) AS m FROM tpch.tiny.nation UNION ALL SELECT r_regionkey FROM tpch.tiny.region)
SELECT count(*) FROM (SELECT x FROM (SELECT (SELECT r_name FROM tpch.tiny.region) AS x, rank() OVER (ORDER BY n_nationkey) AS r FROM tpch.tiny.nation) WHERE r < 20)
SELECT count(*) FROM (SELECT max(CAST(n_name AS integer)) AS m FROM tpch.tiny.nation GROUP BY GROUPING SETS ((n_regionkey), (n_regionkey, n_nationkey)) HAVING min(n_nationkey) < 3)
"""


def statements():
    for form in FORMS:
        for subquery in FAILING:
            if form.startswith("NULLIF") and "n_" not in subquery:
                # Only correlated subqueries are left out there.
                continue
            yield f"SELECT {form.replace('{}', subquery)} AS x FROM tpch.tiny.nation WHERE n_nationkey IN (3, 5) ORDER BY n_nationkey"
    yield from OTHERS.strip().splitlines()
