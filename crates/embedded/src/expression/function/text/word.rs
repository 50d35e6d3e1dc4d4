//! Functions of words and digit strings: Soundex, stems, check digits.

use polars::prelude::{PolarsError, PolarsResult};
use rowhouse_model::ErrorCode;
use rust_stemmers::{Algorithm, Stemmer};

use super::super::invalid;
use crate::failure::raise;

/// The Soundex code of each letter from A; `0` is not printed.
const SOUNDS: &[u8; 26] = b"01230120022455012623010202";

/// American Soundex as in Apache's `commons-codec`: letters with the same code around H and W count once.
pub(super) fn soundex(text: &str) -> PolarsResult<String> {
    let letters = text.chars().filter(|character| character.is_alphabetic());
    let mut letters = letters.flat_map(char::to_uppercase);
    let sound = |letter: char| -> PolarsResult<char> {
        let place =
            u32::from(letter).checked_sub(u32::from('A')).and_then(|place| usize::try_from(place).ok());
        let found = place.and_then(|place| SOUNDS.get(place));
        found.map(|sound| char::from(*sound)).ok_or_else(|| {
            let index = i64::from(u32::from(letter)) - 65;
            invalid(format!("The character is not mapped: {letter} (index={index})"))
        })
    };
    let Some(first) = letters.next() else { return Ok(String::new()) };
    let mut code = String::from(first);
    let mut last = sound(first)?;
    for letter in letters {
        if code.chars().count() == 4 {
            break;
        }
        if matches!(letter, 'H' | 'W') {
            continue;
        }
        let own = sound(letter)?;
        if own != '0' && own != last {
            code.push(own);
        }
        last = own;
    }
    while code.chars().count() < 4 {
        code.push('0');
    }
    Ok(code)
}

/// Whether the last digit is the check digit of those before it.
pub(super) fn luhn_check(text: &str) -> PolarsResult<bool> {
    let mut sum = 0;
    for (place, digit) in text.chars().rev().enumerate() {
        let digit = digit.to_digit(10).ok_or_else(|| invalid("Input contains non-digit character"))?;
        let weighted = if place % 2 == 1 { 2 * digit } else { digit };
        sum += weighted / 10 + weighted % 10;
    }
    Ok(!text.is_empty() && sum % 10 == 0)
}

/// The stemmer of a language code.
///
/// # Errors
///
/// `INVALID_FUNCTION_ARGUMENT` for a language that Trino does not support, `NOT_SUPPORTED` for a language that only
/// Trino supports, or supports in a newer form.
pub(super) fn stemmer(language: &str) -> PolarsResult<Stemmer> {
    let algorithm = match language {
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "en" => Algorithm::English,
        "es" => Algorithm::Spanish,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        "no" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ru" => Algorithm::Russian,
        "sv" => Algorithm::Swedish,
        "ca" | "eu" | "hy" | "ir" | "lt" | "ro" | "tr" => return Err(unsupported(language)),
        other => return Err(invalid(format!("Unknown stemmer language: {other}"))),
    };
    Ok(Stemmer::create(algorithm))
}

fn unsupported(language: &str) -> PolarsError {
    let message = format!("stems of words of the language '{language}' are not supported");
    raise(ErrorCode::NotSupported, message)
}
