//! Patterns of LIKE whose escape character is known only at run time.

use polars::prelude::PolarsResult;

use super::super::invalid;

/// The pattern with `\` as its escape character.
pub(super) fn rewritten(pattern: &str, escape: &str) -> PolarsResult<String> {
    let mut units = escape.chars();
    let (Some(escape), None) = (units.next().filter(|escape| escape.len_utf16() == 1), units.next()) else {
        return Err(invalid("Escape string must be a single character"));
    };
    let mut written = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let is_escaped = character == escape;
        let character = match is_escaped {
            true => characters
                .next()
                .filter(|next| matches!(next, '%' | '_') || *next == escape)
                .ok_or_else(|| {
                    invalid("Escape character must be followed by '%', '_' or the escape character itself")
                })?,
            false => character,
        };
        if character == '\\' || is_escaped && matches!(character, '%' | '_') {
            written.push('\\');
        }
        written.push(character);
    }
    Ok(written)
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
