use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn check(pattern: &str, text: &str, expected: bool) {
    let compiled = LikePattern::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    assert_eq!(compiled.matches(text), expected, "{text:?} LIKE {pattern:?}");
    assert_eq!(compiled.as_str(), pattern);
}

#[test]
fn percent_is_any_text() {
    check("", "", true);
    check("", "a", false);
    check("%", "", true);
    check("%", "a\nb", true);
    check("a%", "abc", true);
    check("a%", "ba", false);
    check("%c", "abc", true);
    check("%b%", "abc", true);
    check("a%a", "a", false);
    check("a%a", "aa", true);
    check("ab%bc", "abc", false);
    check("%ab%ab%", "abab", true);
    check("%ab%ab%", "aba", false);
    check("a%%b", "ab", true);
}

#[test]
fn underscore_is_one_character() {
    check("_", "", false);
    check("_", "é", true);
    check("_", "\u{1f600}", true);
    check("__", "e\u{301}", true);
    check("a_c", "abc", true);
    check("%_b%", "b", false);
    check("%_b%", "bb", true);
    check("_%_", "a", false);
    check("%_", "\u{1f600}", true);
    check("%é_%", "xéy", true);
    check("%a_c", "abcaxc", true);
}

#[test]
fn backslash_takes_the_meaning_away() {
    check(r"50\%", "50%", true);
    check(r"50\%", "50x", false);
    check(r"a\_b", "a_b", true);
    check(r"a\_b", "axb", false);
    check(r"a\\b", r"a\b", true);
    check(r"\\%", r"\x", true);
}

#[test]
fn letter_case_counts_and_nothing_else_is_special() {
    check("a", "A", false);
    check("[ab]*.?", "[ab]*.?", true);
    check("a.c", "abc", false);
}

#[test]
fn a_lone_backslash_is_refused() {
    let check = |pattern: &str, expected: &str| {
        let error = LikePattern::new(pattern).expect_err(pattern);
        assert_eq!((error.kind(), error.message()), (ErrorKind::MalformedOperand, expected));
    };
    check(
        "é\\",
        r"the LIKE pattern `é\` has a `\` at the end (its character 2), expected `\%`, `\_` or `\\`",
    );
    check(
        r"C:\dir",
        r"the LIKE pattern `C:\dir` has a `\` before `d` (its character 3), expected `\%`, `\_` or `\\`",
    );
    check(
        "\\\\\\",
        r"the LIKE pattern `\\\` has a `\` at the end (its character 3), expected `\%`, `\_` or `\\`",
    );
}

/// A matcher that goes back at every `%` would be at this until the end of days.
#[test]
fn no_exponential_time() {
    let started = Instant::now();
    check(&("%a_a".repeat(20) + "b"), &"a".repeat(10_000), false);
    check(&("%a".repeat(2000) + "b"), &"a".repeat(4000), false);
    assert!(started.elapsed() < Duration::from_secs(20));
}

proptest! {
    #[test]
    fn agrees_with_the_definition(pattern in "[ab%_\\\\é]{0,8}", text in "[ab%_\\\\é]{0,8}") {
        let naive: Vec<char> = pattern.chars().collect();
        let characters: Vec<char> = text.chars().collect();
        match LikePattern::new(&pattern) {
            Ok(compiled) => prop_assert_eq!(Some(compiled.matches(&text)), naive_matches(&naive, &characters)),
            Err(_) => prop_assert!(!is_well_formed(&naive)),
        }
    }

    #[test]
    fn any_text_is_matched_by_its_escaped_self(text in any::<String>(), other in any::<String>()) {
        let escaped: String =
            text.chars().flat_map(|c| matches!(c, '%' | '_' | '\\').then_some('\\').into_iter().chain([c])).collect();
        let pattern = LikePattern::new(&escaped).expect("escaped text");
        prop_assert!(pattern.matches(&text));
        prop_assert_eq!(pattern.matches(&other), text == other);
        let anywhere = LikePattern::new(&format!("%{escaped}%")).expect("escaped text");
        let around = format!("{other}{text}{other}");
        prop_assert!(anywhere.matches(&around));
    }

    #[test]
    fn any_pattern_compiles_or_not_without_panic(pattern in any::<String>(), text in any::<String>()) {
        if let Ok(pattern) = LikePattern::new(&pattern) {
            pattern.matches(&text);
        }
    }
}

/// SQL's definition, word for word; `None` for a malformed rest that it came to.
fn naive_matches(pattern: &[char], text: &[char]) -> Option<bool> {
    match pattern {
        [] => Some(text.is_empty()),
        ['%', rest @ ..] => {
            Some((0..=text.len()).any(|taken| naive_matches(rest, &text[taken..]) == Some(true)))
        }
        ['_', rest @ ..] => text.split_first().map_or(Some(false), |(_, text)| naive_matches(rest, text)),
        ['\\', character @ ('%' | '_' | '\\'), rest @ ..] | [character, rest @ ..] => match text {
            [first, text @ ..] if first == character => naive_matches(rest, text),
            _ => Some(false),
        },
    }
}

fn is_well_formed(pattern: &[char]) -> bool {
    match pattern {
        [] => true,
        ['\\', '%' | '_' | '\\', rest @ ..] => is_well_formed(rest),
        ['\\', ..] => false,
        [_, rest @ ..] => is_well_formed(rest),
    }
}
