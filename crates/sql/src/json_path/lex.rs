//! The lexer of JSON paths.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name or a keyword.
    Word(&'t str),
    /// `$name`, without the `$`.
    Variable(&'t str),
    /// A number in its spelling.
    Number(&'t str),
    /// The content of a quoted text.
    Text(String),
    /// A symbol of one or two characters.
    Symbol(&'static str),
    End,
    /// An invalid character or literal.
    Wrong,
}

/// Longer symbols first.
const SYMBOLS: [&str; 24] = [
    "..", "==", "<>", "!=", "<=", ">=", "&&", "||", "<", ">", "$", "@", ".", "*", "[", "]", "(", ")", ",",
    "?", "+", "-", "/", "%",
];

/// The token that begins at a byte offset, its start and its end. Leading white space is skipped.
pub(super) fn token(text: &str, from: usize) -> (Token<'_>, usize, usize) {
    let rest = text[from..].trim_start_matches([' ', '\t', '\r', '\n']);
    let at = text.len() - rest.len();
    let whole = |token, length: usize| (token, at, at + length);
    let Some(first) = rest.chars().next() else { return whole(Token::End, 0) };
    if is_letter(first) {
        let word = word(rest);
        return whole(Token::Word(word), word.len());
    }
    if let Some(name) = rest.strip_prefix('$').map(word).filter(|name| name.starts_with(is_letter)) {
        return whole(Token::Variable(name), 1 + name.len());
    }
    if let Some(length) = number(rest.as_bytes()) {
        return whole(Token::Number(&rest[..length]), length);
    }
    if first == '"' {
        return match quoted(rest) {
            Some((text, length)) => whole(Token::Text(text), length),
            None => whole(Token::Wrong, 1),
        };
    }
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => whole(Token::Symbol(symbol), symbol.len()),
        None if first == '!' => whole(Token::Symbol("!"), 1),
        None => whole(Token::Wrong, first.len_utf8()),
    }
}

fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_'
}

fn word(text: &str) -> &str {
    let end = text.find(|next: char| !is_letter(next) && !next.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

/// The length of a number in bytes: `1`, `1.5`, `1.`, `.5`, `1e5`.
fn number(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut length = whole;
    if text.get(length) == Some(&b'.') {
        let part = digits(length + 1);
        if whole == 0 && part == 0 {
            return None;
        }
        // The text `1..a` is a number followed by a descendant accessor.
        if part > 0 || text.get(length + 1) != Some(&b'.') {
            length += 1 + part;
        }
    }
    if length == 0 {
        return None;
    }
    if matches!(text.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits((length + 1 + sign).min(text.len()));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    Some(length)
}

/// A quoted text with doubled quotes unescaped, and its length in bytes.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut at = 1;
    let mut value = String::new();
    loop {
        let end = at + text[at..].find('"')?;
        value.push_str(&text[at..end]);
        if !text[end + 1..].starts_with('"') {
            return Some((value, end + 1));
        }
        value.push('"');
        at = end + 2;
    }
}
