#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use rowhouse_model::{AccountId, Column, ParameterValue, SavedSql, SavedSqlId, WorkspaceId};

use super::*;

const SQL: &str = "-- Parameter: day date required \"Day of the order\"
-- Parameter: region varchar in ('EU', 'US') default 'EU'
-- Parameter: n integer between 1 and 1000 default 100
-- Parameter: keys array(bigint) between 1 and 9
-- Parameter: flag boolean
-- Cache: 60s stale 10m
-- Limit: 10 rows 5s
-- Order by: AMOUNT
-- Shared: consumers
SELECT amount FROM t WHERE d = :day AND r = :region AND contains(:keys, k) AND :flag LIMIT :n";

fn refused(sql: &str, expected: &str) {
    let error = Definition::of(sql).and_then(|definition| definition.with_columns(&columns())).unwrap_err();
    assert!(error.message().contains(expected), "{sql}: {}", error.message());
}

fn columns() -> Vec<Column> {
    vec![Column::new("day", "date"), Column::new("amount", "bigint")]
}

fn endpoint(sql: &str) -> Arc<Endpoint> {
    let endpoints = Endpoints::default();
    let workspace_id = WorkspaceId::new("w");
    let saved_sql = SavedSql {
        id: SavedSqlId::new("s"),
        title: "Sales".to_owned(),
        description: None,
        sql: sql.to_owned(),
        workspace_id: workspace_id.clone(),
        account_id: Some(AccountId::new("a")),
        sql_name: Some("sales".to_owned()),
    };
    let definition = Definition::of(sql).unwrap().with_columns(&columns()).unwrap();
    endpoints.hold(saved_sql, columns(), definition);
    Arc::clone(endpoints.by_workspace.get(&workspace_id).unwrap().get("sales").unwrap())
}

/// The values that a call binds as JSON, or the names and reasons of its faults.
fn bind(given: &[(&str, Argument<'_>)]) -> String {
    match endpoint(SQL).bind(given, &["limit", "format"]) {
        Ok(bound) => serde_json::to_string(&bound).unwrap(),
        Err(wrong) => {
            let faults =
                wrong.iter().map(|wrong| format!("{}: {} ({})", wrong.name, wrong.message, wrong.expected));
            faults.collect::<Vec<_>>().join("\n")
        }
    }
}

fn texts<'a>(texts: &[&'a str]) -> Argument<'a> {
    Argument::Texts(texts.to_vec())
}

#[test]
fn all_declarations_of_a_definition_are_parsed() {
    let endpoint = endpoint(SQL);
    assert_eq!((endpoint.max_rows(), endpoint.max_run_time()), (Some(10), Some(Duration::from_secs(5))));
    assert_eq!(endpoint.cache().unwrap().fresh, Duration::from_secs(60));
    assert_eq!((endpoint.order_columns(), endpoint.is_shared()), ([1].as_slice(), true));
    let sample = Definition::of(SQL).unwrap().sample();
    let expected = r#"{"day":{"type":"date","value":null},"flag":{"type":"boolean","value":null},"keys":{"type":"array(bigint)","value":[1]},"n":{"type":"integer","value":100},"region":{"type":"varchar","value":"EU"}}"#;
    assert_eq!(serde_json::to_string(&sample).unwrap(), expected);
}

#[test]
fn declarations_that_do_not_match_the_statement_are_located() {
    refused("SELECT :day", "line 1:8: the parameter :day is not declared; an endpoint declares");
    refused(
        "-- Parameter: day date\nSELECT :daz",
        "line 1:15: the statement does not name :day; did you mean :daz?",
    );
    refused("-- Parameter: a money\nSELECT :a", "line 1:15: the parameter a: unknown type 'money'");
    refused("-- Parameter: a date reqired\nSELECT :a", "unknown type");
    refused("-- Parameter: a map(bigint, bigint)\nSELECT :a", "a parameter cannot be of this type");
    refused(
        "-- Parameter: a date in ('2026-01-01', 'x')\nSELECT :a",
        "`in` of the parameter a: \"x\" is no value of type date",
    );
    refused(
        "-- Parameter: a integer between 5 and 1\nSELECT :a",
        "`between` of the parameter a: the first bound is over the second",
    );
    refused(
        "-- Parameter: a integer between 1 and null\nSELECT :a",
        "the type has no order, or a bound is null",
    );
    refused(
        "-- Parameter: a integer between 1 and 5 default 6\nSELECT :a",
        "`default` of the parameter a: it is out of range",
    );
    refused("-- Order by: day, net\nSELECT 1", "line 1:19: column `net` does not exist");
    refused(
        "-- Parameter: a date required\n-- Cache: 1m warm\nSELECT :a",
        "line 1:15: the parameter a is required, and an endpoint with `-- Cache: … warm` is called without values",
    );
    refused("-- Cache: x\nSELECT 1", "line 1:11: malformed declaration");
    refused(&format!("SELECT '{}'", "x".repeat(64 << 10)), "at most 65536 bytes");
}

#[test]
fn arguments_are_bound_with_their_declared_types() {
    let day = ("day", texts(&["2026-01-01"]));
    assert_eq!(
        bind(&[day.clone(), ("limit", texts(&["5"]))]),
        r#"{"day":{"type":"date","value":"2026-01-01"},"flag":{"type":"boolean","value":null},"keys":{"type":"array(bigint)","value":null},"n":{"type":"integer","value":100},"region":{"type":"varchar","value":"EU"}}"#
    );
    assert_eq!(
        bind(&[
            day.clone(),
            ("region", texts(&["US"])),
            ("keys", texts(&["1", "2"])),
            ("flag", texts(&["true"])),
            ("n", Argument::Value(ParameterValue::Number("7".to_owned()))),
        ]),
        r#"{"day":{"type":"date","value":"2026-01-01"},"flag":{"type":"boolean","value":true},"keys":{"type":"array(bigint)","value":["1","2"]},"n":{"type":"integer","value":7},"region":{"type":"varchar","value":"US"}}"#
    );
}

#[test]
fn all_faults_of_a_call_are_reported_at_once() {
    let found = bind(&[
        ("regoin", texts(&["EU"])),
        ("region", texts(&["EU", "US"])),
        ("n", texts(&["1001"])),
        ("keys", texts(&["1", "x"])),
        ("flag", texts(&["yes"])),
    ]);
    let expected = "regoin: the endpoint has no such parameter; did you mean region? (one of day, region, n, keys, flag, limit, format)
day: it is missing (a value of type date)
region: it is given more than once (varchar, one of 'EU', 'US')
n: it is out of range (integer between 1 and 1000)
keys: \"x\" is no value of type bigint (array(bigint) between 1 and 9)
flag: \"yes\" is no value of type boolean (a value of type boolean)";
    assert_eq!(found, expected);
    let null = ("day", Argument::Value(ParameterValue::Null));
    assert!(bind(&[null]).starts_with("day: it must not be null"));
    let beyond =
        ("keys", Argument::Value(ParameterValue::Array(vec![ParameterValue::Number("10".to_owned())])));
    assert!(bind(&[("day", texts(&["2026-01-01"])), beyond]).starts_with("keys: it is out of range"));
    let other = ("region", texts(&["eu"]));
    assert!(bind(&[("day", texts(&["2026-01-01"])), other]).starts_with("region: it is none of the allowed"));
}
