//! LIKE patterns: `%` matches any text, `_` any one character, an escape character makes both literal. Patterns of filters
//! (`rowhouse_filters::LikePattern`) are compiled by themselves: their escape character is always `\`, their errors name the
//! place in the filter, and a long text is matched in pieces, because the server stops reads that exceed their turn. A worker
//! is killed instead, so here a text is matched at once, and the search of each piece is the fastest one there is.

use memchr::memmem::Finder;

/// A compiled pattern. Without `_`, matching takes time linear in the text.
#[derive(Debug)]
pub(super) struct Pattern {
    form: Form,
    is_case_insensitive: bool,
}

#[derive(Debug)]
enum Form {
    /// A pattern without wildcards.
    Equal(String),
    /// Pieces of text between `%`: the prefix, the pieces that must follow in order, the suffix.
    Pieces { first: String, inner: Vec<Finder<'static>>, last: String },
    /// A pattern with `_`.
    Tokens(Vec<Token>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Any,
    One,
    Character(char),
}

impl Pattern {
    /// Compiles a pattern.
    pub(super) fn compile(
        pattern: &str,
        escape: Option<char>,
        is_case_insensitive: bool,
    ) -> Result<Self, String> {
        let folded;
        let pattern = if is_case_insensitive {
            folded = pattern.to_lowercase();
            &folded
        } else {
            pattern
        };
        let tokens = tokens(pattern, escape)?;
        let form = if tokens.contains(&Token::One) { Form::Tokens(tokens) } else { pieces(&tokens) };
        Ok(Self { form, is_case_insensitive })
    }

    /// Whether the pattern matches the whole text.
    pub(super) fn matches(&self, text: &str) -> bool {
        if self.is_case_insensitive {
            self.form.matches(&text.to_lowercase())
        } else {
            self.form.matches(text)
        }
    }
}

impl Form {
    fn matches(&self, text: &str) -> bool {
        match self {
            Self::Equal(expected) => text == expected,
            Self::Pieces { first, inner, last } => {
                if text.len() < first.len() + last.len() || !begins(text, first) || !ends(text, last) {
                    return false;
                }
                let mut rest = &text.as_bytes()[first.len()..text.len() - last.len()];
                for piece in inner {
                    let Some(at) = piece.find(rest) else { return false };
                    rest = &rest[at + piece.needle().len()..];
                }
                true
            }
            Self::Tokens(tokens) => matches_tokens(tokens, text),
        }
    }
}

/// Whether a text begins with `first`. The check for an empty prefix is an optimization: the C library's comparison of
/// no bytes at a dangling address costs more than a search, and most patterns begin or end with `%`.
fn begins(text: &str, first: &str) -> bool {
    first.is_empty() || text.starts_with(first)
}

fn ends(text: &str, last: &str) -> bool {
    last.is_empty() || text.ends_with(last)
}

/// The pattern with `\` as its escape character.
///
/// # Errors
///
/// The message of Trino's error for a misplaced escape character.
pub(in crate::expression) fn with_backslash_escapes(pattern: &str, escape: char) -> Result<String, String> {
    let mut written = String::with_capacity(pattern.len());
    for token in tokens(pattern, Some(escape))? {
        match token {
            Token::Any => written.push('%'),
            Token::One => written.push('_'),
            Token::Character(character) => {
                if matches!(character, '%' | '_' | '\\') {
                    written.push('\\');
                }
                written.push(character);
            }
        }
    }
    Ok(written)
}

fn tokens(pattern: &str, escape: Option<char>) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        tokens.push(if Some(character) == escape {
            match characters.next() {
                Some(escaped) if escaped == '%' || escaped == '_' || Some(escaped) == escape => {
                    Token::Character(escaped)
                }
                _ => {
                    return Err(
                        "Escape character must be followed by '%', '_' or the escape character itself"
                            .to_owned(),
                    );
                }
            }
        } else {
            match character {
                '%' => Token::Any,
                '_' => Token::One,
                character => Token::Character(character),
            }
        });
    }
    Ok(tokens)
}

fn pieces(tokens: &[Token]) -> Form {
    let mut pieces: Vec<String> = tokens
        .split(|token| *token == Token::Any)
        .map(|piece| {
            let characters = piece.iter().filter_map(|token| match token {
                Token::Character(character) => Some(*character),
                _ => None,
            });
            characters.collect()
        })
        .collect();
    if pieces.len() == 1 {
        return Form::Equal(pieces.swap_remove(0));
    }
    let last = pieces.pop().unwrap_or_default();
    let first = pieces.remove(0);
    let inner = pieces.iter().filter(|piece| !piece.is_empty());
    Form::Pieces { first, inner: inner.map(|piece| Finder::new(piece).into_owned()).collect(), last }
}

/// Matches greedily with one position to backtrack to: the last `%` and the text that it has taken.
fn matches_tokens(tokens: &[Token], text: &str) -> bool {
    let (mut token, mut rest) = (0, text);
    let mut back: Option<(usize, &str)> = None;
    loop {
        let mut characters = rest.chars();
        match tokens.get(token) {
            None if rest.is_empty() => return true,
            Some(Token::Any) => {
                back = Some((token + 1, rest));
                token += 1;
                continue;
            }
            Some(Token::One) if characters.next().is_some() => {
                rest = characters.as_str();
                token += 1;
                continue;
            }
            Some(Token::Character(wanted)) if characters.next() == Some(*wanted) => {
                rest = characters.as_str();
                token += 1;
                continue;
            }
            _ => {}
        }
        let Some((after_any, taken_to)) = back else { return false };
        let mut longer = taken_to.chars();
        if longer.next().is_none() {
            return false;
        }
        (token, rest) = (after_any, longer.as_str());
        back = Some((after_any, rest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, text: &str, expected: bool) {
        let compiled = Pattern::compile(pattern, Some('\\'), false).expect("a pattern");
        assert_eq!(compiled.matches(text), expected, "{text} LIKE {pattern}");
    }

    #[test]
    fn pieces_follow_each_other_without_overlap() {
        check("%special%requests%", "the special requests", true);
        check("%special%requests%", "requests special", false);
        check("ab%ba", "aba", false);
        check("ab%ba", "abba", true);
        check("%", "", true);
        check("", "", true);
        check("", "a", false);
        check("a\\%b", "a%b", true);
        check("a\\%b", "axb", false);
    }

    #[test]
    fn underscore_matches_one_character() {
        check("_", "é", true);
        check("__", "é", false);
        check("%_b_%", "abc", true);
        check("%_b_%", "bc", false);
        check("%a_c", "abcabxc", false);
        check("%a_c", "abxabc", true);
    }
}
