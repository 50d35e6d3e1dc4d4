//! Words of the grammar that the parser's keywords lack, or that are keywords only in some places: compared by their text.

use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Word};

/// Whether a token is this word, in any letter case and without quotes.
pub(super) fn is_word(token: &Token, name: &str) -> bool {
    matches!(token, Token::Word(Word { value, quote_style: None, .. }) if value.eq_ignore_ascii_case(name))
}

/// Whether the next token is this word.
pub(super) fn is_next(parser: &Parser<'_>, name: &str) -> bool {
    is_word(&parser.peek_token_ref().token, name)
}

/// Consumes the next token if it is this word.
pub(super) fn take(parser: &mut Parser<'_>, name: &str) -> bool {
    let is_there = is_next(parser, name);
    if is_there {
        parser.advance_token();
    }
    is_there
}

/// Consumes the next token, which must be this word.
///
/// # Errors
/// A syntax error that names the word.
pub(super) fn expect(parser: &mut Parser<'_>, name: &str) -> Result<(), ParserError> {
    if take(parser, name) { Ok(()) } else { parser.expected_ref(name, parser.peek_token_ref()) }
}
