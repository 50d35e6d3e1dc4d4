//! Statements nested to the limit of the parser: every form is answered or refused, and no stack overflows.

use super::recorded::executed;

/// Nested brackets of a statement; some levels remain for the query around them.
const DEPTH: usize = 490;
/// Bytes of the stack on which statements run here: a third of a worker's, `rowhouse_sql::STACK_BYTES`.
const STACK_BYTES: usize = 64 << 20;

const ANSWERED: &str = "answered";

/// Prefix of each level, core, and suffix of each level.
const FORMS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("abs(", "1", ")"),
    ("CASE WHEN true THEN (", "1", ") END"),
    ("CAST(", "1", " AS bigint)"),
    ("coalesce(NULL, ", "1", ")"),
    ("ARRAY[", "1", "]"),
    ("ROW(", "1", ")"),
    ("1 + (", "1", ")"),
    ("try(", "1", ")"),
    ("1 IN (", "1", ")"),
    ("(SELECT ", "1", ")"),
    ("EXISTS (SELECT ", "1", ")"),
    ("transform(ARRAY[1], x -> ", "1", ")"),
    ("a[", "1", "]"),
    ("(VALUES ", "1", ")"),
];

#[test]
fn the_deepest_statements_are_answered_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_owned();
    let run = move || {
        let mut outcomes: Vec<String> = Vec::new();
        for (before, core, behind) in FORMS {
            // `transform` and similar functions have two brackets for each level.
            let depth = DEPTH / before.matches(['(', '[']).count().max(1);
            let value = format!("{}{core}{}", before.repeat(depth), behind.repeat(depth));
            let outcome = executed(&format!("SELECT {value}"), &path);
            outcomes.push(outcome.map_or_else(|error| error.message, |_| ANSWERED.to_owned()));
        }
        let tables = format!("SELECT * FROM {}(SELECT 1){}", "(SELECT * FROM ".repeat(490), ")".repeat(490));
        let outcome = executed(&tables, &path);
        outcomes.push(outcome.map_or_else(|error| error.message, |_| ANSWERED.to_owned()));
        let functions = "IF true THEN ".repeat(90) + "RETURN 1;" + &" END IF;".repeat(90);
        let routine = format!("WITH FUNCTION f() RETURNS bigint BEGIN {functions} RETURN 2; END SELECT f()");
        assert!(executed(&routine, &path).is_ok());
        outcomes
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run).expect("a thread");
    let outcomes = thread.join().expect("no stack overflows");
    let answered = outcomes.iter().filter(|outcome| *outcome == ANSWERED).count();
    assert!(answered >= 3, "{outcomes:#?}");
}
