use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn texts(sql: &str, reading: Reading) -> Vec<&str> {
    line_comments(sql, reading).map(|comment| comment.text).collect()
}

/// The comments that both readings find.
fn check(sql: &str, expected: &[&str]) {
    check_readings(sql, expected, expected);
}

fn check_readings(sql: &str, trino: &[&str], generic: &[&str]) {
    assert_eq!(texts(sql, Reading::Trino), trino, "Trino's reading of {sql:?}");
    assert_eq!(texts(sql, Reading::Generic), generic, "the generic reading of {sql:?}");
}

#[test]
fn line_comments_end_with_their_line() {
    check("", &[]);
    check("--", &["--"]);
    check("-- a\nSELECT 1 -- b\n  --c", &["-- a", "-- b", "--c"]);
    check("-- a\r\n-- b\r\n", &["-- a", "-- b"]);
    check("-- a\r-- b\r", &["-- a", "-- b"]);
    check("SELECT a-1, a - -1, a->>'b', 1 / 2 -- é", &["-- é"]);
    check("--- a -- b", &["--- a -- b"]);
}

#[test]
fn not_inside_literals_and_quoted_names() {
    check("SELECT '-- a\n-- b' -- c", &["-- c"]);
    check("SELECT 'it''s -- a\n-- b' -- c", &["-- c"]);
    check("SELECT '' -- c\n, '''' -- d", &["-- c", "-- d"]);
    check("SELECT \"-- a\"\"-- b\" -- c", &["-- c"]);
    check("SELECT `-- a``-- b` -- c", &["-- c"]);
    check("SELECT '\"' -- c\n, \"'\" -- d", &["-- c", "-- d"]);
    check(r"SELECT '\' -- c", &["-- c"]);
    check("SELECT N'-- a', x'-- a', U&'-- a', b'-- a' -- c", &["-- c"]);
}

#[test]
fn not_inside_block_comments() {
    check("/* -- a\n-- b */ -- c", &["-- c"]);
    check("/* ' */ -- c\n/* ' */", &["-- c"]);
    check("/**/ -- c", &["-- c"]);
    check("/*/ -- a */ -- c", &["-- c"]);
    check("-- /*\n-- b */", &["-- /*", "-- b */"]);
    check("'/*' -- c */", &["-- c */"]);
    check_readings("/* /* */ -- a\n*/ -- b", &["-- a", "-- b"], &["-- b"]);
}

#[test]
fn strings_that_only_one_lexer_knows() {
    check_readings("$$ -- a\n$$ -- b", &["-- a", "-- b"], &["-- b"]);
    check_readings("$t$ -- a\n$$ $t$ -- b", &["-- a", "-- b"], &["-- b"]);
    check("SELECT $1, $2 -- a\n, a$$b -- c\n, b$$ -- d", &["-- a", "-- c", "-- d"]);
    check_readings(r"E'\' -- a' -- b", &["-- a' -- b"], &["-- b"]);
    check_readings(r"E'a''\' -- b' -- c", &["-- b' -- c"], &["-- c"]);
    check_readings(r"X'\' -- a' -- b", &["-- a' -- b"], &["-- b"]);
    check_readings("q'['] -- a' -- b]' -- c", &["-- a' -- b]' -- c"], &["-- c"]);
    check_readings("nQ'!'! -- a' -- b!' -- c", &["-- a' -- b!' -- c"], &["-- c"]);
    check_readings("r'''it's''' -- b", &[], &["-- b"]);
    check_readings("R\"\"\"a\"b\"\"\" -- b", &[], &["-- b"]);
    check_readings("a//*b -- c */", &[], &["-- c */"]);
    // A prefix such as `q` counts only at the beginning of a token: after a number a token begins, after a letter or
    // `$` none does.
    check_readings("1q'[']' -- b '", &[], &["-- b '"]);
    check(r"typE'\' -- a'", &["-- a'"]);
    check(r"éE'\' -- a'", &["-- a'"]);
    check("$q'[' -- a]'", &["-- a]'"]);
}

#[test]
fn unterminated_constructs_hide_comments_in_one_lexer_only() {
    check_readings("SELECT 'a -- b", &[], &["-- b"]);
    check_readings("SELECT \"a -- b\n-- c", &[], &["-- b", "-- c"]);
    check_readings("/* -- b\n/* -- c\n", &[], &["-- b", "-- c"]);
    check_readings("$t$ -- b", &["-- b"], &["-- b"]);
    check_readings("E'\\' -- b", &["-- b"], &["-- b"]);
    check_readings("q'", &[], &[]);
}

#[test]
fn a_lone_carriage_return_in_a_comment() {
    check("-- a\r  -- b\nSELECT 1", &["-- a", "-- b"]);
    // Trino sees SELECT and a literal with a line break, the generic reading one comment and then another.
    check_readings("-- a\rSELECT '\n-- b'", &["-- a"], &["-- a", "-- b'"]);
    check_readings("-- a\rSELECT 1 -- b\n", &["-- a", "-- b"], &["-- a"]);
}

/// The lexer must be linear. These parts repeat what it might search for repeatedly: in quadratic time one of them
/// takes a minute, in linear time a fraction of a second.
#[test]
fn megabytes_are_lexed_in_linear_time() {
    for part in ["/*", "$a$", "'", "E'\\", "q'[", "--\r", "--a\n", "$a", "-", "\u{e9}", "*/", "r'''", "/**/"]
    {
        let sql = part.repeat(2_000_000 / part.len());
        for reading in [Reading::Trino, Reading::Generic] {
            let started = Instant::now();
            line_comments(&sql, reading).count();
            assert!(started.elapsed() < Duration::from_secs(10), "{part:?} in the reading {reading:?}");
        }
    }
}

/// A piece of SQL and, where it is one, the line comment in it.
fn piece() -> impl Strategy<Value = (String, Option<String>)> {
    let inside = "[ab'\"`*/$;\\-\n\r]{0,8}";
    prop_oneof![
        inside.prop_map(|text| (format!("'{}' ", text.replace('\'', "''")), None)),
        inside.prop_map(|text| (format!("\"{}\" ", text.replace('"', "\"\"")), None)),
        inside.prop_map(|text| (format!("`{}` ", text.replace('`', "``")), None)),
        "[ab'\"`$;\\-\n\r]{0,8}".prop_map(|text| (format!("/*{text}*/"), None)),
        "[ab'\"`*/$;\\-]{0,8}".prop_map(|text| (format!("--{text}\n"), Some(format!("--{text}")))),
        "[ab(),;=<>+\n ]{1,8}".prop_map(|text| (text + " ", None)),
    ]
}

proptest! {
    /// SQL is composed of pieces whose kind is known: exactly the line comments are found.
    #[test]
    fn finds_exactly_the_line_comments(pieces in prop::collection::vec(piece(), 0..12)) {
        let sql: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
        let expected: Vec<&str> = pieces.iter().filter_map(|(_, comment)| comment.as_deref()).collect();
        prop_assert_eq!(texts(&sql, Reading::Trino), expected.clone());
        prop_assert_eq!(texts(&sql, Reading::Generic), expected);
    }

    #[test]
    fn any_text_is_read_without_panic(
        any in any::<String>(),
        parts in prop::collection::vec(prop::sample::select(vec![
            "'", "\"", "`", "/*", "*/", "--", "\n", "\r", "$", "a", "E'", "q'", "[", "\\", "é", " ", "r'''",
        ]), 0..16),
    ) {
        for sql in [any, parts.concat()] {
            for reading in [Reading::Trino, Reading::Generic] {
                for comment in line_comments(&sql, reading) {
                    prop_assert!(comment.text.starts_with("--"));
                    prop_assert!(sql[comment.offset..].starts_with(comment.text));
                }
            }
        }
    }
}
