//! Joins without keys.

use super::*;

/// A value with bounds from the other side is joined by order, unless the number of pairs is known to be small, as it is
/// not after UNNEST. The other form of the condition cannot be split.
#[test]
fn range_joins_give_the_rows_of_products() {
    let hard = Hard::new();
    let tables = "(SELECT id, n, d, t, w, DATE '2024-01-01' + n * INTERVAL '1' DAY AS day,
        TIMESTAMP '2024-01-01 00:00:00.000001' + y * INTERVAL '90' MINUTE AS moment FROM h CROSS JOIN UNNEST(ARRAY[1]) AS u(one) WHERE id % 2 = 0)";
    for condition in [
        "x.n BETWEEN z.n - 1 AND z.n",
        "x.n > z.n - 2 AND x.n < z.n + 2",
        "z.n + 1 >= x.n AND z.n <= x.n AND x.t = z.t",
        "x.n BETWEEN z.id - 3 AND z.id + 2 AND x.id <> z.id",
        "x.id >= z.n AND x.id < z.n + 5 AND length(x.t || z.t) < 3",
        "x.day BETWEEN z.day - INTERVAL '1' DAY AND z.day",
        "x.day > z.day AND x.day <= z.day + INTERVAL '2' DAY",
        "x.moment BETWEEN z.moment - INTERVAL '2' HOUR AND z.moment + INTERVAL '0.5' SECOND",
        "x.id BETWEEN z.n AND z.id AND z.id < 40",
    ] {
        let pairs = |condition: &str| {
            format!("SELECT x.id, z.id, x.t, z.day, z.moment FROM {tables} x, {tables} z WHERE {condition}")
        };
        hard.equal(&pairs(condition), &pairs(&format!("CASE WHEN {condition} THEN 1 END = 1")));
    }
    let range = |of: &str| format!("SELECT count(*) FROM {of} x, {of} z WHERE x.v >= z.v AND x.v <= z.v + 1");
    let least = format!("(SELECT {} + id AS v FROM h CROSS JOIN UNNEST(ARRAY[1]) AS u(one))", i64::MAX - 600);
    assert!(hard.outcome(&range(&least), &PassSet::default()).is_ok());
    let most = format!("(SELECT {} + id AS v FROM h CROSS JOIN UNNEST(ARRAY[1]) AS u(one))", i64::MAX - 599);
    let failed = hard.outcome(&range(&most), &PassSet::default());
    assert_eq!(failed, Err("NUMERIC_VALUE_OUT_OF_RANGE".to_owned()));
}

/// A scalar subquery is computed ahead, and its value is that of each row.
#[test]
fn products_with_one_row_give_the_same_rows() {
    let hard = Hard::new();
    let of_all = |value: &str| format!("(SELECT *, {value} OVER () AS v FROM h)");
    for (sql, other) in [
        ("SELECT id FROM h WHERE a > (SELECT avg(a) FROM h)", format!("SELECT id FROM {} WHERE a > v", of_all("avg(a)"))),
        ("SELECT id, (SELECT max(t) FROM h) FROM h", format!("SELECT id, v FROM {}", of_all("max(t)"))),
        ("SELECT count(*) FROM (SELECT (SELECT max(a) FROM h) FROM h)", "SELECT count(*) FROM h".to_owned()),
        ("SELECT count(*) FROM h WHERE (SELECT count(*) FROM h) > 0", "SELECT count(*) FROM h".to_owned()),
        ("SELECT count(*) FROM h WHERE (SELECT count(*) FROM h) < 0", "SELECT 0".to_owned()),
        ("SELECT count(*) FROM h WHERE (SELECT max(a) FROM h WHERE a > 100000) < 0", "SELECT 0".to_owned()),
        ("SELECT id FROM h WHERE (SELECT max(a) FROM h) < -100000", "SELECT id FROM h WHERE id < 0".to_owned()),
        (
            "SELECT t, count(*) FROM h GROUP BY t HAVING count(*) > (SELECT count(*) / 10 FROM h)",
            "SELECT t, c FROM (SELECT t, count(*) AS c FROM h GROUP BY t) WHERE c > 60".to_owned(),
        ),
        (
            "SELECT x.id FROM h x, (SELECT min(id) AS least, max(id) AS most FROM h) z WHERE x.id IN (z.least, z.most)",
            "SELECT id FROM (SELECT id, min(id) OVER () AS l, max(id) OVER () AS m FROM h) WHERE id IN (l, m)".to_owned(),
        ),
        (
            "WITH q AS (SELECT id, a FROM h WHERE id % 2 = 0)
                SELECT id FROM q WHERE a >= (SELECT avg(a) FROM q) UNION ALL SELECT id FROM q",
            "WITH q AS (SELECT id, a, avg(a) OVER () AS v FROM h WHERE id % 2 = 0)
                SELECT id FROM q WHERE a >= v UNION ALL SELECT id FROM q".to_owned(),
        ),
    ] {
        hard.equal(sql, &other);
    }
    for empty in [
        "SELECT id, (SELECT id FROM h) FROM h WHERE id < 0",
        "SELECT count(*) FROM (SELECT id FROM h WHERE id < 0), (SELECT 1 / max(n - n) AS m FROM h)",
    ] {
        assert!(hard.outcome(empty, &PassSet::default()).is_ok(), "{empty}");
    }
    let failing = [
        "SELECT id FROM h WHERE a > (SELECT a FROM h)",
        "SELECT id FROM h WHERE a > (SELECT max(1 / (id - 1)) FROM h)",
    ];
    for (sql, error) in failing.into_iter().zip(["SUBQUERY_MULTIPLE_ROWS", "DIVISION_BY_ZERO"]) {
        assert_eq!(hard.outcome(sql, &PassSet::default()), Err(error.to_owned()), "{sql}");
    }
}
