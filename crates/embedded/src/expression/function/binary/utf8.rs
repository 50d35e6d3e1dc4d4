//! Bytes as text: each sequence that is no character becomes U+FFFD, as a whole where it only stands for a character that
//! UTF-8 has not.

/// The text of bytes.
pub(super) fn valid(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let valid = match std::str::from_utf8(rest) {
            Ok(valid) => valid,
            // OK because so many bytes are valid.
            Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).expect("valid bytes"),
        };
        text.push_str(valid);
        rest = &rest[valid.len()..];
        if let Some(first) = rest.first() {
            text.push(char::REPLACEMENT_CHARACTER);
            rest = &rest[invalid_length(*first, rest)..];
        }
    }
    text
}

/// How many bytes of those that begin with a sequence that is no character belong to it: the first, and what it wants of
/// bytes that go on a sequence.
fn invalid_length(first: u8, bytes: &[u8]) -> usize {
    let wanted = match first {
        0xc0..=0xdf => 1,
        0xe0..=0xef => 2,
        0xf0..=0xf7 => 3,
        _ => 0,
    };
    1 + bytes[1..].iter().take(wanted).take_while(|byte| *byte & 0xc0 == 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::valid;

    #[test]
    fn what_is_no_character_is_replaced_once() {
        for (bytes, expected) in [
            (&b"a\xc3\xa9\xf0\x9f\x98\x80"[..], "aé😀"),
            (b"\xffa", "\u{fffd}a"),
            (b"\xed\xa0\x80b", "\u{fffd}b"),
            (b"\xc0\x80", "\u{fffd}"),
            (b"\xf4\x90\x80\x80", "\u{fffd}"),
            (b"\xe2\x82a", "\u{fffd}a"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
            (b"\x80\x80", "\u{fffd}\u{fffd}"),
            (b"\xfe", "\u{fffd}"),
        ] {
            assert_eq!(valid(bytes), expected, "{bytes:?}");
        }
    }
}
