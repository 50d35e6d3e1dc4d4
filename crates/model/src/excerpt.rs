//! Shortens long texts for messages.

/// A text for a message: whole if it has at most 80 characters, else the first 80 and `…`.
pub fn excerpt(text: &str) -> String {
    const CHARACTERS: usize = 80;
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_truncated_between_characters() {
        assert_eq!(excerpt(&"é".repeat(81)), format!("{}…", "é".repeat(80)));
        assert_eq!(excerpt("short"), "short");
    }
}
