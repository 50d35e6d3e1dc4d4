//! Expiry of a certificate: the one field of X.509 (RFC 5280, section 4.1) that an operator must act on, read from the
//! certificate's DER. Nothing is verified here.

use std::time::Duration;

use rowhouse_model::Timestamp;

/// Time before the expiry at which the operator is warned: renewals usually come a month ahead.
pub(crate) const WARNING_PERIOD: Duration = Duration::from_secs(30 * 24 * 60 * 60);

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// The version, which certificates of the first version omit.
const EXPLICIT_0: u8 = 0xa0;

/// The expiry state of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    /// Valid for longer than [`WARNING_PERIOD`].
    Far,
    /// Valid for this many more days; 0 means less than a day.
    Near { days: i64 },
    /// Clients refuse it.
    Past,
}

impl Expiry {
    /// The state of a certificate that is valid until a time.
    pub(crate) fn at(now: Timestamp, not_after: Timestamp) -> Self {
        let left = not_after.as_millis().saturating_sub(now.as_millis());
        if left < 0 {
            Self::Past
        } else if u128::from(left.unsigned_abs()) < WARNING_PERIOD.as_millis() {
            Self::Near { days: left / (24 * 60 * 60 * 1000) }
        } else {
            Self::Far
        }
    }
}

/// The last time at which a certificate is valid; none if it does not have the RFC's structure.
pub(crate) fn not_after(certificate: &[u8]) -> Option<Timestamp> {
    let (certificate, _) = element(certificate, SEQUENCE)?;
    let (to_be_signed, _) = element(certificate, SEQUENCE)?;
    let rest = element(to_be_signed, EXPLICIT_0).map_or(to_be_signed, |(_, rest)| rest);
    let (_serial_number, rest) = element(rest, INTEGER)?;
    let (_signature_algorithm, rest) = element(rest, SEQUENCE)?;
    let (_issuer, rest) = element(rest, SEQUENCE)?;
    let (validity, _) = element(rest, SEQUENCE)?;
    let (_not_before, not_after) = time(validity)?;
    time(not_after).map(|(time, _)| time)
}

/// The contents of the first element, if it has this tag, and the rest.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[found, length], rest) = bytes.split_first_chunk()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        // The number of bytes of the length; DER has no indefinite form.
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
            (digits.iter().fold(0, |length, &digit| length << 8 | usize::from(digit)), rest)
        }
        _ => return None,
    };
    (found == tag).then_some(())?;
    rest.split_at_checked(length)
}

/// `YYMMDDHHMMSSZ` for years from 1950 to 2049, `YYYYMMDDHHMMSSZ` for others.
fn time(bytes: &[u8]) -> Option<(Timestamp, &[u8])> {
    let (text, rest, century) = match element(bytes, UTC_TIME) {
        Some((text, rest)) => {
            let century = if *text.first()? < b'5' { "20" } else { "19" };
            (text, rest, century)
        }
        None => {
            let (text, rest) = element(bytes, GENERALIZED_TIME)?;
            (text, rest, "")
        }
    };
    let digits = format!("{century}{}", str::from_utf8(text).ok()?.strip_suffix('Z')?);
    let part = |from: usize, to: usize| digits.get(from..to);
    if digits.len() != 14 {
        return None;
    }
    let [year, month, day] = [part(0, 4)?, part(4, 6)?, part(6, 8)?];
    let [hour, minute, second] = [part(8, 10)?, part(10, 12)?, part(12, 14)?];
    let time = format!("{year}-{month}-{day}T{hour}:{minute}:{second}.000Z").parse().ok()?;
    Some((time, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A certificate's outer structure around a validity; the fields before it are empty.
    fn certificate(version: bool, not_before: &[u8], not_after: &[u8]) -> Vec<u8> {
        let wrapped = |tag: u8, contents: &[u8]| {
            let length = u16::try_from(contents.len()).expect("short").to_be_bytes();
            [&[tag, 0x82, length[0], length[1]], contents].concat()
        };
        let validity = wrapped(SEQUENCE, &[not_before, not_after].concat());
        let version = if version { wrapped(EXPLICIT_0, &[INTEGER, 1, 2]) } else { Vec::new() };
        let before = [&version[..], &[INTEGER, 1, 7], &[SEQUENCE, 0], &[SEQUENCE, 0]].concat();
        wrapped(SEQUENCE, &wrapped(SEQUENCE, &[before, validity].concat()))
    }

    fn utc(text: &str) -> Vec<u8> {
        [&[UTC_TIME, u8::try_from(text.len()).expect("short")], text.as_bytes()].concat()
    }

    fn generalized(text: &str) -> Vec<u8> {
        [&[GENERALIZED_TIME, u8::try_from(text.len()).expect("short")], text.as_bytes()].concat()
    }

    #[test]
    fn both_time_forms_are_parsed_with_and_without_a_version() {
        let start = utc("200101000000Z");
        let check = |end: Vec<u8>, expected: Option<&str>| {
            for version in [true, false] {
                let found = not_after(&certificate(version, &start, &end));
                assert_eq!(found.map(|time| time.to_string()).as_deref(), expected);
            }
        };
        check(utc("260131081530Z"), Some("2026-01-31T08:15:30.000Z"));
        check(utc("491231235959Z"), Some("2049-12-31T23:59:59.000Z"));
        check(utc("991231235959Z"), Some("1999-12-31T23:59:59.000Z"));
        check(generalized("20500101000000Z"), Some("2050-01-01T00:00:00.000Z"));
        check(generalized("99991231235959Z"), Some("9999-12-31T23:59:59.000Z"));
        check(utc("260230000000Z"), None);
        check(utc("2601310815Z"), None);
        check(utc("260131081530+0100"), None);
        check(vec![INTEGER, 1, 1], None);
    }

    #[test]
    fn the_expiry_state_depends_on_the_remaining_days() {
        let check = |days: f64, expected| {
            #[expect(clippy::cast_possible_truncation, reason = "a few days")]
            let not_after = Timestamp::from_millis((days * 86_400_000.0) as i64);
            assert_eq!(Expiry::at(Timestamp::from_millis(0), not_after), expected, "{days}");
        };
        check(30.0, Expiry::Far);
        check(29.9, Expiry::Near { days: 29 });
        check(0.0, Expiry::Near { days: 0 });
        check(-0.1, Expiry::Past);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = not_after(&bytes);
        }
    }
}
