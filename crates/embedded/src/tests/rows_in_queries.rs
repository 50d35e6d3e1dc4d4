//! `(a, b) IN (SELECT …)` and NOT IN with NULLs on both sides, compared with the pairs of rows: TRUE if a pair is equal,
//! otherwise NULL if one could be, otherwise FALSE.

use super::*;

/// Rows `i, k, a, b, c, d`: numbers, texts, doubles with NaN, decimals, each NULL for some rows.
fn relation(count: u32, shift: u32) -> String {
    format!(
        "(SELECT i, i % 3 AS k, nullif((i + {shift}) % 5, 2) AS a, \
         nullif('s' || CAST((i * 7 + {shift}) % 4 AS varchar), 's1') AS b, \
         nullif(IF(i % 11 = 0, nan(), CAST((i * 3) % 4 AS double)), 1e0) AS c, \
         nullif(CAST((i + {shift}) % 3 AS decimal(5, 1)), DECIMAL '1.0') AS d \
         FROM UNNEST(sequence(1, {count})) t(i))"
    )
}

fn list(relation: &str, columns: &[&str]) -> String {
    columns.iter().map(|column| format!("{relation}.{column}")).collect::<Vec<_>>().join(", ")
}

/// Compares the values of IN, with a condition between the rows or TRUE, and the rows that NOT IN leaves.
#[track_caller]
fn check(columns: &[&str], condition: &str, (left, right): (&str, &str)) {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |sql: &str| {
        rows(sql, &PassSet::default(), folder.path())
            .unwrap_or_else(|error| panic!("{sql}: {}", error.message))
    };
    let (of_left, of_right) = (list("l", columns), list("r", columns));
    let query = format!("(SELECT {of_right} FROM {right} r WHERE {condition})");
    let found = run(&format!("SELECT i, ({of_left}) IN {query} FROM {left} l ORDER BY i"));
    let equal =
        columns.iter().map(|column| format!("l.{column} = r.{column}")).collect::<Vec<_>>().join(" AND ");
    let expected = run(&format!(
        "SELECT l.i, CASE WHEN coalesce(bool_or({equal}), false) THEN true \
         WHEN count(r.i) > count({equal}) THEN NULL ELSE false END \
         FROM {left} l LEFT JOIN {right} r ON {condition} GROUP BY l.i ORDER BY l.i"
    ));
    assert_eq!(found, expected, "{of_left} where {condition}");
    let outside = run(&format!("SELECT i FROM {left} l WHERE ({of_left}) NOT IN {query} ORDER BY i"));
    let is_false = |row: &&Vec<Value>| row[1] == json!(false);
    let expected: Vec<_> = expected.iter().filter(is_false).map(|row| vec![row[0].clone()]).collect();
    assert_eq!(outside, expected, "{of_left} where {condition}");
}

#[test]
fn rows_with_nulls_are_in_a_query_as_pairs_decide() {
    let (left, many, few, none) = (relation(70, 0), relation(40, 1), relation(3, 4), relation(0, 0));
    for columns in [&["a", "b"][..], &["b", "c"], &["d", "a"], &["a", "b", "c"], &["d", "c", "b", "a"]] {
        for right in [&many, &few, &none] {
            check(columns, "true", (&left, right));
            check(columns, "r.k = l.k", (&left, right));
            check(columns, "r.i > l.i", (&left, right));
        }
    }
    check(&["a", "b", "c", "d", "k"], "true", (&left, &many));
}
