//! Counts characters of UTF-8 by their first bytes. For bytes that are not UTF-8 the count is unspecified, but there is
//! no panic.

/// Bytes of a character by its first byte.
#[inline(always)]
pub(super) fn width(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

/// Bytes of the first `count` characters; none if there are fewer.
pub(super) fn skip(text: &[u8], count: usize) -> Option<usize> {
    let mut position = 0;
    for _ in 0..count {
        position += width(*text.get(position)?);
    }
    (position <= text.len()).then_some(position)
}

/// Offset at which the last `count` characters begin; none if there are fewer.
pub(super) fn skip_back(text: &[u8], count: usize) -> Option<usize> {
    let mut position = text.len();
    for _ in 0..count {
        position = text[..position].iter().rposition(|byte| byte & 0xc0 != 0x80)?;
    }
    Some(position)
}

/// The last offset at or before `end` at which a character begins, or the end of the text.
pub(super) fn floor_boundary(text: &[u8], end: usize) -> usize {
    if end >= text.len() {
        return text.len();
    }
    let is_first = |place: &usize| text[*place] & 0xc0 != 0x80;
    (end.saturating_sub(3)..=end).rev().find(is_first).unwrap_or(end)
}
