//! Joins on the right side of a join without parentheses: `a JOIN b JOIN c ON … ON …`.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Insertion, ends_elements, is_word};

/// A join whose condition has not been found yet.
struct Open {
    /// The start of its right side.
    start: usize,
    /// Whether its right side has a join.
    is_nested: bool,
}

/// The parentheses around right sides.
pub(super) struct Parentheses {
    pub(super) opening: Vec<Insertion>,
    pub(super) closing: Vec<Insertion>,
}

/// Rewrites `a JOIN b JOIN c ON … ON …` to `a JOIN (b JOIN c ON …) ON …`, as the parser requires.
pub(super) fn spell_joins(tokens: &[TokenWithSpan]) -> Parentheses {
    let mut parentheses = Parentheses { opening: Vec::new(), closing: Vec::new() };
    // For each open bracket the joins without a condition so far.
    let mut levels: Vec<Vec<Open>> = vec![Vec::new()];
    for (index, TokenWithSpan { token, .. }) in tokens.iter().enumerate() {
        match token {
            Token::LParen | Token::LBracket => levels.push(Vec::new()),
            Token::RParen | Token::RBracket if levels.len() > 1 => {
                levels.pop();
            }
            _ => {}
        }
        let Some(open) = levels.last_mut() else { continue };
        match token {
            Token::Comma => open.clear(),
            Token::Word(word) if word.quote_style.is_some() => {}
            Token::Word(word) => match word.keyword {
                Keyword::JOIN => {
                    if let Some(outer) = open.last_mut() {
                        outer.is_nested = true;
                    }
                    if has_condition(tokens, index) {
                        open.push(Open { start: index + 1, is_nested: false });
                    }
                }
                Keyword::ON | Keyword::USING => {
                    if let Some(Open { start, is_nested: true }) = open.pop() {
                        parentheses.opening.push(Insertion { before: start, token: Token::LParen });
                        parentheses.closing.push(Insertion { before: index, token: Token::RParen });
                    }
                }
                Keyword::SELECT | Keyword::FROM | Keyword::WHERE | Keyword::GROUP => open.clear(),
                other if ends_elements(other) => open.clear(),
                _ => {}
            },
            _ => {}
        }
    }
    parentheses
}

/// Whether the join with the word JOIN at an index has a condition: it is neither a cross join nor a natural one.
fn has_condition(tokens: &[TokenWithSpan], index: usize) -> bool {
    let before = |distance: usize| index.checked_sub(distance).and_then(|at| tokens.get(at));
    let is_kind = |token: Option<&TokenWithSpan>| {
        [Keyword::INNER, Keyword::LEFT, Keyword::RIGHT, Keyword::FULL, Keyword::OUTER]
            .into_iter()
            .any(|kind| is_word(token, kind))
    };
    let kinds = (1..).take_while(|distance| is_kind(before(*distance))).count();
    !is_word(before(kinds + 1), Keyword::NATURAL) && !is_word(before(kinds + 1), Keyword::CROSS)
}
