//! MATCH_RECOGNIZE: its keys, and the modes of its calls.

use super::{PassSet, catalog, check_error, run};
use crate::plan::{PatternInput, Plan};

/// A repeated key does not refine the partition or the order; the result has a column for each mention, as in Trino.
#[test]
fn repeated_keys_are_used_once() {
    let sql = "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a, b, a ORDER BY c, d, c DESC MEASURES X.f AS m \
               PATTERN (X) DEFINE X AS true)";
    let analyzed = run(sql, &catalog(), &PassSet::none()).expect(sql);
    let plan = analyzed.plan.to_string();
    assert!(plan.contains("PARTITION BY [c0, c1] ORDER BY [c2, c3]"), "{plan}");
    let names: Vec<&str> = analyzed.output.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "a", "m"]);
}

/// The mode of a call applies to all aggregates that the call is rewritten to, and to no other call.
#[test]
fn final_applies_to_all_aggregates_of_a_rewritten_call() {
    let finals = |measure: &str| {
        let sql = format!(
            "SELECT m FROM t MATCH_RECOGNIZE (ORDER BY a MEASURES {measure} AS m ALL ROWS PER MATCH PATTERN (X+) DEFINE X AS true)"
        );
        let analyzed = run(&sql, &catalog(), &PassSet::none());
        let plan = analyzed.unwrap_or_else(|failure| panic!("{sql}: {}", failure.message)).plan;
        let mut finals = Vec::new();
        plan.visit(&mut |node| {
            let Plan::MatchRecognize(node) = node else { return };
            for input in node.measures.iter().flat_map(|(_, value)| &value.inputs) {
                if let PatternInput::Aggregate(aggregate) = input {
                    finals.push(aggregate.is_final);
                }
            }
        });
        finals
    };
    assert_eq!(finals("FINAL approx_percentile(f, ARRAY[0.5, 0.9])"), [true, true]);
    assert_eq!(finals("approx_percentile(f, ARRAY[0.5, 0.9])"), [false, false]);
    assert_eq!(finals("FINAL sum(a) + sum(b)"), [true, false]);
    check_error(
        "SELECT m FROM t MATCH_RECOGNIZE (MEASURES FINAL json_value(c, 'lax $.a') || CAST(sum(a) AS varchar) AS m PATTERN (X) DEFINE X AS true)",
        "INVALID_PROCESSING_MODE line 1:43: FINAL semantics is supported only for FIRST(), LAST() and aggregation functions. Actual: json_value",
    );
}
