//! Functions of bytes.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD, STANDARD};
use sha2::Digest as _;

use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls};
use rowhouse_sql::functions::ScalarFunction;

mod utf8;

/// As Java reads it: bits that make no byte are not minded.
const LENIENT: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, NO_PAD.with_decode_allow_trailing_bits(true));

pub(super) fn function(function: ScalarFunction) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let bytes = |bytes: Vec<u8>| Datum::Binary(bytes.into());
    let apply: RowFunction = match function {
        F::ToUtf8 => Box::new(move |row| Ok(bytes(row[0].text().as_bytes().to_vec()))),
        F::FromUtf8 => Box::new(|row| Ok(Datum::from_text(utf8::valid(row[0].bytes())))),
        F::ToHex => Box::new(|row| {
            Ok(Datum::from_text(row[0].bytes().iter().map(|byte| format!("{byte:02X}")).collect::<String>()))
        }),
        F::FromHex => Box::new(move |row| {
            from_hex(row[0].text())
                .map(bytes)
                .ok_or_else(|| invalid("Invalid hex character or odd number of digits"))
        }),
        F::ToBase64 => Box::new(|row| Ok(Datum::from_text(STANDARD.encode(row[0].bytes())))),
        F::FromBase64 => Box::new(move |row| {
            let text = row[0].text();
            // With signs of padding it is padded whole.
            let is_padded = text.ends_with('=');
            let digits =
                if is_padded { text.strip_suffix("==").unwrap_or(&text[..text.len() - 1]) } else { text };
            if is_padded && text.len() % 4 != 0 {
                return Err(invalid("Invalid base64: Input byte array has wrong 4-byte ending unit"));
            }
            LENIENT.decode(digits).map(bytes).map_err(|error| invalid(format!("Invalid base64: {error}")))
        }),
        F::Sha256 => Box::new(move |row| Ok(bytes(sha2::Sha256::digest(row[0].bytes()).to_vec()))),
        F::Concat => {
            Box::new(move |row| Ok(bytes(row.iter().flat_map(|part| part.bytes().iter().copied()).collect())))
        }
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.chars().map(|digit| digit.to_digit(16)).collect::<Option<Vec<u32>>>()?;
    let pairs = digits.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    pairs.map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
}
