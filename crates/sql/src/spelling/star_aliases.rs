//! Names of all columns of a select item: `t.* AS (a, b)`.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::{INNER_QUOTE, Insertion, is_word};

/// The internal name that precedes the aliases.
pub(in super::super) const STAR_ALIASES: &str = "AS";

/// Rewrites `t.* AS (a, b)` to the parser's `t.* EXCLUDE (mark, a, b)`.
pub(super) fn spell_star_aliases(tokens: &mut [TokenWithSpan]) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    let has = |tokens: &[TokenWithSpan], index: usize, token: &Token| {
        tokens.get(index).is_some_and(|found| found.token == *token)
    };
    for index in 2..tokens.len() {
        if is_word(tokens.get(index), Keyword::AS)
            && has(tokens, index - 1, &Token::Mul)
            && has(tokens, index - 2, &Token::Period)
            && has(tokens, index + 1, &Token::LParen)
        {
            tokens[index].token = Token::make_keyword("EXCLUDE");
            let value = STAR_ALIASES.to_owned();
            let mark = Word { value, quote_style: Some(INNER_QUOTE), keyword: Keyword::NoKeyword };
            for token in [Token::Word(mark), Token::Comma] {
                insertions.push(Insertion { before: index + 2, token });
            }
        }
    }
    insertions
}
