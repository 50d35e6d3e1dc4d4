//! Classifies the contents of each pair of parentheses from the tokens, before parsing. The parser then need not try
//! alternatives, which would take time exponential in the nesting depth.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// The kind of construct that a `(` opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// `(x, y) -> …`: the parameters of a lambda expression.
    Parameters,
    /// `(SELECT …)`, `((VALUES 1) UNION TABLE t)`.
    Query,
    /// Anything else.
    Other,
}

/// The matching brackets of a statement.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// For each token the index of the matching bracket, or its own index if it is not a matched bracket.
    partners: Vec<u32>,
    contents: Vec<Content>,
    /// For each `(`, whether the pair directly contains IN, FROM or a comma, outside of nested brackets.
    has_in: Vec<bool>,
    has_from: Vec<bool>,
    has_comma: Vec<bool>,
}

impl Brackets {
    pub(super) fn of(tokens: &[TokenWithSpan]) -> Self {
        let count = tokens.len();
        let mut brackets = Self {
            partners: (0..u32::try_from(count).unwrap_or(u32::MAX)).collect(),
            contents: vec![Content::Other; count],
            has_in: vec![false; count],
            has_from: vec![false; count],
            has_comma: vec![false; count],
        };
        let mut open: Vec<usize> = Vec::new();
        for (index, TokenWithSpan { token, .. }) in tokens.iter().enumerate() {
            match token {
                Token::LParen | Token::LBracket => open.push(index),
                Token::RParen | Token::RBracket => {
                    if let Some(opening) = open.pop() {
                        brackets.pair(opening, index);
                    }
                }
                Token::Word(word) if word.keyword == Keyword::IN => mark(&mut brackets.has_in, &open),
                Token::Word(word) if word.keyword == Keyword::FROM => mark(&mut brackets.has_from, &open),
                Token::Comma => mark(&mut brackets.has_comma, &open),
                _ => {}
            }
        }
        // Backwards, because the kind of a pair depends on the pair at its start.
        for index in (0..count).rev() {
            if tokens[index].token == Token::LParen {
                brackets.contents[index] = brackets.content_at(tokens, index);
            }
        }
        brackets
    }

    /// The contents of the pair that opens at an index.
    pub(super) fn content(&self, index: usize) -> Content {
        self.contents.get(index).copied().unwrap_or(Content::Other)
    }

    /// The index of the bracket that closes the one at an index; `None` if there is none.
    pub(super) fn closing(&self, index: usize) -> Option<usize> {
        let partner = usize::try_from(*self.partners.get(index)?).ok()?;
        (partner > index).then_some(partner)
    }

    /// Whether the pair directly contains IN, outside of nested brackets.
    pub(super) fn has_in(&self, index: usize) -> bool {
        self.has_in.get(index).copied().unwrap_or(false)
    }

    /// Whether the pair directly contains FROM, outside of nested brackets.
    pub(super) fn has_from(&self, index: usize) -> bool {
        self.has_from.get(index).copied().unwrap_or(false)
    }

    /// Whether the pair directly contains a comma, outside of nested brackets.
    pub(super) fn has_comma(&self, index: usize) -> bool {
        self.has_comma.get(index).copied().unwrap_or(false)
    }

    fn pair(&mut self, opening: usize, closing: usize) {
        let as_partner = |index| u32::try_from(index).unwrap_or(u32::MAX);
        self.partners[opening] = as_partner(closing);
        self.partners[closing] = as_partner(opening);
    }

    fn content_at(&self, tokens: &[TokenWithSpan], index: usize) -> Content {
        let closing = self.closing(index);
        if closing.is_some_and(|closing| token_at(tokens, closing + 1) == Some(&Token::Arrow)) {
            return Content::Parameters;
        }
        let is_query = match token_at(tokens, index + 1) {
            Some(Token::Word(word)) => {
                matches!(word.keyword, Keyword::SELECT | Keyword::WITH | Keyword::VALUES)
            }
            Some(Token::LParen) if self.content(index + 1) == Content::Query => {
                self.closing(index + 1).is_some_and(|inner| continues_query(token_at(tokens, inner + 1)))
            }
            _ => false,
        };
        if is_query { Content::Query } else { Content::Other }
    }
}

fn mark(marks: &mut [bool], open: &[usize]) {
    if let Some(innermost) = open.last() {
        marks[*innermost] = true;
    }
}

fn token_at(tokens: &[TokenWithSpan], index: usize) -> Option<&Token> {
    tokens.get(index).map(|token| &token.token)
}

/// Whether the token can follow a parenthesized query that is a part of a larger query, or all of it.
fn continues_query(token: Option<&Token>) -> bool {
    match token {
        Some(Token::RParen) => true,
        Some(Token::Word(word)) => matches!(
            word.keyword,
            Keyword::UNION
                | Keyword::INTERSECT
                | Keyword::EXCEPT
                | Keyword::ORDER
                | Keyword::OFFSET
                | Keyword::LIMIT
                | Keyword::FETCH
        ),
        _ => false,
    }
}
