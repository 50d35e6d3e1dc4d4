//! The tokens of a Rust file that paths are made of: comments are omitted, and string and character literals become
//! empty texts.

/// Words, `::`, and every other character that is not white space.
pub(super) fn tokens(source: &str) -> Vec<String> {
    let mut rest = source;
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if let Some(length) = comment(rest) {
            length
        } else if let Some(length) = quoted(rest) {
            tokens.push("\"\"".to_owned());
            length
        } else if is_word(first) {
            let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

pub(super) fn is_name(token: &str) -> bool {
    token.starts_with(|letter: char| is_word(letter) && !letter.is_ascii_digit())
}

/// The position of the bracket that closes the one at `open`.
pub(super) fn closing(tokens: &[String], open: usize) -> usize {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return place;
        }
    }
    tokens.len().saturating_sub(1)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of the comment that begins here. Block comments nest.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut at = 0;
    let mut depth = 0_usize;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if depth == 0 {
            return None;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += rest.chars().next().map(char::len_utf8)?;
        }
    }
}

/// The length of the string or character literal that begins here. A lifetime is neither.
fn quoted(text: &str) -> Option<usize> {
    if let Some(character) = text.strip_prefix('\'') {
        let mut letters = character.char_indices();
        return match letters.next()?.1 {
            '\\' => character[2..].find('\'').map(|end| end + 4),
            _ => letters.next().filter(|(_, end)| *end == '\'').map(|(end, _)| end + 2),
        };
    }
    let prefix = text.find(|letter: char| !matches!(letter, 'b' | 'c' | 'r'))?;
    let raw = text[..prefix].ends_with('r');
    let marks = text[prefix..].bytes().take_while(|byte| *byte == b'#').count();
    let start = prefix + marks;
    if prefix > 2 || !text[start..].starts_with('"') || (marks > 0 && !raw) {
        return None;
    }
    if raw {
        let end = format!("\"{}", "#".repeat(marks));
        return text[start + 1..].find(&end).map(|at| start + 1 + at + end.len());
    }
    let mut is_escaped = false;
    let end = text[start + 1..].find(|letter| {
        let is_end = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        is_end
    });
    end.map(|at| start + at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_omitted() {
        let source = r##"use a::b; // use c
            /* use /* d */ e */ let x: &'static str = r#"use "f""#; let y = '"'; g(b"h\"::i", '\'', 'j');"##;
        let expected =
            "use a :: b ; let x : & ' static str = \"\" ; let y = \"\" ; g ( \"\" , \"\" , \"\" ) ;";
        assert_eq!(tokens(source).join(" "), expected);
    }
}
