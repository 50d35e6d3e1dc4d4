use proptest::prelude::*;

use super::*;
use crate::IsValue;

/// Parses with columns and compares the result, written as `column|OPERATOR|operand`.
fn check(columns: &[&str], text: &str, expected: &str) {
    let filter = Filter::parse(text, columns).unwrap_or_else(|error| panic!("{text}: {error}"));
    let operand = match filter.operand() {
        Operand::Text(text) => format!("{text:?}"),
        Operand::List(texts) => format!("{texts:?}"),
        Operand::Range { low, high } => format!("{low:?}..={high:?}"),
        Operand::Pattern(pattern) => format!("~{}", pattern.as_str()),
        Operand::Is(value) => value.to_string(),
    };
    assert_eq!(format!("{}|{}|{operand}", filter.column(), filter.operator()), expected, "{text}");
    assert_eq!(Filter::parse(&filter.to_string(), columns).as_ref(), Ok(&filter), "{text}");
}

fn check_error(columns: &[&str], text: &str, kind: ErrorKind, expected: &str) {
    let error = Filter::parse(text, columns).expect_err(text);
    assert_eq!((error.kind(), error.to_string().as_str()), (kind, expected), "{text}");
    assert_eq!(error.location(), None);
}

#[test]
fn splits_at_the_first_two_colons() {
    check(&["a"], "a:EQ:1", r#"a|EQ|"1""#);
    check(&["a"], "a:EQ:12:30:00", r#"a|EQ|"12:30:00""#);
    check(&["a"], "a:EQ:", r#"a|EQ|"""#);
    check(&["a"], "a:EQ::", r#"a|EQ|":""#);
    check(&["a"], "a:EQ: x ", r#"a|EQ|" x ""#);
    check(&["a"], "nowhere:EQ:1", r#"nowhere|EQ|"1""#);
    check(&["A"], "a:EQ:1", r#"a|EQ|"1""#);
    check(&[], "été:EQ:\u{1f600}", "été|EQ|\"\u{1f600}\"");
    check(&["", "a"], ":EQ:1", r#"|EQ|"1""#);
}

#[test]
fn a_longer_prefix_that_is_exactly_a_column_wins() {
    check(&["price:usd", "price"], "price:usd:GT:5", r#"price:usd|GT|"5""#);
    check(&["price:usd", "price"], "price:GT:5", r#"price|GT|"5""#);
    check(&["a", "a:EQ", "a:EQ:b"], "a:EQ:b:eq:c", r#"a:EQ:b|EQ|"c""#);
    check(&["a", "a:EQ"], "a:EQ:gt:c", r#"a:EQ|GT|"c""#);
    check(&["urn:x:y"], "urn:x:y:EQ:urn:x:y", r#"urn:x:y|EQ|"urn:x:y""#);
    check(&["a:b", "a:b:EQ:c"], "a:b:EQ:c:GT:1", r#"a:b:EQ:c|GT|"1""#);
    check(&["a:b:EQ:c", "a:b"], "a:b:EQ:c:GT:1", r#"a:b:EQ:c|GT|"1""#);
    check(&["a:"], "a::EQ:1", r#"a:|EQ|"1""#);
    // No operator follows the longer prefix.
    check(&["a", "a:EQ"], "a:EQ:x:c", r#"a|EQ|"x:c""#);
    check(&["a", "a:EQ"], "a:EQ:GT", r#"a|EQ|"GT""#);
    // The longer prefix is not exactly a column's name.
    check(&["a", "A:eq"], "a:eq:gt:c", r#"a|EQ|"gt:c""#);
}

#[test]
fn printing_keeps_the_spelling_where_upper_case_would_name_another_column() {
    let columns = ["a", "a:EQ:b"];
    check(&columns, "a:eq:b:EQ:c", r#"a|EQ|"b:EQ:c""#);
    let printed = |text: &str| Filter::parse(text, &columns).expect(text).to_string();
    assert_eq!(printed("a:eq:b:EQ:c"), "a:eq:b:EQ:c");
    assert_eq!(printed("a:eq:b"), "a:EQ:b");
    assert_eq!(printed("a:in_not:NULL"), "a:IS_NOT:null");
}

#[test]
fn operators_in_any_letter_case() {
    for operator in Operator::ALL {
        let value = match operator {
            Operator::Is | Operator::IsNot => "null",
            Operator::Between => "1,2",
            _ => "1",
        };
        let name = operator.as_str();
        let capitalised = name[..1].to_owned() + &name[1..].to_lowercase();
        for spelling in [name.to_owned(), name.to_lowercase(), capitalised] {
            let filter = Filter::parse(&format!("c:{spelling}:{value}"), &["c"]).expect(&spelling);
            assert_eq!(filter.operator(), operator);
        }
    }
    check(&["c"], "c:IN_NOT:null", "c|IS_NOT|null");
    check(&["c"], "c:in_not:null", "c|IS_NOT|null");
}

#[test]
fn operands_follow_the_operator() {
    check(&["c"], "c:EQ:a,b", r#"c|EQ|"a,b""#);
    check(&["c"], "c:EQ:null", r#"c|EQ|"null""#);
    check(&["c"], "c:IN:a,b, c", r#"c|IN|["a", "b", " c"]"#);
    check(&["c"], "c:IN:a", r#"c|IN|["a"]"#);
    check(&["c"], "c:IN:", r#"c|IN|[""]"#);
    check(&["c"], "c:IN:10:30,11:30", r#"c|IN|["10:30", "11:30"]"#);
    check(&["c"], "c:BETWEEN:1,2", r#"c|BETWEEN|"1"..="2""#);
    check(
        &["c"],
        "c:BETWEEN:2024-01-01T00:00:00,2024-01-02",
        r#"c|BETWEEN|"2024-01-01T00:00:00"..="2024-01-02""#,
    );
    check(&["c"], r"c:LIKE:50\%%", r"c|LIKE|~50\%%");
    check(&["c"], "c:IS:null", "c|IS|null");
    check(&["c"], "c:is:NULL", "c|IS|null");
    check(&["c"], "c:IS_NOT:True", "c|IS_NOT|true");
    check(&["c"], "c:IS:false", "c|IS|false");
    let filter = Filter::parse("c:is:FALSE", &["c"]).expect("a filter");
    assert_eq!(filter.operand(), &Operand::Is(IsValue::False));
}

#[test]
fn malformed_filters_are_located() {
    let check = |text: &str, expected: &str| check_error(&["a"], text, ErrorKind::MalformedFilter, expected);
    check("", "filter ``, character 1: expected `column:operator:value`, there is no `:` after the column");
    check(
        "abc",
        "filter `abc`, character 4: expected `column:operator:value`, there is no `:` after the column",
    );
    check(
        "a:eq",
        "filter `a:eq`, character 5: expected `column:operator:value`, there is no `:` and value after the operator EQ",
    );
    check(
        "a:5",
        "filter `a:5`, character 4: expected `column:operator:value`, found only one `:`, before `5`",
    );
    check(":eq:5", "filter `:eq:5`, character 1: expected `column:operator:value`, the column is missing");
}

#[test]
fn unknown_operators_are_located() {
    let list = "EQ, NEQ, LT, LTE, GT, GTE, IS, IS_NOT, IN, LIKE, BETWEEN";
    let check = |text: &str, expected: &str| {
        let expected = expected.replace("LIST", list);
        check_error(&["a"], text, ErrorKind::UnknownOperator, &expected);
    };
    check(
        "été:GTEE:1",
        "filter `été:GTEE:1`, character 5: unknown operator `GTEE`, expected one of LIST; did you mean GTE?",
    );
    check(
        "a:>=:1",
        "filter `a:>=:1`, character 3: unknown operator `>=`, expected one of LIST; did you mean GTE?",
    );
    check(
        "a:contains:1",
        "filter `a:contains:1`, character 3: unknown operator `contains`, expected one of LIST",
    );
    check("a::1", "filter `a::1`, character 3: unknown operator ``, expected one of LIST");
}

#[test]
fn malformed_operands_are_located() {
    let check = |text: &str, expected: &str| check_error(&["a"], text, ErrorKind::MalformedOperand, expected);
    check(
        "a:IS:nul",
        "filter `a:IS:nul`, character 6: IS takes `null`, or `true` or `false` on a boolean column, not `nul`; did you \
         mean `null`?",
    );
    check(
        "a:in_not:5",
        "filter `a:in_not:5`, character 10: IS_NOT takes `null`, or `true` or `false` on a boolean column, not `5`",
    );
    check(
        "a:BETWEEN:1",
        "filter `a:BETWEEN:1`, character 11: BETWEEN takes two values separated by one `,`, found 1 in `1`",
    );
    check(
        "a:BETWEEN:1,2,3",
        "filter `a:BETWEEN:1,2,3`, character 11: BETWEEN takes two values separated by one `,`, found 3 in `1,2,3`",
    );
    check(
        r"a:LIKE:x\",
        r"filter `a:LIKE:x\`, character 8: the LIKE pattern `x\` has a `\` at the end (its character 2), expected `\%`, `\_` or `\\`",
    );
}

#[test]
fn long_texts_are_truncated_in_messages() {
    let error = Filter::parse(&"x".repeat(4096), &["a"]).expect_err("no colon");
    assert!(error.message().len() < 200, "{}", error.message());
}

proptest! {
    #[test]
    fn any_text_parses_or_not_without_panic(text in any::<String>(), columns in prop::collection::vec(any::<String>(), 0..4)) {
        if let Ok(filter) = Filter::parse(&text, &columns) {
            prop_assert_eq!(Filter::parse(&filter.to_string(), &columns), Ok(filter));
        }
    }

    /// Texts and names composed of few parts, so that prefixes, operators and colons often collide.
    #[test]
    fn parse_print_parse(text in colliding_text(), columns in prop::collection::vec(colliding_text(), 0..4)) {
        if let Ok(filter) = Filter::parse(&text, &columns) {
            prop_assert_eq!(Filter::parse(&filter.to_string(), &columns), Ok(filter));
        }
    }

    /// A filter that was put together parses into the same parts, whatever the column's name.
    #[test]
    fn column_operator_and_value_round_trip(
        column in "[a-z:,%é]{1,6}",
        operator in prop::sample::select(vec!["EQ", "neq", "Lt", "LTE", "gt", "GTE"]),
        value in any::<String>(),
    ) {
        let text = format!("{column}:{operator}:{value}");
        let filter = Filter::parse(&text, &[&column]).expect("a filter");
        prop_assert_eq!(filter.column(), column);
        prop_assert_eq!(filter.operator().as_str(), operator.to_uppercase());
        prop_assert_eq!(filter.operand(), &Operand::Text(value));
    }
}

fn colliding_text() -> impl Strategy<Value = String> {
    let parts =
        vec!["a", "b", ":", ":", ":", "EQ", "eq", ":EQ:", "IN_NOT", "IS:null", "LIKE", "\\", "%", ","];
    prop::collection::vec(prop::sample::select(parts), 0..10).prop_map(|parts| parts.concat())
}
