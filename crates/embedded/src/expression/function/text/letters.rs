//! Single characters as in Java's `Character`: lower and upper case, and white space.

use polars::prelude::{ChunkedArray, DataType, Expr, IntoColumn, IntoSeries, StringType};

use crate::numeric::kernel;

/// A conversion of letter case.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetterCase {
    of_ascii: fn(&mut str),
    of_character: fn(char) -> char,
}

pub(super) const LOWER: LetterCase =
    LetterCase { of_ascii: str::make_ascii_lowercase, of_character: to_lower };

pub(super) const UPPER: LetterCase =
    LetterCase { of_ascii: str::make_ascii_uppercase, of_character: to_upper };

/// Converts each character by itself, as Trino does: `ß` and the number of characters do not change.
pub(super) fn changed(text: Expr, case: LetterCase) -> Expr {
    kernel(text, &[], DataType::String, move |columns| {
        let texts: &ChunkedArray<StringType> = columns[0].as_materialized_series().str()?;
        let changed = texts.apply_into_string_amortized(|text, buffer| {
            if text.is_ascii() {
                buffer.push_str(text);
                (case.of_ascii)(buffer);
            } else {
                buffer.extend(text.chars().map(case.of_character));
            }
        });
        Ok(changed.into_series().into_column())
    })
}

/// The lower-case character; Rust has two for `İ`.
fn to_lower(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (character, lower.next()) {
        ('İ', _) => 'i',
        (_, Some(only)) if lower.next().is_none() => only,
        _ => character,
    }
}

/// The upper-case character, or the character itself if its upper case has several. Greek letters with a iota subscript
/// become those with a capital iota beside them.
fn to_upper(character: char) -> char {
    let mut upper = character.to_uppercase();
    if let (Some(only), None) = (upper.next(), upper.next()) {
        return only;
    }
    let distance = match character {
        'ᾀ'..='ᾇ' | 'ᾐ'..='ᾗ' | 'ᾠ'..='ᾧ' => 8,
        'ᾳ' | 'ῃ' | 'ῳ' => 9,
        _ => 0,
    };
    char::from_u32(u32::from(character) + distance).unwrap_or(character)
}

/// Java's `Character.isWhitespace`: spaces except the non-breaking ones, separators, and control characters that
/// separate text.
pub(super) const fn is_java_whitespace(character: char) -> bool {
    match character {
        '\t'..='\r' | '\u{1c}'..='\u{1f}' => true,
        '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        other => other.is_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_conversion_keeps_the_number_of_characters() {
        for (character, lower, upper) in [
            ('ß', 'ß', 'ß'),
            ('ẞ', 'ß', 'ẞ'),
            ('İ', 'i', 'İ'),
            ('ı', 'ı', 'I'),
            ('ς', 'ς', 'Σ'),
            ('ﬁ', 'ﬁ', 'ﬁ'),
            ('ᾳ', 'ᾳ', 'ᾼ'),
            ('ᾂ', 'ᾂ', 'ᾊ'),
            ('ᾊ', 'ᾂ', 'ᾊ'),
            ('ῼ', 'ῳ', 'ῼ'),
            ('ǅ', 'ǆ', 'Ǆ'),
            ('𐐨', '𐐨', '𐐀'),
            ('\u{390}', '\u{390}', '\u{390}'),
        ] {
            assert_eq!((to_lower(character), to_upper(character)), (lower, upper), "{character}");
        }
    }

    #[test]
    fn white_space_is_that_of_java() {
        let spaces: String =
            (0..=0xffff).filter_map(char::from_u32).filter(|c| is_java_whitespace(*c)).collect();
        assert_eq!(
            spaces,
            "\t\n\u{b}\u{c}\r\u{1c}\u{1d}\u{1e}\u{1f} \u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\
             \u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{205f}\u{3000}"
        );
    }
}
