//! URL functions.

use polars::prelude::PolarsResult;

use super::{RowFunction, invalid};
use crate::datum::{Datum, Nulls};
use rowhouse_sql::functions::ScalarFunction;

mod address;
mod ip_address;

use address::Address;

pub(super) fn function(function: ScalarFunction) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let apply: RowFunction = match function {
        F::UrlEncode => Box::new(|row| Ok(Datum::from_text(encoded(row[0].text())))),
        F::UrlDecode => Box::new(|row| decoded_parameter(row[0].text()).map(Datum::from_text)),
        F::UrlExtractProtocol => part(|address| address.scheme),
        F::UrlExtractHost => part(|address| address.host),
        F::UrlExtractPort => Box::new(|row| {
            let port = Address::parse(row[0].text()).and_then(|address| address.port);
            Ok(port.map_or(Datum::Null, |port| Datum::Integer(i64::from(port))))
        }),
        F::UrlExtractPath => part(|address| address.path.map(|path| decoded(&path, true))),
        F::UrlExtractQuery => part(|address| address.query.map(|query| decoded(&query, false))),
        F::UrlExtractFragment => part(|address| address.fragment.map(|fragment| decoded(&fragment, false))),
        F::UrlExtractParameter => Box::new(|row| {
            let query = Address::parse(row[0].text()).and_then(|address| address.query);
            parameter(query.as_deref(), row[1].text())
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

/// Returns a part of a URL: NULL for an invalid URL, the empty text if it has no such part.
fn part(get: impl Fn(Address) -> Option<String> + Send + Sync + 'static) -> RowFunction {
    Box::new(move |row| {
        let address = Address::parse(row[0].text());
        Ok(address.map_or(Datum::Null, |address| Datum::from_text(get(address).unwrap_or_default())))
    })
}

/// The value of the first query parameter with this name; it is empty if the parameter has none.
fn parameter(query: Option<&str>, name: &str) -> PolarsResult<Datum<'static>> {
    for parameter in query.into_iter().flat_map(|query| query.split('&')) {
        let (found, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        if found == name {
            return decoded_parameter(value).map(Datum::from_text);
        }
    }
    Ok(Datum::Null)
}

fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'*' => {
                encoded.push(char::from(byte));
            }
            b' ' => encoded.push('+'),
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// Decodes as Java's `URLDecoder`: `+` is a space, invalid UTF-8 becomes U+FFFD.
fn decoded_parameter(text: &str) -> PolarsResult<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => {
                let digit =
                    |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                let escaped = digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low);
                bytes
                    .push(escaped.ok_or_else(|| {
                        invalid("URLDecoder: Illegal hex characters in escape (%) pattern")
                    })?);
                rest = after;
            }
            (b'%', _) => return Err(invalid("URLDecoder: Incomplete trailing escape (%) pattern")),
            (byte, _) => bytes.push(*byte),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Decodes a part of a URL whose escapes are complete. With `keeps_brackets`, text in square brackets is not decoded.
fn decoded(part: &str, keeps_brackets: bool) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let (mut rest, mut is_in_brackets) = (part.as_bytes(), false);
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'%', [high, low, after @ ..]) if !(is_in_brackets && keeps_brackets) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).ok();
                bytes.push(digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(b'?'));
                rest = after;
                continue;
            }
            (b'[', _) => is_in_brackets = true,
            (b']', _) => is_in_brackets = false,
            _ => {}
        }
        bytes.push(*first);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
