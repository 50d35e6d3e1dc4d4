//! Text as JSON strings: copied and scanned sixteen bytes at a time; only text that needs an escape is processed byte
//! by byte. All of it is UTF-8 already.

use super::output::Output;
use crate::arrow_file::plain_text::{STEP_BYTES, add_flags, needs_escape};

/// Width by which texts of usual length are copied, whatever their length: cheaper than a loop with an unpredictable
/// end.
const STRIDE_BYTES: usize = 64;

/// Writes `bytes[start..end]` as a quoted JSON string. The whole buffer is passed so that short text can be copied with
/// a fixed width, together with bytes after it that the next value overwrites.
#[inline(always)]
pub(super) fn put_json_text(out: &mut Output, bytes: &[u8], start: usize, end: usize) {
    let length = end - start;
    if length <= STEP_BYTES
        && let Some(step) = bytes.get(start..).and_then(<[u8]>::first_chunk::<STEP_BYTES>)
        && is_clean_up_to(step, length)
    {
        let window = out.window::<{ STEP_BYTES + 2 }>();
        window[0] = b'"';
        window[1..=STEP_BYTES].copy_from_slice(step);
        window[length + 1] = b'"';
        out.advance(length + 2);
        return;
    }
    out.push(b'"');
    put_escaped(out, &bytes[start..end]);
    out.push(b'"');
}

/// As [`put_json_text`], into room that the caller provides; returns the written length, or none if there is too little
/// room or a byte needs an escape. `plain` bytes are known to need none and are not scanned.
#[inline(always)]
pub(super) fn json_text_into(
    room: &mut [u8],
    bytes: &[u8],
    start: usize,
    end: usize,
    plain: bool,
) -> Option<usize> {
    let source = bytes.get(start..)?;
    let length = end - start;
    if length <= STEP_BYTES
        && let Some(step) = source.first_chunk::<STEP_BYTES>()
    {
        if !plain && !is_clean_up_to(step, length) {
            return None;
        }
        let window = room.first_chunk_mut::<{ STEP_BYTES + 2 }>()?;
        window[0] = b'"';
        window[1..=STEP_BYTES].copy_from_slice(step);
        window[length + 1] = b'"';
        return Some(length + 2);
    }
    if plain
        && length <= STRIDE_BYTES
        && let Some(stride) = source.first_chunk::<STRIDE_BYTES>()
    {
        let window = room.first_chunk_mut::<{ STRIDE_BYTES + 2 }>()?;
        window[0] = b'"';
        window[1..=STRIDE_BYTES].copy_from_slice(stride);
        window[length + 1] = b'"';
        return Some(length + 2);
    }
    let (text, [first, inside @ .., last]) = (source.get(..length)?, room.get_mut(..length + 2)?) else {
        return None;
    };
    *first = b'"';
    *last = b'"';
    if plain {
        inside.copy_from_slice(text);
        return Some(length + 2);
    }
    copy_clean(text, inside).then_some(length + 2)
}

/// Writes the inside of a JSON string.
#[inline]
pub(super) fn put_escaped(out: &mut Output, text: &[u8]) {
    if text.len() >= STEP_BYTES && copy_clean(text, &mut out.room(text.len())[..text.len()]) {
        return out.advance(text.len());
    }
    put_escaped_bytewise(out, text);
}

/// Copies text into room of its length; false if a byte needs an escape, and for a text shorter than a step.
#[inline(always)]
fn copy_clean(text: &[u8], room: &mut [u8]) -> bool {
    let (Some(last), (steps, _)) = (text.last_chunk::<STEP_BYTES>(), text.as_chunks::<STEP_BYTES>()) else {
        return false;
    };
    let (targets, _) = room.as_chunks_mut::<STEP_BYTES>();
    let mut flags = [0_u8; STEP_BYTES];
    for (step, target) in steps.iter().zip(targets) {
        *target = *step;
        add_flags(&mut flags, step);
    }
    // The rest is the end of the last sixteen bytes, most of which are already copied.
    if let Some(target) = room.last_chunk_mut::<STEP_BYTES>() {
        *target = *last;
    }
    add_flags(&mut flags, last);
    flags == [0; STEP_BYTES]
}

/// Whether none of the first `length` bytes needs an escape.
#[inline(always)]
fn is_clean_up_to(step: &[u8; STEP_BYTES], length: usize) -> bool {
    const ONES: u128 = u128::from_ne_bytes([0x01; STEP_BYTES]);
    const HIGHS: u128 = u128::from_ne_bytes([0x80; STEP_BYTES]);
    // A byte below `n` borrows from its high bit. A borrow can reach the byte above, so a flag above a true one may be
    // wrong; the lowest flag is always right, and only that one is used.
    const fn below(word: u128, n: u8) -> u128 {
        word.wrapping_sub(ONES * n as u128) & !word
    }
    let word = u128::from_le_bytes(*step);
    let flags =
        below(word, 0x20) | below(word ^ (ONES * b'"' as u128), 1) | below(word ^ (ONES * b'\\' as u128), 1);
    (flags & HIGHS).trailing_zeros() as usize / 8 >= length
}

#[cold]
#[inline(never)]
fn put_escaped_bytewise(out: &mut Output, text: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| needs_escape(*byte)) {
        out.put(&rest[..at]);
        let byte = rest[at];
        match byte {
            b'"' | b'\\' => out.put_array(&[b'\\', byte]),
            b'\n' => out.put_array(b"\\n"),
            b'\r' => out.put_array(b"\\r"),
            b'\t' => out.put_array(b"\\t"),
            0x08 => out.put_array(b"\\b"),
            0x0c => out.put_array(b"\\f"),
            _ => out.put_array(&[
                b'\\',
                b'u',
                b'0',
                b'0',
                HEX[usize::from(byte >> 4)],
                HEX[usize::from(byte & 15)],
            ]),
        }
        rest = &rest[at + 1..];
    }
    out.put(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow_file::plain_text::is_plain_json;

    fn written(text: &str, behind: &str) -> String {
        let buffer = format!("{text}{behind}");
        let mut out = Output::new(0);
        put_json_text(&mut out, buffer.as_bytes(), 0, text.len());
        let json = String::from_utf8(out.take(false).to_vec()).expect("UTF-8");
        check_into(&buffer, text, &json);
        json
    }

    /// The functions that write into given room write the same or nothing, and nothing beyond the room.
    fn check_into(buffer: &str, text: &str, json: &str) {
        let is_plain = is_plain_json(text.as_bytes());
        assert_eq!(is_plain, json.len() == text.len() + 2, "{text:?}");
        for known_plain in [false, is_plain] {
            for room in [0, json.len() - 1, json.len(), json.len() + 15, json.len() + 80] {
                let mut bytes = vec![0; room];
                let written = json_text_into(&mut bytes, buffer.as_bytes(), 0, text.len(), known_plain);
                assert!(
                    written.is_none() || (is_plain && bytes[..json.len()] == *json.as_bytes()),
                    "{text:?}"
                );
                let has_room = room >= json.len() + 80;
                // A short text at the very end of its buffer is processed byte by byte.
                let is_short = text.len() < STEP_BYTES && buffer.len() < STEP_BYTES && !known_plain;
                assert!(written.is_some() || !is_plain || !has_room || is_short, "{text:?}");
            }
        }
    }

    /// Every byte that a string can contain, at every position of strings around the width of a step.
    #[test]
    fn text_round_trips_regardless_of_the_following_bytes() {
        for length in 0..40 {
            for at in 0..length {
                for character in (0_u8..=0x7f).map(char::from) {
                    let text: String =
                        (0..length).map(|place| if place == at { character } else { 'x' }).collect();
                    for behind in
                        ["", "\"\\\n", "abcdefghijklmnopqrstuvwxyz", "\u{1}bcdefghijklmnopqrstuvwxyz\""]
                    {
                        let json = written(&text, behind);
                        let back: String = serde_json::from_str(&json).expect(&json);
                        assert_eq!(back, text);
                    }
                }
            }
        }
    }

    #[test]
    fn the_shortest_escapes_are_used() {
        let check = |text: &str, expected: &str| assert_eq!(written(text, ""), expected);
        check("a\"b\\c", r#""a\"b\\c""#);
        check("\n\r\t\u{8}\u{c}\u{0}\u{1f}", r#""\n\r\t\b\f\u0000\u001f""#);
        check("é😀\u{7f}\u{2028}/", "\"é😀\u{7f}\u{2028}/\"");
    }
}
