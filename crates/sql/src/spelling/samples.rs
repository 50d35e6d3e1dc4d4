//! TABLESAMPLE of an item of FROM that is neither a table nor a query.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::{INNER_QUOTE, Insertion, MATCH_RECOGNIZE, is_named, is_word, set_last};
use crate::brackets::{Brackets, Content};

/// The internal name of the function that represents a sample: its arguments are a query of the item, and the percentage.
pub(in super::super) const TABLESAMPLE: &str = "TABLESAMPLE";

/// Rewrites `FROM TABLE(f()) AS t TABLESAMPLE SYSTEM (10)` to `FROM TABLE(mark((SELECT * FROM TABLE(f()) AS t), (10)))`: the
/// parser only knows samples of tables and queries.
pub(super) fn spell_samples(tokens: &mut [TokenWithSpan], brackets: &Brackets) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    // For each open bracket the start of the current item of FROM, and whether it has a MATCH_RECOGNIZE.
    let mut items: Vec<Option<usize>> = vec![None];
    let mut matched: Vec<bool> = vec![false];
    for index in 0..tokens.len() {
        match &tokens[index].token {
            Token::LParen | Token::LBracket => {
                items.push(Some(index + 1));
                matched.push(false);
            }
            Token::RParen | Token::RBracket if items.len() > 1 => {
                items.pop();
                matched.pop();
            }
            Token::Comma => begin(&mut items, &mut matched, index + 1),
            Token::Word(word) if matches!(word.keyword, Keyword::FROM | Keyword::JOIN) => {
                begin(&mut items, &mut matched, index + 1);
            }
            token if *token == MATCH_RECOGNIZE => {
                if let Some(last) = matched.last_mut() {
                    *last = true;
                }
            }
            Token::Word(word) if word.keyword == Keyword::TABLESAMPLE && has_method(tokens, index + 1) => {
                let is_matched = matched.last() == Some(&true);
                let item = items.last().copied().flatten().filter(|start| *start < index);
                let Some(start) = item else { continue };
                let Some(end) = brackets.closing(index + 2) else { continue };
                if !is_matched && !is_parsed_otherwise(tokens, brackets, start) {
                    continue;
                }
                let value = TABLESAMPLE.to_owned();
                let mark = Word { value, quote_style: Some(INNER_QUOTE), keyword: Keyword::NoKeyword };
                let opening = [
                    Token::make_keyword("TABLE"),
                    Token::LParen,
                    Token::Word(mark),
                    Token::LParen,
                    Token::LParen,
                    Token::make_keyword("SELECT"),
                    Token::Mul,
                    Token::make_keyword("FROM"),
                ];
                insertions.extend(opening.map(|token| Insertion { before: start, token }));
                tokens[index].token = Token::RParen;
                tokens[index + 1].token = Token::Comma;
                let closing = [Token::RParen, Token::RParen];
                insertions.extend(closing.map(|token| Insertion { before: end + 1, token }));
            }
            _ => {}
        }
    }
    insertions
}

fn begin(items: &mut [Option<usize>], matched: &mut [bool], start: usize) {
    set_last(items, start);
    if let Some(last) = matched.last_mut() {
        *last = false;
    }
}

/// Whether a sampling method and its percentage follow.
fn has_method(tokens: &[TokenWithSpan], index: usize) -> bool {
    let is_method = ["BERNOULLI", "SYSTEM"].iter().any(|method| is_named(tokens.get(index), method));
    is_method && tokens.get(index + 1).is_some_and(|token| token.token == Token::LParen)
}

/// Whether an item is a table function or a join in parentheses.
fn is_parsed_otherwise(tokens: &[TokenWithSpan], brackets: &Brackets, start: usize) -> bool {
    let opens = |index: usize| tokens.get(index).is_some_and(|token| token.token == Token::LParen);
    let is_function = [Keyword::TABLE, Keyword::JSON_TABLE]
        .into_iter()
        .any(|keyword| is_word(tokens.get(start), keyword) && opens(start + 1));
    is_function || opens(start) && brackets.content(start) != Content::Query
}
