//! Tokens of a statement, and the limits that keep later stages from recursing too deep or allocating too much.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::error::{Result, error, location_of, syntax_error};
use super::lexer::lex;

/// Maximum number of operators that may be nested in each other, over all levels of parentheses. The parser builds a
/// tree that is as deep as the chain `1 + 1 + …` is long, and such a tree is traversed recursively, even when it is
/// dropped.
pub(super) const MAX_OPERATOR_DEPTH: usize = 10_000;

/// The tokens without white space, comments and trailing `;`; at least one.
pub(super) fn tokenize(text: &str) -> Result<Vec<TokenWithSpan>> {
    let mut tokens = lex(text)?;
    while tokens.last().is_some_and(|token| token.token == Token::SemiColon) {
        tokens.pop();
    }
    if tokens.is_empty() {
        let start = ErrorLocation { line_number: 1, column_number: 1 };
        return Err(syntax_error(Some(start), "the statement is empty"));
    }
    mark_row_patterns(&mut tokens);
    check_depth(&tokens)?;
    Ok(tokens)
}

/// The token for `?` in a row pattern, which is a quantifier and not a parameter.
pub(super) const RELUCTANT: Token = Token::Char('?');

/// Replaces the `?` of row patterns, in `PATTERN (…)` within `MATCH_RECOGNIZE (…)`, with their own token.
fn mark_row_patterns(tokens: &mut [TokenWithSpan]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Bracket {
        Other,
        Recognition,
        Pattern,
    }
    let mut open = vec![Bracket::Other];
    // The kind of bracket that the previous word would open.
    let mut before = Bracket::Other;
    for token in tokens {
        let here = open.last().copied().unwrap_or(Bracket::Other);
        match &token.token {
            Token::LParen | Token::LBracket => open.push(match (here, before) {
                (Bracket::Pattern, _) | (Bracket::Recognition, Bracket::Pattern) => Bracket::Pattern,
                (_, Bracket::Recognition) => Bracket::Recognition,
                _ => Bracket::Other,
            }),
            Token::RParen | Token::RBracket if open.len() > 1 => {
                open.pop();
            }
            Token::Placeholder(text) if here == Bracket::Pattern && text == "?" => token.token = RELUCTANT,
            _ => {}
        }
        before = match &token.token {
            Token::Word(word) if word.quote_style.is_some() => Bracket::Other,
            Token::Word(word) if word.value.eq_ignore_ascii_case("PATTERN") => Bracket::Pattern,
            Token::Word(word) if word.value.eq_ignore_ascii_case("MATCH_RECOGNIZE") => Bracket::Recognition,
            _ => Bracket::Other,
        };
    }
}

/// Refuses chains of operators that would result in a tree that is too deep.
pub(super) fn check_depth(tokens: &[TokenWithSpan]) -> Result<()> {
    // For each open parenthesis the number of operators since the last comma, which ends a chain, and the number of set
    // operations, which a comma does not end.
    let mut levels = vec![(0_usize, 0_usize)];
    let mut total = 0_usize;
    for TokenWithSpan { token, span } in tokens {
        match token {
            Token::LParen | Token::LBracket => levels.push((0, 0)),
            Token::RParen | Token::RBracket if levels.len() > 1 => {
                let (operators, set_operations) = levels.pop().unwrap_or_default();
                total -= operators + set_operations;
            }
            Token::Comma => {
                if let Some((operators, _)) = levels.last_mut() {
                    total -= std::mem::take(operators);
                }
            }
            token => {
                if let Some((operators, set_operations)) = levels.last_mut() {
                    let is_set_operation = matches!(
                        token,
                        Token::Word(word)
                            if matches!(word.keyword, Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT)
                    );
                    let counted = usize::from(is_set_operation || is_operator(token));
                    *(if is_set_operation { set_operations } else { operators }) += counted;
                    total += counted;
                }
            }
        }
        if total > MAX_OPERATOR_DEPTH {
            let message = format!("more than {MAX_OPERATOR_DEPTH} operators in one expression");
            return Err(error(ErrorCode::NotSupported, location_of(span.start), message));
        }
    }
    Ok(())
}

/// Whether the token may move the preceding operand one level deeper in the tree.
fn is_operator(token: &Token) -> bool {
    match token {
        Token::Word(word) => matches!(
            word.keyword,
            Keyword::AND
                | Keyword::OR
                | Keyword::NOT
                | Keyword::IS
                | Keyword::IN
                | Keyword::LIKE
                | Keyword::ILIKE
                | Keyword::BETWEEN
                | Keyword::AT
                | Keyword::ELSE
                | Keyword::CASE
        ),
        Token::Number(..)
        | Token::Char(_)
        | Token::UnicodeStringLiteral(_)
        | Token::HexStringLiteral(_)
        | Token::Period
        | Token::SemiColon
        | Token::EOF => false,
        _ => true,
    }
}
