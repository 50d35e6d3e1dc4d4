//! A LIKE pattern against SQL's definition of it. The input is the pattern, a line feed and the text.
//!
//! Run with `cargo +nightly fuzz run like_pattern` in `crates/filters`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rowhouse_filters::LikePattern;

fuzz_target!(|input: &str| {
    let (pattern, text) = input.split_once('\n').unwrap_or((input, ""));
    if let Ok(compiled) = LikePattern::new(pattern) {
        let matched = compiled.matches(text);
        let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
        // The definition takes exponential time.
        if pattern.iter().filter(|character| **character == '%').count() < 5 && text.len() < 50 {
            assert_eq!(matched, matches_by_definition(&pattern, &text));
        }
    }
});

fn matches_by_definition(pattern: &[char], text: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|taken| matches_by_definition(rest, &text[taken..])),
        ['_', rest @ ..] => !text.is_empty() && matches_by_definition(rest, &text[1..]),
        ['\\', character, rest @ ..] | [character, rest @ ..] => {
            text.first() == Some(character) && matches_by_definition(rest, &text[1..])
        }
    }
}
