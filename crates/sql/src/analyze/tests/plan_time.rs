//! Planning takes CPU time linear in the text, or refuses the text. The tests nest and repeat forms of expressions and
//! queries as often as the limits permit. Some of the pairs run with the other tests; `cargo xtask fuzz planning` runs
//! all of them, and triples.

use std::time::Duration;

use super::{Tables, catalog};
use crate::{PassSet, Session, cpu_time};
use rowhouse_model::{StatementParameters, Timestamp};

/// Expressions that are integers if `#` is one; `a` is an integer column.
const EXPRESSIONS: &[&str] = &[
    "(# + 1)",
    "(a - #)",
    "(- #)",
    "abs(#)",
    "coalesce(#, a)",
    "coalesce(a, #)",
    "nullif(#, 1)",
    "if(# > 1, a, 2)",
    "if(a > 1, #, #)",
    "(CASE WHEN # > 1 THEN 1 ELSE a END)",
    "(CASE # WHEN 1 THEN 1 WHEN 2 THEN 2 END)",
    "(CASE a WHEN # THEN 1 ELSE # END)",
    "if(# BETWEEN 1 AND 2, 1, 2)",
    "if(a BETWEEN # AND #, 1, 2)",
    "if(# IN (1, a), 1, 2)",
    "if(a IN (1, #), 1, 2)",
    "if((#, 1) = (1, a), 1, 2)",
    "if((1, #) < (a, 2), 1, 2)",
    "if((#, 1) IN ((1, a), (2, 2)), 1, 2)",
    "if((#, 1) IS NOT DISTINCT FROM (1, a), 1, 2)",
    "if(# IS NULL, 1, 2)",
    "if(NOT (# > 1 AND a > 1 OR a < 2), 1, 2)",
    "cardinality(ARRAY[#, a])",
    "ARRAY[#, a][1]",
    "greatest(#, a, 1)",
    "try(#)",
    "CAST(CAST(# AS varchar) AS integer)",
    "CAST(# AS integer)",
    "date_diff('day', DATE '2020-01-01', DATE '2020-01-01' + INTERVAL '1' DAY * #)",
    "strpos(CAST(# AS varchar), 'a')",
    "position(CAST(# AS varchar) IN 'a')",
    "length(trim(CAST(# AS varchar)))",
    "length(substring('abc' FROM # FOR 1))",
    "extract(DAY FROM DATE '2020-01-01' + INTERVAL '1' DAY * #)",
    "(SELECT #)",
    "(SELECT max(u.a + #) FROM u)",
    "(SELECT max(u.a) FROM u WHERE u.a = #)",
    "(SELECT max(u.a) FROM u WHERE u.a < #)",
    "(SELECT u.a FROM u WHERE u.x = # LIMIT 1)",
    "(SELECT # FROM (VALUES 1) v (b))",
    "if(EXISTS (SELECT 1 FROM u WHERE u.a = #), 1, 2)",
    "if(# IN (SELECT x FROM u), 1, 2)",
    "if((#, 1) IN (SELECT a, x FROM u), 1, 2)",
    "if(# > ALL (SELECT x FROM u), 1, 2)",
    "if(# = ANY (SELECT u.a + # FROM u), 1, 2)",
    "sum(#)",
    "sum(#) OVER (PARTITION BY a ORDER BY #)",
    "(1 / 0 + #)",
    "transform(ARRAY[#, a], x -> x + #)[1]",
    "reduce(ARRAY[1], #, (s, x) -> s + #, s -> s + #)",
    "CAST(reduce(ARRAY[1], 0, (s, x) -> # + BIGINT '1', s -> s) AS integer)",
];

/// Relations with an integer column `a` if `#` is one.
const RELATIONS: &[&str] = &[
    "(SELECT a FROM #)",
    "(SELECT a + a AS a FROM #)",
    "(SELECT a + a AS a FROM # WHERE a > 1 AND a + a < 5)",
    "(SELECT x.a FROM # x JOIN # y ON x.a = y.a)",
    "(SELECT x.a FROM # x CROSS JOIN t)",
    "(SELECT a FROM # x JOIN (SELECT a, x FROM u) y USING (a))",
    "(SELECT x.a FROM # x LEFT JOIN t ON x.a = t.a AND t.b > 1)",
    "(SELECT a FROM # x FULL JOIN (SELECT a FROM u) y USING (a))",
    "(SELECT a FROM # UNION ALL SELECT a FROM t)",
    "(SELECT a FROM # UNION SELECT a FROM #)",
    "(SELECT a FROM # EXCEPT SELECT a FROM t)",
    "(SELECT a FROM # INTERSECT SELECT a FROM #)",
    "(SELECT a, count(*) AS n FROM # GROUP BY a)",
    "(SELECT a, count(*) AS n FROM # GROUP BY CUBE (a), ROLLUP (a))",
    "(SELECT DISTINCT a FROM #)",
    "(SELECT a FROM # ORDER BY a LIMIT 5)",
    "(SELECT a FROM (SELECT a, row_number() OVER (PARTITION BY a ORDER BY a) n FROM #) WHERE n = 1)",
    "(SELECT a FROM # WHERE a IN (SELECT a FROM #))",
    "(SELECT a FROM # x WHERE EXISTS (SELECT 1 FROM u WHERE u.a = x.a))",
    "(SELECT a FROM # x WHERE a = (SELECT max(y.a) FROM # y WHERE y.a < x.a))",
    "(SELECT a FROM # x WHERE x.a > (SELECT sum(u.x) FROM u WHERE u.a <> x.a))",
    "(SELECT x.a FROM # x CROSS JOIN LATERAL (SELECT u.a AS b FROM u WHERE u.a = x.a) y)",
    "(SELECT x.a FROM # x CROSS JOIN UNNEST(ARRAY[x.a, 1]) v (b))",
    "(WITH w AS (SELECT a FROM #) SELECT x.a FROM w x JOIN w y ON x.a = y.a)",
    "(WITH w AS (SELECT a FROM #) SELECT a FROM w WHERE a > 1 UNION ALL SELECT a FROM w)",
    "(WITH w AS (SELECT a, count(*) n FROM # GROUP BY a) SELECT x.a FROM w x, w y)",
    "(WITH RECURSIVE w (a) AS (SELECT a FROM # UNION ALL SELECT a + 1 FROM w WHERE a < 3) SELECT a FROM w)",
    "(SELECT CASE WHEN a > 1 THEN a ELSE a + 1 END AS a FROM #)",
    "(SELECT coalesce(a, a + 1) AS a FROM # WHERE a BETWEEN a - 1 AND a + 1)",
    "(SELECT a FROM (VALUES 1, 2) v (a) WHERE a IN (SELECT a FROM #))",
    "(SELECT a FROM # MATCH_RECOGNIZE (ORDER BY a MEASURES X.a AS b ALL ROWS PER MATCH PATTERN (X Y*) DEFINE Y AS a > PREV(a)))",
    "(SELECT b AS a FROM (SELECT a FROM #) MATCH_RECOGNIZE (MEASURES LAST(X.a) + max(Y.a) AS b PATTERN (X+ Y) DEFINE X AS a > 1))",
];

/// Items that are repeated in place of `#` in a statement.
const LISTS: &[(&str, &str, &str)] = &[
    ("SELECT #", "a + @", ", "),
    ("SELECT #", "a AS c@", ", "),
    ("SELECT #", "sum(a + @)", ", "),
    ("SELECT #", "sum(a) OVER (ORDER BY b + @)", ", "),
    ("SELECT #", "(SELECT max(x) + @ FROM u)", ", "),
    ("SELECT #", "(SELECT max(x) FROM u WHERE u.a = t.a AND x > @)", ", "),
    ("SELECT #", "(SELECT max(x) FROM u WHERE u.a < t.a + @)", ", "),
    ("SELECT #", "CASE WHEN a = @ THEN 1 END", ", "),
    ("SELECT #", "current_date", ", "),
    ("SELECT #", "pi", ", "),
    ("SELECT CASE # END", "WHEN a = @ THEN b", " "),
    ("SELECT coalesce(#)", "a + @", ", "),
    ("SELECT a IN (#)", "@", ", "),
    ("SELECT a IN (#)", "b + @", ", "),
    ("SELECT (a, b) IN (#)", "(@, 1)", ", "),
    ("SELECT ARRAY[#]", "a + @", ", "),
    ("SELECT ROW(#)", "a + @", ", "),
    ("SELECT (#) = (#)", "a + @", ", "),
    ("SELECT (#) < (#)", "a + @", ", "),
    ("SELECT concat(#)", "c", ", "),
    ("SELECT #", "a", " + "),
    ("SELECT #", "c", " || "),
    ("SELECT a FROM t WHERE #", "a = @", " OR "),
    ("SELECT a FROM t WHERE #", "a = @", " AND "),
    ("SELECT a FROM t WHERE #", "(a = @ AND b = @)", " OR "),
    ("SELECT a FROM t WHERE #", "(a = @ OR b = @)", " AND "),
    ("SELECT a FROM t WHERE #", "a < b", " AND "),
    ("SELECT a FROM t WHERE (#) OR (#)", "a = @", " AND "),
    ("SELECT a FROM t WHERE #", "EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND x = @)", " AND "),
    ("SELECT a FROM t WHERE #", "EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND x = @)", " OR "),
    ("SELECT a FROM t WHERE #", "a IN (SELECT x FROM u WHERE x > @)", " AND "),
    ("SELECT count(*) FROM t GROUP BY #", "a + @", ", "),
    ("SELECT count(*) FROM t GROUP BY ROLLUP (#)", "a + @", ", "),
    ("SELECT count(*) FROM t GROUP BY GROUPING SETS (#)", "(a, b + @)", ", "),
    ("SELECT count(*) FROM t GROUP BY #", "CUBE (a, b)", ", "),
    ("SELECT a, b, sum(a) FROM t GROUP BY #", "AUTO", ", "),
    ("SELECT # FROM t GROUP BY AUTO, AUTO", "sum(a + @)", ", "),
    ("SELECT # FROM t GROUP BY AUTO, AUTO", "a + @", ", "),
    ("SELECT a FROM t ORDER BY #", "a + @", ", "),
    ("SELECT DISTINCT ON (#) a FROM t", "a + @", ", "),
    ("SELECT count(*) FROM #", "t t@", ", "),
    ("SELECT count(*) FROM t t0 #", "JOIN t t@ ON t0.a = t@.a", " "),
    ("SELECT count(*) FROM t t0 #", "LEFT JOIN t t@ ON t0.a = t@.a", " "),
    ("SELECT * FROM t t0 #", "JOIN t t@ USING (a)", " "),
    ("SELECT count(*) FROM t t0 #", "CROSS JOIN UNNEST(ARRAY[t0.a]) t@ (x)", " "),
    ("VALUES #", "(1, @)", ", "),
    ("VALUES #", "1 + @", ", "),
    ("SELECT * FROM (VALUES (#)) v (#)", "c@", ", "),
    ("#", "SELECT a FROM t", " UNION ALL "),
    ("#", "SELECT a FROM t", " UNION "),
    ("#", "SELECT a FROM t", " EXCEPT "),
    ("#", "(SELECT a FROM t LIMIT @)", " UNION ALL "),
    ("SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES # PATTERN (X) DEFINE X AS true)", "a + @ AS c@", ", "),
    ("SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY # PATTERN (X) DEFINE X AS true)", "a", ", "),
    (
        "SELECT 1 FROM t MATCH_RECOGNIZE (ORDER BY # MEASURES a AS d ALL ROWS PER MATCH PATTERN (X) DEFINE X AS true)",
        "a",
        ", ",
    ),
    (
        "SELECT 1 FROM (SELECT # FROM t) MATCH_RECOGNIZE (MEASURES c1 AS d ALL ROWS PER MATCH PATTERN (X) DEFINE X AS true)",
        "a AS c@",
        ", ",
    ),
    ("SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES # AS d PATTERN (X) DEFINE X AS true)", "LAST(X.a, @)", " + "),
    ("SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES # AS d PATTERN (X) DEFINE X AS true)", "sum(X.a + @)", " + "),
    (
        "SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES a AS d PATTERN (X) DEFINE X AS #)",
        "a > PREV(a, @)",
        " AND ",
    ),
    ("SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES a AS d PATTERN (#) DEFINE X1 AS true)", "X@", " "),
    ("SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES a AS d PATTERN (#) DEFINE X1 AS true)", "X@", " | "),
    ("SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES a AS d PATTERN (#) DEFINE X1 AS true)", "X@{@}", " "),
    ("SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES a AS d PATTERN (PERMUTE(#)) DEFINE X1 AS true)", "X@", ", "),
    (
        "SELECT 1 FROM t MATCH_RECOGNIZE (MEASURES a AS d PATTERN (X) SUBSET # DEFINE X AS true)",
        "U@ = (X)",
        ", ",
    ),
    ("WITH # SELECT 1", "w@ AS (SELECT @ AS x)", ", "),
];

/// Chains of queries that build on each other: `@` is the number of a query, `^` that of the previous one.
const QUERY_CHAINS: &[(&str, &str)] = &[
    ("w@ AS (SELECT a FROM w^)", "SELECT a FROM w!"),
    ("w@ AS (SELECT x.a FROM w^ x, w^ y)", "SELECT a FROM w!"),
    ("w@ AS (SELECT a FROM w^ UNION ALL SELECT a FROM w^)", "SELECT a FROM w!"),
    ("w@ AS (SELECT a + a AS a FROM w^ WHERE a > @)", "SELECT a FROM w! WHERE a > 1"),
    ("w@ AS (SELECT max(a) AS a FROM w^)", "SELECT x.a FROM w! x, w! y"),
    ("w@ AS (SELECT a FROM w0)", "SELECT a FROM w!"),
    ("w@ AS (SELECT a FROM w^ WHERE a IN (SELECT a FROM w^))", "SELECT a FROM w!"),
    ("w@ AS (SELECT a FROM w^ x WHERE EXISTS (SELECT 1 FROM w^ y WHERE y.a < x.a))", "SELECT a FROM w!"),
];

/// The nesting depth of forms, and the approximate length of repeated items in bytes.
const DEPTH: usize = 40;
const TEXT: usize = 20_000;

pub(super) fn time_of(sql: &str) -> (Duration, String) {
    let (outcome, time) = cpu_time::of(|| {
        let session = Session {
            user: "ada".to_owned(),
            now: Timestamp::from_millis(1_700_000_000_000),
            time_zone: "UTC".to_owned(),
            parameters: StatementParameters::default(),
        };
        super::super::analyze_here(sql, &catalog(), &mut Tables, &session, &PassSet::default()).map(drop)
    });
    (time, outcome.err().map_or_else(|| "planned".to_owned(), |failure| failure.message))
}

/// The time limit of a statement. Its constant part is for statements that are refused when their budget is spent, and
/// is about ten times what that takes without optimization. 40 levels of any doubling would take days.
fn limit(bytes: usize) -> Duration {
    Duration::from_secs(20) + Duration::from_micros(100) * u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn check(name: &str, sql: &str, slow: &mut Vec<String>) {
    let least = (0..3).map(|_| time_of(sql).0).find(|time| *time <= limit(sql.len()));
    if least.is_none() {
        let (time, outcome) = time_of(sql);
        slow.push(format!("{name}: {time:?} for {} bytes ({outcome:.100})", sql.len()));
    }
}

/// Nests forms in each other alternately.
fn nested(forms: &[&str], core: &str, depth: usize) -> String {
    let mut text = core.to_owned();
    for level in 0..depth {
        let form = forms[level % forms.len()];
        // A form with two placeholders gets the nested text only in the first one, because two would double the text.
        text = form.replacen('#', &text, 1).replace('#', core);
        if text.len() > TEXT {
            break;
        }
    }
    text
}

pub(super) fn run(work: impl FnOnce(&mut Vec<String>) + Send) {
    let slow = crate::deep_stack::on_deep_stack(|| {
        let mut slow = Vec::new();
        work(&mut slow);
        Ok(slow)
    });
    let slow = slow.expect("the search ends");
    assert!(slow.is_empty(), "{} statements take too long:\n{}", slow.len(), slow.join("\n"));
}

/// Checks each form with itself, and one of every `one_of` other pairs.
fn check_pairs(forms: &[&str], before: &str, after: &str, core: &str, one_of: usize) {
    run(|slow| {
        for (i, a) in forms.iter().enumerate() {
            for (j, b) in forms.iter().enumerate() {
                if i == j || (i + 3 * j) % one_of == 0 {
                    let sql = format!("{before}{}{after}", nested(&[a, b], core, DEPTH));
                    check(&format!("{a} {b} {core}"), &sql, slow);
                }
            }
        }
    });
}

#[test]
fn nested_expressions_are_planned_in_linear_time_or_refused() {
    check_pairs(EXPRESSIONS, "SELECT ", " FROM t", "a", 23);
}

#[test]
fn nested_relations_are_planned_in_linear_time_or_refused() {
    check_pairs(RELATIONS, "", "", "t", 23);
}

#[test]
#[ignore = "takes half an hour; cargo xtask fuzz planning runs it"]
fn all_pairs_and_triples_are_planned_in_linear_time_or_refused() {
    for core in ["a", "1"] {
        check_pairs(EXPRESSIONS, "SELECT ", " FROM t", core, 1);
    }
    check_pairs(RELATIONS, "", "", "t", 1);
    run(|slow| {
        for (i, a) in EXPRESSIONS.iter().enumerate() {
            for (j, b) in EXPRESSIONS.iter().enumerate() {
                let c = EXPRESSIONS[(7 * i + 11 * j) % EXPRESSIONS.len()];
                let sql = format!("SELECT {} FROM t", nested(&[a, b, c], "a", DEPTH));
                check(&format!("{a} {b} {c}"), &sql, slow);
            }
        }
    });
}

#[test]
fn long_lists_and_query_chains_are_planned_in_linear_time_or_refused() {
    run(|slow| {
        for (statement, item, separator) in LISTS {
            for size in [TEXT / 10, TEXT] {
                let count = size / (item.len() + separator.len() + 3);
                let items: Vec<String> =
                    (1..=count).map(|number| item.replace('@', &number.to_string())).collect();
                let mut sql = statement.replace('#', &items.join(separator));
                if !sql.contains(" FROM ") && !sql.contains("VALUES") {
                    sql.push_str(" FROM t");
                }
                check(&format!("{statement} {item} × {count}"), &sql, slow);
            }
        }
        for (step, end) in QUERY_CHAINS {
            for count in [60, 400, 4000] {
                let steps: Vec<String> = (1..=count)
                    .map(|number| {
                        step.replace('@', &number.to_string()).replace('^', &(number - 1).to_string())
                    })
                    .collect();
                let end = end.replace('!', &count.to_string());
                let sql = format!("WITH w0 AS (SELECT a FROM t), {} {end}", steps.join(", "));
                check(&format!("{step} × {count}"), &sql, slow);
            }
        }
    });
}
