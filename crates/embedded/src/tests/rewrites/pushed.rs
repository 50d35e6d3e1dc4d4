//! Passes that move predicates, DISTINCT and keys across joins and aggregations.

use super::*;

/// Comparisons of keys with constants are pushed to both sides of a join, and unmatched rows are found by anti joins.
#[test]
fn pushed_predicates_give_the_same_rows() {
    let hard = Hard::new();
    let two = "(SELECT id, a, s, y, t FROM h WHERE id % 7 = 0)";
    let statements = ["LEFT", "RIGHT", "FULL", "INNER"].map(|kind| {
        ["x.a = 1", "z.a IN (0, 1)", "NOT (x.a = 1)", "x.a < 1 AND z.t = 'a'", "x.a IS NULL", "z.a IS NULL"]
            .map(|condition| {
                format!(
                    "SELECT x.id, z.id, z.a, z.t, z.y FROM h x {kind} JOIN {two} z ON x.a = z.a AND x.t = z.t
                        WHERE {condition}"
                )
            })
    });
    let others = [
        "SELECT x.id FROM h x JOIN h z ON x.y = z.s JOIN h u ON z.s = u.a WHERE u.a = 0",
        "SELECT id FROM h x WHERE a IN (1, 0) AND NOT EXISTS (SELECT 1 FROM h z WHERE z.a = x.a AND z.id > x.id)",
        "SELECT id, (SELECT max(z.id) FROM h z WHERE z.a = x.a) FROM h x WHERE a = 1 OR a = -1",
        "SELECT x.id FROM h x LEFT JOIN h z ON x.f = z.f AND z.id < 5 WHERE x.f = 0e0 OR z.f IS NULL",
        "SELECT x.id, z.t FROM h x LEFT JOIN h z ON x.id = z.n AND x.a < z.a WHERE z.n IS NULL AND coalesce(z.t, 'q') = 'q'",
        "SELECT x.id, z.t FROM h x LEFT JOIN h z ON x.t IS NOT DISTINCT FROM z.t AND z.id = 3 WHERE z.t IS NULL",
    ];
    let failing = [
        "SELECT x.id, z.q FROM h x LEFT JOIN (SELECT id, 1 / (n - 1) AS q FROM h) z ON x.a = z.id WHERE z.id IS NULL",
    ];
    let empty = [
        "SELECT x.id, z.q FROM h x JOIN (SELECT z.id, 1 / (z.n - 1) AS q FROM h z JOIN h u ON z.id = u.id + 600) z ON x.n = z.q
            WHERE x.n = 1",
    ];
    for sql in statements.iter().flatten().map(String::as_str).chain(others).chain(failing).chain(empty) {
        let expected = hard.outcome(sql, &PassSet::none());
        assert_eq!(expected.is_ok(), !failing.contains(&sql), "{sql}: {expected:?}");
        for passes in [PassSet::default(), PassSet::default().without(Pass::PushPredicates)] {
            assert_eq!(hard.outcome(sql, &passes), expected, "{sql}");
        }
    }
}

#[test]
fn partially_distinct_rows_give_the_same_rows() {
    let hard = Hard::new();
    hard.same(
        Pass::PushDistinct,
        &PassSet::default().for_large_tables(),
        &[
            "SELECT DISTINCT x.t, z.d FROM h x JOIN h z ON x.n = z.id",
            "SELECT DISTINCT x.m, x.w, z.y FROM (SELECT n, m, w FROM h ORDER BY m, w) x JOIN h z ON x.n = z.id",
            "SELECT x.a + z.n FROM (SELECT a, n FROM h ORDER BY n, a) x LEFT JOIN h z ON x.n = z.id AND z.a > x.a GROUP BY 1",
            "SELECT count(*) FROM (SELECT x.t FROM h x JOIN h z ON x.n = z.id INTERSECT SELECT t FROM h)",
        ],
    );
    // Doubles and expressions that are random stay above the join.
    hard.left(
        Pass::PushDistinct,
        &PassSet::default().for_large_tables(),
        &[
            "SELECT DISTINCT x.f FROM h x LEFT JOIN h z ON x.n = z.id WHERE x.f > 0e0",
            "SELECT DISTINCT t FROM h",
        ],
    );
}

/// Calls that skip NULLs are computed below the nullable side of an outer join.
#[test]
fn pushed_aggregates_of_outer_joins_give_the_same_rows() {
    let hard = Hard::new();
    let all = PassSet::default().for_large_tables();
    hard.same(
        Pass::PushAggregate,
        &all,
        &[
            "SELECT x.id, count(z.id), min(z.t), max(z.d) FROM (SELECT * FROM h WHERE id < 9) x LEFT JOIN h z ON x.id = z.n GROUP BY x.id",
            "SELECT x.id, sum(CAST(z.s AS bigint)), avg(CAST(z.s AS double)), count(z.t) FROM (SELECT * FROM h WHERE id < 9) x LEFT JOIN h z ON x.id = z.n GROUP BY x.id",
            "SELECT z.id, count(x.t), max(x.t), min(x.d) FROM h x RIGHT JOIN (SELECT * FROM h WHERE id < 9) z ON x.n = z.id GROUP BY z.id",
            "SELECT z.t, count(z.id), max(z.n) FROM (SELECT * FROM h WHERE id < 9) x LEFT JOIN h z ON x.n = z.n GROUP BY z.t",
            "SELECT count(z.t), max(z.id), min(z.id) FROM (SELECT id - 1000 AS k FROM h WHERE id < 9) x LEFT JOIN h z ON x.k = z.n",
            "SELECT x.t, count(z.id) FROM (SELECT * FROM h WHERE id < 40) x LEFT JOIN h z ON x.t IS NOT DISTINCT FROM z.t GROUP BY x.t",
            "SELECT u.t, count(z.id) FROM (SELECT * FROM h WHERE id < 9) u LEFT JOIN (SELECT x.id, z.n FROM h x LEFT JOIN h z ON x.id = z.id) z ON u.id = z.n GROUP BY u.t",
        ],
    );
    // Rows without a match count here.
    hard.left(
        Pass::PushAggregate,
        &all,
        &[
            "SELECT x.id, count(*), count(z.id) FROM h x LEFT JOIN h z ON x.id = z.n GROUP BY x.id",
            "SELECT x.id, sum(coalesce(z.s, 1)) FROM h x LEFT JOIN h z ON x.id = z.n GROUP BY x.id",
            "SELECT x.id, count(z.id) FILTER (WHERE z.t IS NULL) FROM h x LEFT JOIN h z ON x.id = z.n GROUP BY x.id",
            "SELECT x.id, count(z.id) FROM h x FULL JOIN h z ON x.id = z.n GROUP BY x.id",
        ],
    );
}

#[test]
fn eliminated_group_keys_give_the_same_rows() {
    let hard = Hard::new();
    let all = PassSet::default();
    hard.same(
        Pass::EliminateGroupKeys,
        &all,
        &[
            "SELECT s, CAST(s AS bigint), count(*), sum(m) FROM h GROUP BY 1, 2",
            "SELECT 'x', t, coalesce(t, 'y'), t IS NULL, max(id) FROM h GROUP BY 1, 2, 3, 4",
            "SELECT 7, a, coalesce(a, 5), 'q' FROM h WHERE id < 0 GROUP BY 1, 2, 3, 4",
            "SELECT n, n > y, y, count(*) FROM h GROUP BY n, y, n > y HAVING count(*) > 1",
            "SELECT CASE WHEN d IS NULL THEN 0 ELSE n END, d, n, min(w) FROM h GROUP BY 1, 2, 3",
            "SELECT count(*) FROM (SELECT DISTINCT s, s > 0 FROM h GROUP BY s, s > 0)",
        ],
    );
    // A key that may fail is still computed for each row.
    for sql in [
        "SELECT s, 10 / s, count(*) FROM h GROUP BY 1, 2 HAVING count(*) > 9999",
        "SELECT s, 10 / s, count(*) FROM h WHERE s <> 0 GROUP BY 1, 2",
        "SELECT s + 1, d, s, count(*) FROM h GROUP BY s + 1, d, s ORDER BY 1 LIMIT 5",
    ] {
        let without = all.clone().without(Pass::EliminateGroupKeys);
        assert_ne!(hard.plan(sql, &all), hard.plan(sql, &without), "{sql}");
        assert_eq!(hard.outcome(sql, &all), hard.outcome(sql, &PassSet::none()), "{sql}");
    }
    // 1 / 0e0 is not 1 / -0e0, though 0e0 = -0e0; a single constant is kept; so are random values.
    hard.left(
        Pass::EliminateGroupKeys,
        &all,
        &[
            "SELECT f, 1e0 / f, count(*) FROM h WHERE f > 0e0 GROUP BY 1, 2",
            // An error of a key is one of each row, whether the key is needed or not.
            "SELECT count(*) FROM (SELECT n, 10 / n FROM h GROUP BY 1, 2)",
            "SELECT 'x', count(*) FROM h WHERE id < 0 GROUP BY 1",
            "SELECT a, b, count(*) FROM h GROUP BY a, b",
        ],
    );
}

/// Candidates of a top-k are selected by the first key; a ranking over the same order finds the same rows.
#[test]
fn the_first_rows_of_an_order_are_those_of_a_ranking() {
    let hard = Hard::new();
    let groups = "(SELECT a, b, s, d, m, t, count(*) AS c FROM h GROUP BY a, b, s, d, m, t)";
    for order in [
        "c DESC, a, b, s, d, m, t",
        "a DESC NULLS FIRST, b, s, d, m, t",
        "a, b DESC, s, d, m, t",
        "m DESC NULLS LAST, a, b, s, d, t",
        "d NULLS FIRST, c, a, b, s, m, t",
        "b, a, s, d, m, t",
        "t DESC, a, b, s, d, m",
    ] {
        for (offset, limit) in [(0, 1), (0, 7), (20, 30), (3, 599)] {
            hard.equal(
                &format!("SELECT * FROM (SELECT a, b, s, d, m, t FROM {groups} ORDER BY {order} OFFSET {offset} LIMIT {limit})"),
                &format!(
                    "SELECT a, b, s, d, m, t FROM (SELECT *, row_number() OVER (ORDER BY {order}) AS place FROM {groups})
                        WHERE place > {offset} AND place <= {offset} + {limit}"
                ),
            );
        }
    }
}

/// Joins with the rows of a dynamic filter are lookups where its keys are unique, and hash joins where they are not.
#[test]
fn joins_with_the_rows_of_dynamic_filters_give_the_same_rows() {
    let hard = Hard::new();
    let all = PassSet::default().for_large_tables();
    let statements = [
        "SELECT x.id, z.id, z.t, z.d, z.m, z.w, z.f FROM h x JOIN h z ON x.id = z.id WHERE z.t = 'a'",
        "SELECT x.id, z.n, z.t, z.d FROM h x JOIN h z ON x.id = z.n WHERE z.y = 0",
        "SELECT x.a, z.id, z.t FROM h x JOIN h z ON x.a = z.id WHERE z.t = 'b' AND z.y = 0",
        "SELECT sum(x.m), z.t, z.y FROM h x JOIN h z ON x.id = z.id WHERE z.t = 'a' GROUP BY z.t, z.y",
        "SELECT x.id, z.t, u.t, u.b FROM h x JOIN h z ON x.id = z.id JOIN h u ON x.id = u.id WHERE z.t = '' AND u.y = 0",
        "SELECT count(*), count(z.t) FROM h x JOIN h z ON x.b = z.id WHERE z.t = 'a'",
        "SELECT count(*), count(z.t), sum(z.id) FROM h x JOIN h z ON x.id = z.id WHERE z.t = 'nothing'",
        "SELECT g.k, g.c, z.t FROM (SELECT id AS k, count(*) AS c FROM h GROUP BY id) g JOIN h z ON g.k = z.id WHERE z.t = 'a'",
    ];
    let mut reduced = 0;
    for sql in statements {
        let expected = hard.outcome(sql, &PassSet::none());
        assert!(expected.is_ok(), "{sql}: {expected:?}");
        assert_eq!(hard.outcome(sql, &all), expected, "{sql}");
        reduced += usize::from(hard.plan(sql, &all).contains("SemiJoin"));
    }
    assert!(reduced > statements.len() / 2, "{reduced} of {}", statements.len());
}
