//! Parsing takes CPU time linear in the text, for any text. The tests repeat and nest tokens of the whole grammar. The
//! pairs run with the other tests; `cargo xtask fuzz reading` runs the triples.

use std::time::Duration;

use rowhouse_model::StatementParameters;

use super::super::effort::Abandonment;
use super::super::lexer::MAX_TOKENS;
use super::super::{cpu_time, deep_stack::on_deep_stack};
use super::prepare_here;

/// Tokens of all kinds that have, or once had, a meaning for the parser.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    ";",
    ":",
    "=",
    "<",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "||",
    "->",
    "=>",
    "::",
    "?",
    "@",
    "{",
    "}",
    "&",
    "1",
    "1.5",
    "'a'",
    "X'00'",
    "U&'a'",
    "a",
    "\"a\"",
    ":a",
    "f(",
    "f(a,",
    "(a)",
    "(a,a)",
    "(SELECT",
    "(VALUES",
    "(TABLE",
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "HAVING",
    "ORDER BY",
    "LIMIT",
    "OFFSET",
    "FETCH FIRST",
    "WITH a AS (",
    "WITH",
    "AS",
    "AS (",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "ALL",
    "DISTINCT",
    "VALUES",
    "VALUES a(",
    "TABLE",
    "JOIN",
    "CROSS JOIN",
    "LEFT JOIN",
    "NATURAL JOIN",
    "ON",
    "USING (",
    "LATERAL (",
    "UNNEST(",
    "ORDINALITY",
    "TABLESAMPLE",
    "JSON_TABLE(",
    "MATCH_RECOGNIZE (ORDER BY a",
    "MATCH_RECOGNIZE (PATTERN (",
    "PERMUTE(",
    "{-",
    "AND",
    "OR",
    "NOT",
    "IS",
    "IS NOT NULL",
    "IS DISTINCT FROM",
    "IN",
    "IN (",
    "BETWEEN",
    "LIKE",
    "ESCAPE",
    "EXISTS (",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "CAST(",
    "TRY_CAST(",
    "AS ARRAY(",
    "AS ROW(a",
    "ARRAY",
    "ARRAY[",
    "ARRAY(",
    "ARRAY<",
    "ROW",
    "ROW(",
    "MAP",
    "MAP(",
    "STRUCT<",
    "POSITION(",
    "POSITION",
    "SUBSTRING(",
    "SUBSTR(",
    "TRIM(",
    "EXTRACT(",
    "EXTRACT(DAY FROM",
    "CEIL(",
    "FLOOR(",
    "OVERLAY(",
    "CONVERT(",
    "NORMALIZE(",
    "LISTAGG(",
    "GROUPING(",
    "IF(",
    "TRY(",
    "COALESCE(",
    "CURRENT_TIMESTAMP",
    "CURRENT_TIMESTAMP(",
    "INTERVAL",
    "INTERVAL '1' DAY",
    "DATE",
    "TIME",
    "TIMESTAMP",
    "DOUBLE PRECISION",
    "DECIMAL(",
    "AT TIME ZONE",
    "OVER",
    "OVER (",
    "PARTITION BY",
    "ROWS BETWEEN",
    "PRECEDING",
    "FILTER (WHERE",
    "WITHIN GROUP (",
    "WINDOW",
    "QUALIFY",
    "ROLLUP (",
    "CUBE (",
    "GROUPING SETS (",
    "NULL",
    "TRUE",
    "a ->",
    "(a) ->",
    "(a, a) ->",
    "INSERT",
    "DELETE FROM",
    "EXPLAIN",
    "DESCRIBE",
    "SHOW",
    "XMLTABLE(",
    "PIVOT (",
    "COLLATE",
    "/*",
    "--",
    "\n",
];

/// The parts of a statement before the text.
const PREFIXES: &[&str] = &["SELECT ", "SELECT * FROM ", ""];

/// The number of tokens of a flat text, and the approximate nesting depth of a nested one.
const LENGTH: usize = 300;
const NESTING: usize = 60;

/// The time limit of a text: about ten times what the slowest text takes without optimization. 60 levels of any
/// doubling would take years.
fn limit(bytes: usize) -> Duration {
    Duration::from_millis(10) + Duration::from_micros(15) * u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn time_of(text: &str) -> Duration {
    let parameters = StatementParameters::default();
    cpu_time::of(|| drop(prepare_here(text, &parameters, &Abandonment::default()))).1
}

/// Checks the repetitions of a row of tokens: without an end, and with a value and all brackets closed.
fn check(row: &[&str], slow: &mut Vec<String>) {
    let unit = row.join(" ");
    let opened: Vec<char> = unit.chars().filter(|character| "([".contains(*character)).collect();
    let closed = unit.chars().filter(|character| ")]".contains(*character)).count();
    let depth = opened.len().saturating_sub(closed);
    let count = NESTING.checked_div(depth).unwrap_or(LENGTH / row.len());
    let closing: String =
        opened.iter().rev().take(depth).map(|open| if *open == '(' { ')' } else { ']' }).collect();
    let repeated = format!("{unit} ").repeat(count.max(1));
    let mut ends = vec![String::new()];
    if depth > 0 {
        ends.push(format!("a{}", closing.repeat(count.max(1))));
    }
    for prefix in PREFIXES {
        for end in &ends {
            let text = format!("{prefix}{repeated}{end}");
            let least = (0..3).map(|_| time_of(&text)).find(|time| *time <= limit(text.len()));
            if least.is_none() {
                slow.push(format!(
                    "{prefix}{unit} × {count} … {end:.20}: {:?} for {} bytes",
                    time_of(&text),
                    text.len()
                ));
            }
        }
    }
}

fn check_all(rows: impl Iterator<Item = Vec<&'static str>> + Send) {
    let slow = on_deep_stack(move || {
        let mut slow = Vec::new();
        rows.for_each(|row| check(&row, &mut slow));
        Ok(slow)
    });
    let slow = slow.expect("the search ends");
    assert!(slow.is_empty(), "{} texts take too long:\n{}", slow.len(), slow.join("\n"));
}

#[test]
fn repeated_and_nested_pairs_of_tokens_are_read_in_linear_time() {
    check_all(
        TOKENS.iter().flat_map(|a| TOKENS.iter().map(move |b| if a == b { vec![*a] } else { vec![*a, *b] })),
    );
}

/// Takes some hours; `cargo xtask fuzz reading` runs a part of them.
#[test]
#[ignore = "the triples take hours; cargo xtask fuzz reading runs a part of them"]
fn repeated_and_nested_triples_of_tokens_are_read_in_linear_time() {
    let number = |name: &str, default: usize| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let (first, count) = (number("ROWHOUSE_FUZZ_FIRST", 0), number("ROWHOUSE_FUZZ_COUNT", 20_000));
    let all = TOKENS.len().pow(3);
    // A permutation that visits each triple once, in a mixed order.
    let triple = move |index: usize| {
        let mixed = index.wrapping_mul(1_000_003) % all;
        let digit = |place: u32| TOKENS[mixed / TOKENS.len().pow(place) % TOKENS.len()];
        vec![digit(2), digit(1), digit(0)]
    };
    check_all((first..first + count).map(triple));
}

/// Texts of the maximum length. Each was slow once, or is similar to one that was.
#[test]
fn the_longest_texts_are_read_in_linear_time() {
    const BYTES: usize = 1 << 20;
    let long = |unit: &str| format!("SELECT {}", unit.repeat(BYTES / unit.len() - 1));
    let texts = [
        "(x) -> ".repeat(9_000),
        "(x, y) -> ".repeat(9_000),
        "x -> ".repeat(9_000),
        format!("SELECT {}1{}", "POSITION(".repeat(190), ")".repeat(190)),
        format!("SELECT {}1 IN 1{}", "POSITION(".repeat(190), ") IN 1".repeat(190)),
        "VALUES a(".repeat(BYTES / 9),
        long("VALUES "),
        long("("),
        long("'"),
        long("\""),
        long("'' "),
        long("U&'\\"),
        long("U&'' UESCAPE "),
        long("/*"),
        long("/*/"),
        long("x'"),
        long("`"),
        long("$"),
        long("1,"),
        long("1 +"),
        long("a."),
        long("a[1]"),
        long(":a,"),
        long("é"),
        long("\n"),
        long("a b,"),
        long("f(a),"),
        long("(a),"),
        long("(1,"),
        format!("SELECT * FROM {}", "((a)),".repeat(BYTES / 8)),
        format!("SELECT * FROM {}", format!("{}a{},", "(".repeat(90), ")".repeat(90)).repeat(BYTES / 300)),
        format!("SELECT * FROM {}", "((SELECT 1) a JOIN b ON c) JOIN ".repeat(BYTES / 40)),
        format!("SELECT * FROM a {}", "JOIN a ON a ".repeat(BYTES / 14)),
        format!("SELECT 1 {}", "UNION SELECT 1 ".repeat(4_900)),
        format!("SELECT 1 IN ({})", "1,".repeat(BYTES / 3)),
        format!("SELECT {}", "1 IN ((SELECT 1), 2),".repeat(BYTES / 22)),
        format!("SELECT '{}'", "a".repeat(BYTES)),
        format!("SELECT {}", "a".repeat(BYTES)),
        format!("SELECT 'a' '{}'", "a".repeat(BYTES)),
        format!("SELECT {}", format!("'{}' ", "a".repeat(1000)).repeat(BYTES / 1010)),
        format!("SELECT CAST(a AS {}a{})", "ARRAY(".repeat(190), ")".repeat(190)),
        format!("SELECT {} 1", "CAST(a AS ARRAY(ROW(a INT))),".repeat(BYTES / 32)),
        format!(
            "SELECT {}",
            format!("{}a{},", "CAST(".repeat(60), " AS int)".repeat(60)).repeat(BYTES / 800)
        ),
        format!(
            "SELECT {}",
            format!("{}a{},", "CASE WHEN ".repeat(60), " THEN 1 END".repeat(60)).repeat(BYTES / 1300)
        ),
    ];
    let slow = on_deep_stack(|| {
        let slow = texts.iter().filter_map(|text| {
            let limit = Duration::from_millis(200)
                + Duration::from_micros(4) * u32::try_from(text.len()).unwrap_or(0);
            let time = (0..3).map(|_| time_of(text)).min().unwrap_or_default();
            (time > limit).then(|| format!("{:.40}…: {time:?} for {} bytes", text, text.len()))
        });
        Ok(slow.collect::<Vec<_>>())
    });
    let slow = slow.expect("the search ends");
    assert!(slow.is_empty(), "{}", slow.join("\n"));
    const { assert!(MAX_TOKENS < BYTES) };
}

/// A part of FROM that the parser parses again on each level of parentheses: 200 times 100,000 tokens.
#[test]
fn parts_parsed_again_on_every_level_are_refused() {
    let query = format!("(SELECT {}1) q", "1, ".repeat(100_000));
    let text = format!("SELECT * FROM {}{query}{}", "(".repeat(90), " CROSS JOIN a)".repeat(90));
    let (outcome, time) = on_deep_stack(|| {
        Ok(cpu_time::of(|| prepare_here(&text, &StatementParameters::default(), &Abandonment::default())))
    })
    .expect("it ends");
    let message = outcome.expect_err("refused").message;
    assert!(
        message.ends_with("a statement whose parentheses can be read in so many ways is not supported"),
        "{message}"
    );
    assert!(time < Duration::from_secs(20), "{time:?}");
    // Joins of a few tables, as tools generate them.
    let text = format!("SELECT * FROM {}(SELECT 1 a) q{}", "(".repeat(30), " CROSS JOIN a)".repeat(30));
    assert!(super::prepare(&text, &StatementParameters::default()).is_ok());
}

#[test]
fn abandoned_parsing_stops() {
    let abandonment = Abandonment::default();
    abandonment.abandon();
    let text = format!("SELECT {}1", "1 + ".repeat(9_000));
    let outcome = on_deep_stack(|| {
        Ok(prepare_here(&text, &StatementParameters::default(), &abandonment)
            .map_err(|failure| failure.message))
    });
    assert!(outcome.expect("it ends").is_err());
}
