use super::*;
use crate::types::parse_type;

fn types(names: &[&str]) -> Vec<crate::types::Type> {
    names.iter().map(|name| parse_type(name).expect("a type name")).collect()
}

fn check(name: &str, arguments: &[&str], expected: &str) {
    let function = ScalarFunction::by_name(name).expect("a scalar function");
    let found = match resolve_scalar(function, &types(arguments)) {
        Ok(resolution) => {
            let arguments: Vec<String> = resolution.arguments.iter().map(ToString::to_string).collect();
            format!("({}) {}", arguments.join(", "), resolution.result)
        }
        Err(_) => "none".to_owned(),
    };
    assert_eq!(found, expected, "{name}{arguments:?}");
}

#[test]
fn scalar_signatures_fit() {
    check("abs", &["tinyint"], "(tinyint) tinyint");
    check("abs", &["varchar"], "none");
    check("sqrt", &["integer"], "(double) double");
    check("round", &["decimal(10,2)"], "(decimal(10,2)) decimal(9,0)");
    check("round", &["decimal(10,2)", "integer"], "(decimal(10,2), integer) decimal(11,2)");
    check(
        "coalesce",
        &["integer", "unknown", "decimal(4,2)"],
        "(decimal(12,2), decimal(12,2), decimal(12,2)) decimal(12,2)",
    );
    check("concat", &["varchar"], "none");
    check("concat", &["varchar", "unknown"], "(varchar, varchar) varchar");
    check("concat", &["array(integer)", "array(bigint)"], "(array(bigint), array(bigint)) array(bigint)");
    check("year", &["date"], "(date) bigint");
    check("year", &["timestamp(6)"], "(timestamp(6)) bigint");
    check("date_diff", &["varchar", "date", "timestamp(6)"], "(varchar, timestamp(6), timestamp(6)) bigint");
    check("element_at", &["array(varchar)", "integer"], "(array(varchar), bigint) varchar");
    check("contains", &["array(integer)", "bigint"], "(array(bigint), bigint) boolean");
    check("row", &["integer", "varchar"], "(integer, varchar) row(integer, varchar)");
    check("substr", &["varchar", "integer", "integer"], "(varchar, bigint, bigint) varchar");
    check("date_trunc", &["varchar(5)", "timestamp(2)"], "(varchar(5), timestamp(2)) timestamp(2)");
    check("bitwise_left_shift", &["tinyint", "smallint"], "(tinyint, integer) tinyint");
    check("bitwise_left_shift", &["integer", "bigint"], "none");
    check("nullif", &["integer", "decimal(4,2)"], "(integer, decimal(12,2)) integer");
    check("nullif", &["integer", "varchar"], "none");
}

#[test]
fn lengths_of_texts_match_trino() {
    check("upper", &["varchar(3)"], "(varchar(3)) varchar(3)");
    check("upper", &["varchar"], "(varchar) varchar");
    check("upper", &["unknown"], "(varchar(0)) varchar(0)");
    check("trim", &["varchar(3)", "varchar(9)"], "(varchar(3), varchar(9)) varchar(3)");
    check("concat", &["varchar(3)", "varchar(5)"], "(varchar(3), varchar(5)) varchar");
    check("split", &["varchar(3)", "varchar(1)"], "(varchar(3), varchar(1)) array(varchar(3))");
    check("coalesce", &["varchar(3)", "varchar(5)"], "(varchar(5), varchar(5)) varchar(5)");
    check("contains", &["array(varchar(3))", "varchar(5)"], "(array(varchar(5)), varchar(5)) boolean");
    check("concat_ws", &["varchar(1)", "array(varchar(5))"], "(varchar(1), array(varchar(5))) varchar");
    check(
        "replace",
        &["varchar(3)", "varchar", "varchar(3)"],
        "(varchar(3), varchar, varchar(3)) varchar(15)",
    );
    check("replace", &["varchar(3)", "varchar(1)", "varchar"], "(varchar(3), varchar(1), varchar) varchar");
    check(
        "regexp_replace",
        &["varchar(3)", "varchar(1)", "varchar(1)"],
        "(varchar(3), varchar(1), varchar(1)) varchar(7)",
    );
    check("to_iso8601", &["timestamp(0)"], "(timestamp(0)) varchar(22)");
    check("to_iso8601", &["timestamp(3) with time zone"], "(timestamp(3) with time zone) varchar(32)");
}

fn check_aggregate(name: &str, arguments: &[&str], expected: &str) {
    let function = AggregateFunction::by_name(name).expect("an aggregate function");
    let found = resolve_aggregate(function, &types(arguments)).map(|found| found.result.to_string());
    assert_eq!(found.as_deref().unwrap_or("none"), expected, "{name}{arguments:?}");
}

#[test]
fn aggregate_signatures_fit() {
    check_aggregate("count", &[], "bigint");
    check_aggregate("count", &["varchar"], "bigint");
    check_aggregate("sum", &["integer"], "bigint");
    check_aggregate("sum", &["decimal(15,2)"], "decimal(38,2)");
    check_aggregate("sum", &["varchar"], "none");
    check_aggregate("avg", &["integer"], "double");
    check_aggregate("avg", &["decimal(15,2)"], "decimal(15,2)");
    check_aggregate("max_by", &["varchar", "date"], "varchar");
    check_aggregate("array_agg", &["date"], "array(date)");
}

#[test]
fn function_names_are_unique_and_signatures_are_valid() {
    let mut names: Vec<&str> =
        ScalarFunction::ALL.iter().flat_map(|function| function.names()).copied().collect();
    names.extend(AggregateFunction::ALL.iter().flat_map(|function| function.names()));
    names.extend(ArrayAggregate::ALL.iter().flat_map(|function| function.names()));
    names.extend(RankingFunction::ALL.iter().flat_map(|function| function.names()));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "a name stands twice");
    assert!(
        names
            .iter()
            .all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'))
    );
}

/// The list in `docs/sql.md` must match the registry; `ROWHOUSE_UPDATE_DOCS=1` rewrites the list.
#[test]
fn the_documentation_lists_every_function() {
    use std::fmt::Write;

    let mut list = String::new();
    let mut table = |title: &str, rows: Vec<(&[&str], &[&str], &str)>| {
        write!(list, "\n### {title}\n\n| function | arguments and result | |\n|---|---|---|\n")
            .expect("a string");
        for (names, signatures, description) in rows {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let signatures: Vec<String> =
                signatures.iter().map(|signature| format!("`{signature}`").replace('|', "\\|")).collect();
            let description = description.trim().replace('|', "\\|");
            writeln!(list, "| {} | {} | {description} |", names.join(", "), signatures.join(" "))
                .expect("a string");
        }
    };
    table(
        "Scalar functions",
        ScalarFunction::ALL.iter().map(|f| (f.names(), f.signatures(), f.description())).collect(),
    );
    table(
        "Aggregate functions",
        AggregateFunction::ALL.iter().map(|f| (f.names(), f.signatures(), f.description())).collect(),
    );
    table(
        "Aggregate functions of the array of a group's values",
        ArrayAggregate::ALL.iter().map(|f| (f.names(), f.signatures(), f.description())).collect(),
    );
    table(
        "Window functions",
        RankingFunction::ALL.iter().map(|f| (f.names(), f.signatures(), f.description())).collect(),
    );

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sql.md");
    let text = std::fs::read_to_string(path).expect("docs/sql.md");
    let (start, end) = ("<!-- functions -->\n", "\n<!-- end of functions -->");
    let (head, rest) = text.split_once(start).expect("the start of the list");
    let (found, tail) = rest.split_once(end).expect("the end of the list");
    if std::env::var_os("ROWHOUSE_UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{head}{start}{list}{end}{tail}")).expect("docs/sql.md is written");
        return;
    }
    assert!(found == list, "docs/sql.md does not list the registry's functions: set ROWHOUSE_UPDATE_DOCS=1");
}
