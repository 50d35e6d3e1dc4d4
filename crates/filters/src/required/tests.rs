use proptest::prelude::*;

use super::*;

const COLUMNS: [&str; 5] = ["a", "b", "c", "Price:usd", "x:eq"];

fn required(sql: &str) -> RequiredFilters {
    RequiredFilters::from_sql(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The entries that the SQL declares.
fn check(sql: &str, expected: &[&str]) {
    assert_eq!(required(sql).entries(&COLUMNS), expected, "{sql}");
}

fn check_error(sql: &str, line_number: u32, column_number: u32, part: &str) {
    let error = RequiredFilters::from_sql(sql).expect_err(sql);
    assert_eq!(error.kind(), ErrorKind::MalformedComment);
    assert_eq!(error.location(), Some(Location { line_number, column_number }), "{sql}: {error}");
    assert!(error.message().contains(part), "{sql}: {error}");
}

#[test]
fn the_exact_form() {
    check(r#"-- Service API: required("a:eq", "b")"#, &["a:EQ", "b"]);
    check("-- Service API: required(\"a\")\nSELECT 1", &["a"]);
    check("-- Service API: required(\"a\")\r\nSELECT 1", &["a"]);
    check("-- Service API: required(\"a\")\rSELECT 1", &["a"]);
    check("-- title\r-- Service API: required(\"a\")\rSELECT 1", &["a"]);
    check("\t  -- Service API: required(\"a\")  \t\nSELECT 1", &["a"]);
    check("SELECT 1 -- Service API: required(\"a\")\n", &["a"]);
    check("SELECT 1\n\n-- note\n-- Service API: required(\"a\")", &["a"]);
    check(r#"-- Service API: required( "a" ,"b:Gte","a:eq","a" )"#, &["a", "b:GTE", "a:EQ", "a"]);
    check(r#"-- Service API: required("a:in_not", "b:IS_NOT")"#, &["a:IS_NOT", "b:IS_NOT"]);
    check(r#"-- Service API: required("a""b,)")"#, &["a\"b,)"]);
    check("SELECT 1 -- ordinary comment", &[]);
    check("", &[]);
    assert!(required("SELECT 1").is_empty());
    assert!(!required("-- Service API: required(\"a\")").is_empty());
}

#[test]
fn only_the_first_line_counts() {
    let good = "-- Service API: required(\"a\")\n";
    check(&format!("{good}-- Service API: required(\"b\")\n"), &["a"]);
    check(&format!("{good}-- Service API: required(\n"), &["a"]);
    check(&format!("{good}--Service API: required(\"b\")\n"), &["a"]);
    check(&format!("{good}-- service api: required(\"b\")\n"), &["a"]);
    check_error(&format!("-- Service API: required()\n{good}"), 1, 26, "an entry in double quotes");
    check_error(&format!("SELECT 1,\n  2 --Service API: required(\"b\")\n{good}"), 2, 7, "expected ` `");
}

#[test]
fn text_in_literals_names_and_block_comments_does_not_count() {
    let line = "-- Service API: required(\"a\")";
    let doubled = "-- Service API: required(\"\"a\"\")";
    check(&format!("SELECT '{line}'"), &[]);
    check(&format!("SELECT 'it''s\n{line}\n'"), &[]);
    check(&format!("SELECT 1 AS \"\n{doubled}\n\""), &[]);
    check(&format!("SELECT 1 AS `\n{line}\n`"), &[]);
    check(&format!("/* {line} */ SELECT 1"), &[]);
    check(&format!("/*\n{line}\n*/ SELECT 1"), &[]);
    check("/* Service API: required(\"a\") */ SELECT 1", &[]);
    check(&format!("SELECT '\n{line}\n' -- Service API: required(\"b\")"), &["b"]);
    check(&format!("/*\n--Service API:\n*/\n{line}"), &["a"]);
    check(&format!("-- it's\n{line}"), &["a"]);
}

#[test]
fn where_engines_disagree_is_an_error() {
    let line = "-- Service API: required(\"a\")";
    let check =
        |sql: &str, line_number, column_number| check_error(sql, line_number, column_number, "disagree");
    check(&format!("/* /* */\n{line}\n*/ SELECT 1"), 2, 1);
    check(&format!("SELECT $$\n{line}\n$$"), 2, 1);
    check(&format!("SELECT E'\\'\n{line}\n'"), 2, 1);
    check(&format!("SELECT q'[it's]'\n{line}\n"), 2, 1);
    check(&format!("SELECT 'never ends\n{line}"), 2, 1);
    check(&format!("/* /* */\n{line}\n*/\n{line}"), 2, 1);
    check(&format!("SELECT q'[it's]' {line}\n'\n{line}"), 1, 18);
    check(&format!("-- x\rSELECT '\n{line}\n'"), 3, 1);
    // A disagreement that concerns no such line is irrelevant here.
    self::check("/* /* */ -- x\n*/ SELECT 1", &[]);
    self::check(&format!("{line}\n/* /* */\n{line}\n*/"), &["a"]);
    self::check("SELECT 'never ends", &[]);
}

#[test]
fn malformed_comments_are_located() {
    check_error("-- Service API:", 1, 16, "expected ` `, found the end of the line");
    check_error("-- Service API: see the manual", 1, 17, "expected `r`, found `see the manual`");
    check_error("-- Service API: require(\"a\")", 1, 24, "expected `d`, found `(\"a\")`");
    check_error("-- Service API: required", 1, 25, "expected `(`, found the end of the line");
    check_error("-- Service API: required (\"a\")", 1, 25, "expected `(`");
    check_error("-- Service API:  required(\"a\")", 1, 17, "expected `r`");
    check_error("-- Service API:required(\"a\")", 1, 16, "expected ` `");
    check_error("-- Service API: Required(\"a\")", 1, 17, "expected `r`, found `Required(\"a\")`");
    check_error(
        "-- Service API: required(",
        1,
        26,
        "expected an entry in double quotes, found the end of the line",
    );
    check_error("-- Service API: required()", 1, 26, "expected an entry in double quotes, found `)`");
    check_error("-- Service API: required('a')", 1, 26, "expected an entry in double quotes, found `'a')`");
    check_error("-- Service API: required(a)", 1, 26, "expected an entry in double quotes");
    check_error("-- Service API: required(“a”)", 1, 26, "expected an entry in double quotes, found `“a”)`");
    check_error(
        "-- Service API: required(\"a)",
        1,
        29,
        "expected `\"` after the entry, found the end of the line",
    );
    check_error(
        "-- Service API: required(\"a\"",
        1,
        29,
        "expected `,` or `)` after the entry, found the end",
    );
    check_error(
        "-- Service API: required(\"a\" \"b\")",
        1,
        30,
        "expected `,` or `)` after the entry, found `\"b\")`",
    );
    check_error("-- Service API: required(\"a\",)", 1, 30, "expected an entry in double quotes, found `)`");
    check_error("-- Service API: required(\"a\",,\"b\")", 1, 30, "expected an entry in double quotes");
    check_error("-- Service API: required(\"a\", \"\")", 1, 31, "an entry is empty");
    check_error("-- Service API: required(\"a\",\n-- \"b\")", 1, 30, "found the end of the line");
    check_error(
        "-- Service API: required(\"a\");",
        1,
        30,
        "expected the end of the line after `)`, found `;`",
    );
    check_error(
        "é\n\t-- Service API: required(\"é\") x",
        2,
        32,
        "expected the end of the line after `)`, found `x`",
    );
    check_error("-- Service API: required(\"a\") -- x", 1, 31, "found `-- x`");
    check_error(
        "-- Service API: required(\"a\", \"b\"",
        1,
        34,
        "it is written `-- Service API: required(\"column:operator\"",
    );
}

#[test]
fn the_number_of_entries_is_limited() {
    let sql = |count| format!("-- Service API: required({})", vec!["\"a\""; count].join(", "));
    assert_eq!(required(&sql(ENTRY_LIMIT)).entries(&COLUMNS).len(), ENTRY_LIMIT);
    check_error(&sql(ENTRY_LIMIT + 1), 1, 1, "has 257 entries, expected at most 256");
}

#[test]
fn near_misses_are_errors() {
    let check = |comment: &str, column_number, part: &str| {
        check_error(&format!("SELECT 1\n{comment}\nFROM t"), 2, column_number, part);
    };
    check("--Service API: required(\"a\")", 3, "expected ` `, found `Service API: required(\"a\")`");
    check("--Service API:", 3, "expected ` `");
    check("-- service api: required(\"a\")", 4, "expected `S`, found `service api: required(\"a\")`");
    check("-- SERVICE API: REQUIRED(\"a\")", 5, "expected `e`");
    check("-- Service Api: required(\"a\")", 13, "expected `P`");
    check("--  Service API: required(\"a\")", 4, "expected `S`");
    check("--\tService API: required(\"a\")", 3, "expected ` `");
    check("--\u{a0}Service API: required(\"a\")", 3, "expected ` `");
    check("-- Service  API: required(\"a\")", 12, "expected `A`");
    check("-- Service API : required(\"a\")", 15, "expected `:`");
    check("--  Service API :", 4, "expected `S`");
    check("-- ServiceAPI: required(\"a\")", 11, "expected ` `");
    check("-- Service_API: required(\"a\")", 11, "expected ` `");
    check("-- Service-API required: \"a\"", 11, "expected ` `");
    check("-- Service API required(\"a\")", 15, "expected `:`");
    check("-- Service API requires(\"a\")", 15, "expected `:`");
    check("-- Service API; required(\"a\")", 15, "expected `:`");
    check("-- Service API： required(\"a\")", 15, "expected `:`");
    check("--- Service API: required(\"a\")", 3, "expected ` `");
    check("-- -- Service API: required(\"a\")", 4, "expected `S`");
    check("-- * Service API: required(\"a\")", 4, "expected `S`");
    check("-- Servce API: required(\"a\")", 8, "expected `i`");
    check("-- Service APIs: required(\"a\")", 15, "expected `:`");
    check("-- Service: required(\"a\")", 11, "expected ` `");
    check("-- required(\"a\")", 4, "expected `S`");
    check("-- required ('a')", 4, "expected `S`");
    check("-- requires(“a”)", 4, "expected `S`");
}

#[test]
fn prose_is_no_near_miss() {
    let check = |comment: &str| check(&format!("{comment}\n-- Service API: required(\"a\")"), &["a"]);
    check("-- the service api: see the manual");
    check("-- Service API");
    check("-- Service API of the orders team");
    check("-- Service APIs require the caller's name");
    check("-- read by clients that write -- Service API: required(\"b\")");
    check("-- devices: required(\"always\")");
    check("-- required columns (see \"docs\")");
    check("-- required");
    check("-- services: orders, \"parts\"");
    check("-- all columns of the table are required(\"really\")");
    check("--");
    check("----------");
}

#[test]
fn entries_name_columns_of_the_view() {
    let check = |entry: &str, expected: Result<(&str, usize), (ErrorKind, &str)>| {
        let required = required(&format!("SELECT 1 -- Service API: required(\"a\", \"{entry}\")"));
        let checked = required.check_columns(&COLUMNS);
        let found = checked.as_ref().map_err(|error| (error.kind(), error.message()));
        let described = required.entries(&COLUMNS);
        let positions = required.column_positions(&COLUMNS);
        assert_eq!(
            found.map(|()| (described[1].as_str(), positions.last().copied().unwrap_or_default())),
            expected
        );
        if let Err(error) = checked {
            assert_eq!(error.location(), Some(Location { line_number: 1, column_number: 40 }));
        }
    };
    check("b", Ok(("b", 1)));
    check("B:Eq", Ok(("B:EQ", 1)));
    check("Price:usd", Ok(("Price:usd", 3)));
    check("price:USD", Ok(("price:USD", 3)));
    check("Price:usd:gt", Ok(("Price:usd:GT", 3)));
    check("PRICE:usd:gt", Ok(("PRICE:usd:GT", 3)));
    check("x:eq", Ok(("x:eq", 4)));
    check("x:eq:lt", Ok(("x:eq:LT", 4)));
    check("X:eq", Ok(("X:eq", 4)));
    check(
        "d",
        Err((ErrorKind::UnknownColumn, "required filter `d`: column `d` does not exist; did you mean `a`?")),
    );
    check(
        "prices:usd:eq",
        Err((
            ErrorKind::UnknownColumn,
            "required filter `prices:usd:eq`: column `prices:usd` does not exist; did you mean `Price:usd`?",
        )),
    );
    check(
        "a:gtee",
        Err((
            ErrorKind::UnknownOperator,
            "required filter `a:gtee`: unknown operator `gtee`, expected one of EQ, NEQ, LT, LTE, GT, GTE, IS, IS_NOT, \
             IN, LIKE, BETWEEN; did you mean GTE?",
        )),
    );
    check(
        "b:",
        Err((
            ErrorKind::UnknownOperator,
            "required filter `b:`: unknown operator ``, expected one of EQ, NEQ, LT, LTE, GT, GTE, IS, IS_NOT, IN, \
             LIKE, BETWEEN",
        )),
    );
    check(
        "nothing:here",
        Err((
            ErrorKind::UnknownColumn,
            "required filter `nothing:here`: column `nothing:here` does not exist; the view has a, b, c, Price:usd, \
             x:eq",
        )),
    );
}

/// As with filters: a column of exactly this name first, then column and operator, then another letter case.
#[test]
fn an_entry_with_a_colon_may_be_a_name() {
    let check = |entry: &str, columns: &[&str], expected: &str, position: usize| {
        let required = required(&format!("-- Service API: required(\"{entry}\")"));
        assert_eq!(required.check_columns(columns), Ok(()), "{entry} in {columns:?}");
        assert_eq!(required.entries(columns), [expected], "{entry} in {columns:?}");
        assert_eq!(required.column_positions(columns), [position], "{entry} in {columns:?}");
    };
    check("a:eq", &["a", "a:eq"], "a:eq", 1);
    check("a:eq", &["a", "A:EQ"], "a:EQ", 0);
    check("a:eq", &["b", "A:EQ"], "a:eq", 1);
    check("a:USD", &["a", "A:usd"], "a:USD", 1);
    check("a:eq:gt", &["a", "a:eq"], "a:eq:GT", 1);
}

#[test]
fn an_ambiguous_entry_is_an_error() {
    let required = required("-- Service API: required(\"Ab:eq\")");
    let error = required.check_columns(&["ab", "AB"]).expect_err("ambiguous");
    assert_eq!(error.kind(), ErrorKind::AmbiguousColumn);
    assert_eq!(
        error.to_string(),
        "line 1:26: required filter `Ab:eq`: column `Ab` is ambiguous: it matches `ab`, `AB`"
    );
    assert_eq!(required.check_columns(&["Ab", "AB"]), Ok(()));
}

#[test]
fn columns_to_index_are_listed_once() {
    let required = required("-- Service API: required(\"c:gt\", \"a\", \"C:lt\", \"gone\", \"b\")");
    assert_eq!(required.column_positions(&COLUMNS), [2, 0, 1]);
}

#[test]
fn unmet_filters() {
    let check = |entries: &str, filters: &[&str], expected: Option<&str>| {
        let required = required(&format!("-- Service API: required({entries})"));
        let filters: Vec<Filter> =
            filters.iter().map(|text| Filter::parse(text, &COLUMNS).expect(text)).collect();
        let expected =
            expected.map(|rest| format!("Required filters and request filters not matched: {rest}."));
        assert_eq!(required.unmet(&filters, &COLUMNS), expected, "{entries} by {filters:?}");
    };
    // Met: at least one filter on the column, with the operator if one is named.
    check(r#""a""#, &["a:LT:1"], None);
    check(r#""a""#, &["A:is:null"], None);
    check(r#""a:eq""#, &["a:EQ:1"], None);
    check(r#""a:EQ", "b""#, &["b:gt:1", "A:eq:1"], None);
    check(r#""A:eq""#, &["a:gt:1", "a:eq:1", "a:eq:2"], None);
    check(r#""a:is_not""#, &["a:in_not:null"], None);
    check(r#""a:in_not""#, &["a:is_not:null"], None);
    check(r#""a", "a:eq", "a""#, &["a:eq:1"], None);
    check(r#""Price:usd:gt""#, &["Price:usd:gt:5"], None);
    check(r#""x:eq""#, &["x:eq:lt:5"], None);
    // Unmet: in the message, A is every entry and B every filter, both as spelled.
    check(r#""a:eq", "B""#, &[], Some("a:EQ,B and none"));
    check(r#""a:eq", "B""#, &["A:gt:1", "c:in:1,2", "b:eq:x:y"], Some("a:EQ,B and A:GT,c:IN,b:EQ"));
    check(r#""a:eq", "b""#, &["a:eq:1"], Some("a:EQ,b and a:EQ"));
    check(r#""a:eq""#, &["a:in:1"], Some("a:EQ and a:IN"));
    check(r#""a:in_not""#, &["a:is:null"], Some("a:IS_NOT and a:IS"));
    check(r#""a", "a""#, &["c:eq:1", "c:eq:2"], Some("a,a and c:EQ,c:EQ"));
    check(r#""x:eq""#, &["a:eq:1"], Some("x:eq and a:EQ"));
}

#[test]
fn nothing_required_is_always_met() {
    assert_eq!(required("SELECT 1").unmet(&[], &COLUMNS), None);
}

/// A served generation may lack a column that a new definition requires (D26): the requirement must not lapse.
#[test]
fn an_entry_without_its_column_is_never_met() {
    let required = required("-- Service API: required(\"a:eq\")");
    let filter = Filter::parse("a:eq:1", &["b"]).expect("a filter");
    assert_eq!(
        required.unmet(&[filter], &["b"]).as_deref(),
        Some("Required filters and request filters not matched: a:EQ and a:EQ.")
    );
}

proptest! {
    #[test]
    fn any_sql_is_read_without_panic(
        any in any::<String>(),
        parts in prop::collection::vec(prop::sample::select(vec![
            "-- Service API: required(", "--Service API:", "-- service", "required(", "\"a:eq\"", "\"", "'", "/*", "*/",
            ",", ")", "\n", "\r", "é", " ", "--", "$$", "x",
        ]), 0..12),
    ) {
        for sql in [any, parts.concat()] {
            match RequiredFilters::from_sql(&sql) {
                Ok(required) => {
                    let _ = required.check_columns(&COLUMNS);
                    prop_assert_eq!(required.unmet(&[], &COLUMNS).is_none(), required.is_empty());
                }
                Err(error) => prop_assert!(error.location().is_some()),
            }
        }
    }

    /// Entries → comment → entries, wherever the line stands.
    #[test]
    fn parse_print_parse(
        names in prop::collection::btree_set("[a-zé :\"(),'-]{1,6}", 1..5),
        before in "(SELECT 1 |/\\* x \\*/|'--'|-- note\n|\r\n){0,3}",
    ) {
        let names = Vec::from_iter(names);
        let entries: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
        let sql = format!("{before}-- Service API: required({})\nFROM t", entries.join(", "));
        let parsed = required(&sql);
        prop_assert_eq!(parsed.check_columns(&names), Ok(()));
        prop_assert_eq!(parsed.entries(&names), names);
    }

    /// A requirement for equality on every column is met by exactly the full set of filters.
    #[test]
    fn met_only_by_the_full_set_of_filters(count in 1_usize..6, left_out in any::<prop::sample::Index>()) {
        let columns: Vec<String> = (0..count).map(|number| format!("column{number}")).collect();
        let entries: Vec<String> = columns.iter().map(|name| format!("\"{name}:eq\"")).collect();
        let parsed = required(&format!("-- Service API: required({})", entries.join(",")));
        let mut filters: Vec<Filter> = columns
            .iter()
            .map(|name| Filter::parse(&format!("{}:eq:1", name.to_uppercase()), &columns).expect("a filter"))
            .collect();
        prop_assert_eq!(parsed.unmet(&filters, &columns), None);
        filters.remove(left_out.index(count));
        prop_assert!(parsed.unmet(&filters, &columns).is_some());
    }
}
