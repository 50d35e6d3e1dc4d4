//! Statements nested to the limit of the parser: every form is answered or refused, and no stack overflows.

use super::on_deep_stack;
use super::recorded::executed;

/// Nested brackets of a statement; some levels remain for the query around them.
const DEPTH: usize = 490;

/// Outcome of a form that is answered; of another one it is the error's message.
const ANSWERED: &str = "answered";

/// Prefix of each level, core, suffix of each level, and the outcome.
const FORMS: &[(&str, &str, &str, &str)] = &[
    ("(", "1", ")", ANSWERED),
    ("abs(", "1", ")", ANSWERED),
    ("CASE WHEN true THEN (", "1", ") END", "line 1:5236: nesting of more than 500 levels is not supported"),
    ("CAST(", "1", " AS bigint)", ANSWERED),
    ("coalesce(NULL, ", "1", ")", ANSWERED),
    ("ARRAY[", "1", "]", "line 1:2948: a type of more than 100 levels is not supported"),
    ("ROW(", "1", ")", "line 1:1564: a type of more than 100 levels is not supported"),
    ("1 + (", "1", ")", "line 1:1252: nesting of more than 500 levels is not supported"),
    ("try(", "1", ")", ANSWERED),
    ("1 IN (", "1", ")", "line 1:2942: IN value and list items must be the same type: integer, boolean"),
    ("(SELECT ", "1", ")", "line 1:1992: nesting of more than 500 levels is not supported"),
    ("EXISTS (SELECT ", "1", ")", "line 1:3728: nesting of more than 500 levels is not supported"),
    ("transform(ARRAY[1], x -> ", "1", ")", "line 1:3608: a type of more than 100 levels is not supported"),
    ("a[", "1", "]", "line 1:8: Column 'a' cannot be resolved"),
    ("(VALUES ", "1", ")", "line 1:17: expected: an expression, found: VALUES"),
];

#[test]
fn the_deepest_statements_are_answered_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_owned();
    let run = move || {
        let mut statements: Vec<(String, String, &str)> = Vec::new();
        for (before, core, behind, expected) in FORMS {
            // `transform` and similar functions have two brackets for each level.
            let depth = DEPTH / before.matches(['(', '[']).count().max(1);
            let value = format!("{}{core}{}", before.repeat(depth), behind.repeat(depth));
            statements.push(((*before).to_owned(), format!("SELECT {value}"), expected));
        }
        let tables = format!("SELECT * FROM {}(SELECT 1){}", "(SELECT * FROM ".repeat(490), ")".repeat(490));
        statements.push((
            "FROM (".to_owned(),
            tables,
            "line 1:7865: nesting of more than 500 levels is not supported",
        ));
        let functions = "IF true THEN ".repeat(90) + "RETURN 1;" + &" END IF;".repeat(90);
        let routine = format!("WITH FUNCTION f() RETURNS bigint BEGIN {functions} RETURN 2; END SELECT f()");
        statements.push(("IF true THEN".to_owned(), routine, ANSWERED));
        let outcome =
            |sql: &str| executed(sql, &path).map_or_else(|error| error.message, |_| ANSWERED.to_owned());
        let found: Vec<_> = statements.iter().map(|(form, sql, _)| (form.as_str(), outcome(sql))).collect();
        let expected: Vec<_> =
            statements.iter().map(|(form, _, expected)| (form.as_str(), (*expected).to_owned())).collect();
        assert_eq!(found, expected);
    };
    on_deep_stack(run);
}
