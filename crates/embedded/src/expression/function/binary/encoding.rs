//! Text encodings of bytes: hexadecimal, base 64 and 32, UTF-8. Error messages are those of Java and Guava.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

const DIGITS_32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The characters for 62 and 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet64 {
    /// `+` and `/`.
    Standard,
    /// `-` and `_`.
    OfAddresses,
}

pub(super) fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |four_bits: u8| char::from(DIGITS[usize::from(four_bits)]);
    let mut text = String::with_capacity(2 * bytes.len());
    bytes.iter().for_each(|byte| text.extend([digit(byte >> 4), digit(byte & 15)]));
    text
}

pub(super) fn from_hex(text: &[u8]) -> Result<Vec<u8>, String> {
    if !text.len().is_multiple_of(2) {
        return Err(format!("invalid input length {}", text.len()));
    }
    let digit = |character: u8| {
        let value = char::from(character).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        value.ok_or_else(|| format!("not a hexadecimal digit: \"{}\" = {character}", char::from(character)))
    };
    text.chunks_exact(2).map(|pair| Ok(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

pub(super) fn to_base64(bytes: &[u8], alphabet: Alphabet64) -> String {
    match alphabet {
        Alphabet64::Standard => STANDARD.encode(bytes),
        Alphabet64::OfAddresses => URL_SAFE.encode(bytes),
    }
}

/// Decodes base 64, with padding or without. Surplus bits are ignored.
pub(super) fn from_base64(text: &[u8], alphabet: Alphabet64) -> Result<Vec<u8>, String> {
    if text.len() == 1 {
        return Err("Input byte[] should at least have 2 bytes for base64 bytes".to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    // The bits of a group of four digits, and the number of digits so far.
    let (mut bits, mut count, mut at) = (0u32, 0, 0);
    while let Some(&character) = text.get(at) {
        at += 1;
        if character == b'=' {
            let ends_well = match count {
                0 => false,
                2 => {
                    at += 1;
                    text.get(at - 1) == Some(&b'=')
                }
                _ => true,
            };
            if !ends_well {
                return Err("Input byte array has wrong 4-byte ending unit".to_owned());
            }
            break;
        }
        let digit = digit_of_64(character, alphabet)
            .ok_or_else(|| format!("Illegal base64 character {}", signed_hex(character)))?;
        bits = bits << 6 | digit;
        count += 1;
        if count == 4 {
            bytes.extend(&bits.to_be_bytes()[1..]);
            (bits, count) = (0, 0);
        }
    }
    match count {
        1 => return Err("Last unit does not have enough valid bits".to_owned()),
        2 => bytes.extend(&(bits << 12).to_be_bytes()[1..2]),
        3 => bytes.extend(&(bits << 6).to_be_bytes()[1..3]),
        _ => {}
    }
    if at < text.len() {
        return Err(format!("Input byte array has incorrect ending byte at {at}"));
    }
    Ok(bytes)
}

fn digit_of_64(character: u8, alphabet: Alphabet64) -> Option<u32> {
    let digit = match (character, alphabet) {
        (b'A'..=b'Z', _) => character - b'A',
        (b'a'..=b'z', _) => character - b'a' + 26,
        (b'0'..=b'9', _) => character - b'0' + 52,
        (b'+', Alphabet64::Standard) | (b'-', Alphabet64::OfAddresses) => 62,
        (b'/', Alphabet64::Standard) | (b'_', Alphabet64::OfAddresses) => 63,
        _ => return None,
    };
    Some(u32::from(digit))
}

/// A byte in hexadecimal, as Java prints a signed byte.
fn signed_hex(byte: u8) -> String {
    let byte = byte.cast_signed();
    if byte < 0 { format!("-{:x}", byte.unsigned_abs()) } else { format!("{byte:x}") }
}

pub(super) fn to_base32(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(5) * 8);
    for unit in bytes.chunks(5) {
        let bits =
            unit.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte)) << (8 * (5 - unit.len()));
        let digits = (unit.len() * 8).div_ceil(5);
        for place in 0..8 {
            let digit = usize::try_from(bits >> (35 - 5 * place) & 31).unwrap_or_default();
            text.push(if place < digits { char::from(DIGITS_32[digit]) } else { '=' });
        }
    }
    text
}

/// Decodes base 32, with padding or without. Surplus bits are ignored.
pub(super) fn from_base32(text: &[u8]) -> Result<Vec<u8>, String> {
    let text = String::from_utf8_lossy(text);
    let digits: Vec<u16> = text.trim_end_matches('=').encode_utf16().collect();
    if matches!(digits.len() % 8, 1 | 3 | 6) {
        return Err(format!("Invalid input length {}", digits.len()));
    }
    let mut bytes = Vec::with_capacity(digits.len() * 5 / 8);
    for unit in digits.chunks(8) {
        let mut bits = 0u64;
        for digit in unit {
            let place = DIGITS_32.iter().position(|known| u16::from(*known) == *digit);
            let place = place.ok_or_else(|| match char::from_u32(u32::from(*digit)) {
                Some(character @ '!'..='~') => format!("Unrecognized character: {character}"),
                _ => format!("Unrecognized character: 0x{digit:x}"),
            })?;
            bits = bits << 5 | place as u64;
        }
        let bits = bits << (5 * (8 - unit.len()));
        bytes.extend(&bits.to_be_bytes()[3..3 + unit.len() * 5 / 8]);
    }
    Ok(bytes)
}

/// Decodes UTF-8. Each invalid sequence becomes the replacement; a sequence is as long as the one that Trino takes for
/// a code point.
pub(super) fn replaced_in_utf8(bytes: &[u8], replacement: &str) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let valid = match std::str::from_utf8(rest) {
            Ok(valid) => valid,
            Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default(),
        };
        text.push_str(valid);
        rest = &rest[valid.len()..];
        if !rest.is_empty() {
            text.push_str(replacement);
            rest = &rest[invalid_length(rest)..];
        }
    }
    text
}

/// The length of the invalid sequence that begins here. Its first byte determines how many bytes it should have.
fn invalid_length(bytes: &[u8]) -> usize {
    let wanted = match bytes[0] {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        0xf8..=0xfb => 5,
        0xfc..=0xfd => 6,
        _ => 1,
    };
    1 + bytes[1..].iter().take(wanted - 1).take_while(|byte| **byte & 0xc0 == 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_32_round_trips_for_each_length() {
        let bytes = [0xf0, 0x9f, 0x98, 0x80, 0, 255, 1];
        for length in 0..bytes.len() {
            let text = to_base32(&bytes[..length]);
            assert_eq!(text.len() % 8, 0);
            assert_eq!(from_base32(text.as_bytes()).as_deref(), Ok(&bytes[..length]), "{text}");
        }
        assert_eq!(to_base32(b"foobar"), "MZXW6YTBOI======");
    }

    #[test]
    fn invalid_utf_8_sequences_are_replaced() {
        let replaced = |bytes: &[u8]| replaced_in_utf8(bytes, "?");
        assert_eq!(replaced(b"a\xffb"), "a?b");
        // A surrogate, sequences that are too long, and a truncated sequence.
        assert_eq!(replaced(b"\xed\xa0\x80"), "?");
        assert_eq!(replaced(b"\xc0\x80\xf8\x88\x80\x80\x80"), "??");
        assert_eq!(replaced(b"\xe2\x82@"), "?@");
    }
}
