use super::*;
use crate::sql::types::parse_type;

fn types(names: &[&str]) -> Vec<crate::sql::types::Type> {
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
    check("round", &["decimal(10,2)", "integer"], "(decimal(10,2), bigint) decimal(11,2)");
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
fn names_and_signatures_are_sound() {
    let mut names: Vec<&str> =
        ScalarFunction::ALL.iter().flat_map(|function| function.names()).copied().collect();
    names.extend(AggregateFunction::ALL.iter().flat_map(|function| function.names()));
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
