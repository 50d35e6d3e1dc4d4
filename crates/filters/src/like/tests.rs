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
fn backslash_escapes_wildcards() {
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

/// A matcher that backtracks at every `%` would never finish.
#[test]
fn no_exponential_time() {
    let started = Instant::now();
    check(&("%a_a".repeat(20) + "b"), &"a".repeat(10_000), false);
    check(&("%a".repeat(2000) + "b"), &"a".repeat(4000), false);
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// With a filter of 4 KiB each character of a text was compared with each of its own: `%___…Q%` over texts of 50 KB
/// blocked a reader's thread for minutes. A pattern now states its cost, which is small for every pattern.
#[test]
fn a_long_pattern_costs_little_more_than_a_short_one() {
    let text = "a".repeat(1 << 20);
    let time = |pattern: &str| {
        let pattern = LikePattern::new(pattern).expect("a pattern");
        let once = || {
            let started = Instant::now();
            assert!(!std::hint::black_box(&pattern).matches(&text));
            started.elapsed()
        };
        // The fastest of several runs, because other processes share the machine.
        (0..5).map(|_| once()).min().expect("five times")
    };
    let short = time("%a_Q%");
    for (pattern, most_steps) in [
        // Everything that can be skipped is skipped.
        (format!("%{}Q%", "_".repeat(3900)), 1),
        (format!("%Q{}Q%", "a".repeat(3900)), 1),
        (format!("%{}Q%", "a".repeat(3900)), 1),
        // The rest is matched for 64 characters of the pattern at a time.
        (format!("%{}Q%", "a_".repeat(1950)), 24),
        (format!("%{}%", "Q_".repeat(1950)), 24),
        (format!("%a{}Q%", "_".repeat(3900)), 24),
        (format!("{}%{}Q%", "_".repeat(1000), "a_a%".repeat(900)), 2),
    ] {
        let compiled = LikePattern::new(&pattern).expect("a pattern");
        assert!(compiled.steps_per_byte() <= most_steps, "{} {pattern}", compiled.steps_per_byte());
        let (long, times) = (time(&pattern), 200);
        assert!(long < short * times, "{long:?} is not below {times} times {short:?}: {pattern}");
    }
}

#[test]
fn a_text_shorter_than_the_pattern_is_not_searched() {
    check(&format!("%{}%", "é_".repeat(10)), &"é".repeat(14), false);
    check(&format!("%{}é%", "é_".repeat(10)), &"é".repeat(21), true);
    check(&format!("%{}%", "é_".repeat(10)), &"é".repeat(19), false);
}

/// Patterns longer than the bits of a word, matched whole and in pieces.
#[test]
fn long_segments_with_underscores() {
    for length in [63_usize, 64, 65, 127, 128, 129, 200, 1000] {
        let text: String =
            (0..length).map(|place| ['a', 'é', '\u{1f600}', 'z'][place * 7 % 11 % 4]).collect();
        let pattern: String = text
            .chars()
            .enumerate()
            .map(|(place, letter)| if place % 3 == 1 && place + 1 < length { '_' } else { letter })
            .collect();
        let around = format!("{}{text}{}", "aéz".repeat(700), "zéa".repeat(700));
        check(&format!("%{pattern}%"), &around, true);
        check(&format!("%{pattern}%"), &text, true);
        let last = pattern.chars().last().expect("a letter");
        let other = if last == 'a' { 'z' } else { 'a' };
        let wrong: String = pattern.chars().take(length - 1).chain([other]).collect();
        check(&format!("%{wrong}%"), &text, false);
        in_pieces(&LikePattern::new(&format!("%{pattern}%z_a%")).expect("a pattern"), &around.repeat(3));
    }
}

/// The same answer as in one call, and every piece makes progress.
fn in_pieces(pattern: &LikePattern, text: &str) -> bool {
    let mut place = LikePlace::default();
    let mut pieces = 0;
    let is_match = loop {
        let before = place;
        match pattern.advance(text.as_bytes(), &mut place, 1) {
            Some(is_match) => break is_match,
            None => assert_ne!(place, before, "no step forward: {pattern:?} {}", text.len()),
        }
        pieces += 1;
        assert!(pieces <= text.len() + 1, "{pattern:?} of {} bytes", text.len());
    };
    assert_eq!(is_match, pattern.matches(text), "{pattern:?} {text:?}");
    is_match
}

#[test]
fn a_long_text_is_matched_piece_by_piece() {
    let text = "ab".repeat(100_000) + "aXc" + &"ab".repeat(50_000) + "Q";
    for (pattern, expected) in [
        ("%aXc%", true),
        ("%a_c%", true),
        ("%bca%_Q", false),
        ("%caba%_Q", true),
        ("ab%a_c%b_b%Q", true),
        ("%a_cc%", false),
        ("%X%X%", false),
    ] {
        assert_eq!(in_pieces(&LikePattern::new(pattern).expect(pattern), &text), expected, "{pattern}");
    }
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
    fn any_text_matches_its_escaped_self(text in any::<String>(), other in any::<String>()) {
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
            in_pieces(&pattern, &text);
            // Bytes that are not UTF-8 must not panic.
            let bytes: Vec<u8> = text.bytes().rev().collect();
            pattern.matches_utf8(&bytes);
        }
    }

    /// The same with patterns longer than a word and texts longer than a piece.
    #[test]
    fn long_ones_agree_with_the_definition(
        pattern in "([ab]|_|%|é){0,300}", repeated in "[abé]{1,9}", times in 0_usize..1200,
    ) {
        let text = repeated.repeat(times);
        let found = in_pieces(&LikePattern::new(&pattern).expect("no backslash"), &text);
        prop_assert_eq!(found, greedy_matches(&pattern, &text));
    }
}

/// The common algorithm: it backtracks to the last `%` only.
fn greedy_matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut place, mut at) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(place) {
            Some('%') => {
                back = Some((place + 1, at));
                place += 1;
            }
            Some(letter) if *letter == '_' || *letter == text[at] => (place, at) = (place + 1, at + 1),
            _ => {
                let Some((after, from)) = back else { return false };
                back = Some((after, from + 1));
                (place, at) = (after, from + 1);
            }
        }
    }
    pattern[place..].iter().all(|letter| *letter == '%')
}

/// SQL's definition, word for word; `None` if it reached a malformed rest.
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
