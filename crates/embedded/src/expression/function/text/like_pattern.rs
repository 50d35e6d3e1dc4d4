//! Patterns of LIKE whose escape character is known only at run time.

use polars::prelude::PolarsResult;

use super::super::super::like::pattern::with_backslash_escapes;
use super::super::invalid;

/// The pattern with `\` as its escape character.
pub(super) fn rewritten(pattern: &str, escape: &str) -> PolarsResult<String> {
    let mut units = escape.chars();
    let (Some(escape), None) = (units.next().filter(|escape| escape.len_utf16() == 1), units.next()) else {
        return Err(invalid("Escape string must be a single character"));
    };
    with_backslash_escapes(pattern, escape).map_err(invalid)
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    fn check(pattern: &str, escape: &str, expected: &str) {
        assert_eq!(rewritten(pattern, escape).expect("a pattern"), expected);
    }

    #[test]
    fn escapes_are_rewritten() {
        check("a#%b%", "#", "a\\%b%");
        check("##_#_", "#", "#_\\_");
        check("\\a", "#", "\\\\a");
        check("\\%\\\\", "\\", "\\%\\\\");
        check("%%_%_", "%", "\\%_\\_");
    }

    #[test]
    fn wrong_escapes_are_errors() {
        for (pattern, escape) in [("a", ""), ("a", "ab"), ("a", "😀"), ("a#", "#"), ("a#b", "#")] {
            assert!(rewritten(pattern, escape).is_err(), "{pattern} {escape}");
        }
    }
}
