//! Sanitizes text from elsewhere for a terminal: a control character in a value or a message must not affect the
//! terminal.

use std::borrow::Cow;

/// Escapes control characters; line breaks stay.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    escape(text, |character| character == '\n')
}

/// Escapes control characters, including line breaks.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

fn escape(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_escaped = |character: char| character.is_control() && !is_kept(character);
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_escaped(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::{one_line, printable};

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\n\u{1b}[2Jb"), "a\n\\u{1b}[2Jb");
        assert_eq!(one_line("a\n\tb"), "a\\n\\tb");
        assert_eq!(one_line("ä–b"), "ä–b");
    }
}
