use super::*;

fn read(sql: &str) -> Result<EndpointDeclarations, String> {
    EndpointDeclarations::from_sql(sql).map_err(|error| error.to_string())
}

/// Parses one declaration before a statement; it must be refused.
fn refused(comment: &str, expected: &str) {
    let found = read(&format!("{comment}\nSELECT 1")).expect_err(comment);
    assert!(found.contains(expected), "{comment}: {found}");
}

#[test]
fn the_documented_forms() {
    let sql = "-- Sales by day.
-- Parameter: day date required \"Day of the \"\"order\"\"\"
/* a block */ -- Parameter: region varchar(2) in ('EU', 'US', 'it''s') default 'EU'
--Parameter: limit integer between 1 and 1000 default 100
-- parameter: at timestamp(3) with time zone
-- Parameter: keys array(bigint) default ARRAY[1, -2.50e3] \"keys\"
-- Cache: 60s stale 10m
-- Limit: 10000 rows 5s
-- Order by: day, \"net amount\"
-- Shared: consumers
SELECT 1 -- a comment";
    let read = read(sql).expect("declarations");
    let shown: Vec<_> = read
        .parameters
        .iter()
        .map(|p| (p.name.as_str(), p.type_name.as_str(), p.is_required, p.description.as_deref()))
        .collect();
    assert_eq!(
        shown,
        [
            ("day", "date", true, Some("Day of the \"order\"")),
            ("region", "varchar(2)", false, None),
            ("limit", "integer", false, None),
            ("at", "timestamp(3) with time zone", false, None),
            ("keys", "array(bigint)", false, Some("keys")),
        ]
    );
    let text = |text: &str| DeclaredValue::Text(text.to_owned());
    let number = |text: &str| DeclaredValue::Number(text.to_owned());
    assert_eq!(read.parameters[1].allowed, [text("EU"), text("US"), text("it's")]);
    assert_eq!(read.parameters[1].default, Some(text("EU")));
    assert_eq!(read.parameters[2].range, Some((number("1"), number("1000"))));
    assert_eq!(read.parameters[4].default, Some(DeclaredValue::Array(vec![number("1"), number("-2.50e3")])));
    assert_eq!(read.parameters[1].location, Location { line_number: 3, column_number: 29 });
    let seconds = Duration::from_secs;
    assert_eq!(
        read.cache,
        Some(CacheDeclaration { fresh: seconds(60), stale: Some(seconds(600)), is_warm: false })
    );
    assert_eq!(read.limit, Some(LimitDeclaration { rows: Some(10_000), time: Some(seconds(5)) }));
    let columns: Vec<_> = read.order_by.iter().map(|order| order.column.as_str()).collect();
    assert_eq!((columns, read.is_shared), (vec!["day", "net amount"], true));
}

#[test]
fn other_comments_are_ignored() {
    for sql in [
        "SELECT 1",
        "-- Note: nothing\n-- see https://example.com: it is prose\nSELECT 1",
        "-- The parameter: day is a date, and so on\nSELECT 1",
        "-- Parameters of this statement are told elsewhere\nSELECT 1",
        "SELECT '-- Parameter: day date'",
        "/* -- Parameter: day date */ SELECT 1",
        "-- Service API: required(\"a\")\nSELECT 1",
        "-- Limit the rows\nSELECT 1",
        "",
    ] {
        assert_eq!(read(sql), Ok(EndpointDeclarations::default()), "{sql}");
    }
}

#[test]
fn malformed_declarations_are_located() {
    refused(
        "-- Parameter: day",
        "line 1:18: malformed declaration: expected a type, found the end of the line",
    );
    refused("-- Parameter: 1day date", "line 1:15: malformed declaration: `1day` is no name");
    refused(
        "-- Parameter: format varchar",
        "line 1:15: malformed declaration: a request has a parameter format",
    );
    refused(
        "-- Parameter: a date required default '2026-01-01'",
        "line 1:15: malformed declaration: a parameter that is required",
    );
    refused("-- Parameter: a date default", "expected a value: 'text'");
    refused("-- Parameter: a integer default 01", "expected a value");
    refused("-- Parameter: a integer default 1x", "expected a value");
    refused("-- Parameter: a varchar in ()", "`in` takes one value or more");
    refused("-- Parameter: a varchar in ('x', null)", "and no null");
    refused("-- Parameter: a varchar in ('x' 'y')", "expected `,` or `)` after the value, found `'y')`");
    refused("-- Parameter: a varchar in ('x", "has no end on its line");
    refused("-- Parameter: a integer between 1 or 2", "expected `and`, found `or 2`");
    refused("-- Parameter: a integer default 1 default 2", "`default` stands twice");
    refused("-- Parameter: a decimal(10", "a type whose parentheses end");
    refused("-- Parameter: a date \"x\" ,", "expected `required`");
    refused("-- Cache: 60", "expected a time such as 60s");
    refused("-- Cache: 0s", "keeps nothing");
    refused("-- Cache: 99999999999999999999s", "expected a time");
    refused("-- Cache: 60s fresh", "expected the end of the line, found `fresh`");
    refused("-- Limit: 10", "expected `rows`");
    refused("-- Limit: 0 rows", "from 1 on");
    refused("-- Limit: 5s 5s", "expected one time");
    refused("-- Limit:", "expected a time");
    refused("-- Order by: a, a", "the column `a` stands twice");
    refused("-- Order by: a desc", "expected the end of the line");
    refused("-- Shared: everybody", "expected `consumers`, found `everybody`");
    refused("-- Cache: 60s\n-- Cache: 60s", "line 2:10: `-- Cache: …` stands twice");
    refused("-- Parameter: a date\n-- Parameter: a date", "line 2:14: the parameter a is declared twice");
    let many: Vec<String> =
        (0..=MAX_ENDPOINT_PARAMETERS).map(|number| format!("-- Parameter: p{number} date")).collect();
    refused(&many.join("\n"), "at most 50 parameters");
}

#[test]
fn near_misses_of_declarations_are_refused() {
    refused(
        "-- Paramter: day date",
        "line 1:3: malformed declaration: `Paramter` is no label; did you mean `-- Parameter: …`?",
    );
    refused("-- Limits: 5s", "did you mean `-- Limit: …`?");
    refused("-- Cache 60s", "expected `:` after `Cache`");
    let later = read("SELECT 1\n-- Cache: 60s\n").expect_err("behind the head");
    assert!(
        later.starts_with("line 2:1: malformed declaration: `-- Cache: …` declares nothing here"),
        "{later}"
    );
    let nested = read("/* /* */ -- Shared: consumers\n*/ SELECT 1").expect_err("two readings");
    assert!(nested.contains("engines disagree"), "{nested}");
}

#[test]
fn a_cache_may_be_declared_warm() {
    let check = |declared: &str, expected: Option<(u64, Option<u64>, bool)>| {
        let found = read(&format!("-- Cache: {declared}\nSELECT 1")).ok().and_then(|read| read.cache);
        let shown = found
            .map(|cache| (cache.fresh.as_secs(), cache.stale.map(|stale| stale.as_secs()), cache.is_warm));
        assert_eq!(shown, expected, "{declared}");
    };
    check("60s", Some((60, None, false)));
    check("60s warm", Some((60, None, true)));
    check("1m stale 10m WARM", Some((60, Some(600), true)));
    check("60s warm stale 10m", None);
    check("warm", None);
}
