//! Rewrites Trino's syntax where the parser expects another one: `VALUES 1, 2`, `TABLE t`, `JSON_TABLE(…)`, `ARRAY(T)`
//! and `ROW(x T)` as types, `IN ((SELECT 1), 2)`, `GROUP BY DISTINCT`, CORRESPONDING, MATCH_RECOGNIZE, `t.* AS (a, b)`,
//! TABLESAMPLE, joins within joins. Each has a pass over the tokens that replaces tokens in place and collects
//! insertions; a last pass applies the insertions, if there are any.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Word};

use self::joins::spell_joins;
pub(super) use self::samples::TABLESAMPLE;
use self::samples::spell_samples;
pub(super) use self::star_aliases::STAR_ALIASES;
use self::star_aliases::spell_star_aliases;
use super::brackets::{Brackets, Content};
use super::words;

mod joins;
mod samples;
mod star_aliases;

/// Precedes a `(` of an expression that the parser would otherwise parse as a query.
pub(super) const EXPRESSION_FOLLOWS: Token = Token::Char('(');

/// The quote of internal names, which no name in a text can have: DISTINCT, ALL and AUTO of GROUP BY, the placeholders of
/// MATCH_RECOGNIZE, and the marks of samples and of aliases after `.*`.
pub(super) const INNER_QUOTE: char = '`';
/// Precedes a table with a MATCH_RECOGNIZE clause; the next constant replaces the keyword.
pub(super) const MATCHED_ROWS_FOLLOW: Token = Token::Char('\u{E002}');
pub(super) const MATCH_RECOGNIZE: Token = Token::Char('\u{E003}');

/// Rewrites tokens to the parser's syntax.
pub(super) fn spelled(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let brackets = Brackets::of(&tokens);
    let joins = spell_joins(&tokens);
    let mut insertions = spell_values(&tokens, &brackets);
    spell_types(&mut tokens);
    insertions.extend(spell_tables(&mut tokens));
    insertions.extend(spell_lists(&tokens, &brackets));
    insertions.extend(spell_quantified(&tokens, &brackets));
    insertions.extend(spell_grouping(&mut tokens));
    insertions.extend(spell_corresponding(&mut tokens));
    insertions.extend(spell_json_tables(&tokens, &brackets));
    insertions.extend(spell_matches(&mut tokens, &brackets));
    insertions.extend(spell_star_aliases(&mut tokens));
    // What is put around a sampled item comes before what is put around its first token.
    insertions.splice(0..0, spell_samples(&mut tokens, &brackets));
    insertions.splice(0..0, joins.opening);
    insertions.extend(joins.closing);
    if insertions.is_empty() {
        return tokens;
    }
    insertions.sort_by_key(|insertion| insertion.before);
    with_insertions(tokens, insertions)
}

pub(super) fn is_word(token: Option<&TokenWithSpan>, keyword: Keyword) -> bool {
    token.is_some_and(|token| matches!(&token.token, Token::Word(word) if word.keyword == keyword))
}

/// Whether a token is an unquoted word with this name.
pub(super) fn is_named(token: Option<&TokenWithSpan>, name: &str) -> bool {
    token.is_some_and(|token| words::is_word(&token.token, name))
}

/// A token to insert.
struct Insertion {
    before: usize,
    token: Token,
}

/// Applies the insertions; an inserted token has the place of its neighbor.
fn with_insertions(tokens: Vec<TokenWithSpan>, insertions: Vec<Insertion>) -> Vec<TokenWithSpan> {
    let mut merged: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len() + insertions.len());
    let mut insertions = insertions.into_iter().peekable();
    let count = tokens.len();
    for (index, token) in tokens.into_iter().enumerate() {
        while let Some(insertion) = insertions.next_if(|insertion| insertion.before == index) {
            let behind = merged.last().map_or(token.span, |last| last.span);
            let span = if insertion.token == Token::RParen { behind } else { token.span };
            merged.push(TokenWithSpan { token: insertion.token, span });
        }
        merged.push(token);
    }
    for insertion in insertions.filter(|insertion| insertion.before == count) {
        let span = merged.last().map_or(Span::empty(), |last| last.span);
        merged.push(TokenWithSpan { token: insertion.token, span });
    }
    merged
}

/// An open bracket, as far as types in it are concerned.
#[derive(Clone, Copy, Default)]
struct Bracket {
    /// `CAST(`, whose AS is followed by a type.
    is_cast: bool,
    is_type: bool,
    /// `JSON_TABLE(`, whose COLUMNS are followed by types.
    is_json_table: bool,
    /// It was rewritten to `<`.
    is_angle: bool,
}

/// Rewrites the types `ARRAY(T)`, `MAP(K, V)` and `ROW(x T)` to the parser's `ARRAY<T>`, `MAP<K, V>` and `STRUCT<x T>`.
/// In expressions they are calls, and unchanged.
fn spell_types(tokens: &mut [TokenWithSpan]) {
    let mut open = vec![Bracket::default()];
    for index in 0..tokens.len() {
        let here = open.last().copied().unwrap_or_default();
        let before = |distance: usize| index.checked_sub(distance).and_then(|at| tokens.get(at));
        let follows = |keyword| is_word(before(1), keyword);
        match &tokens[index].token {
            Token::LParen | Token::LBracket => {
                let is_type = here.is_type
                    || is_word(before(2), Keyword::RETURNING)
                    || here.is_json_table && follows(Keyword::COLUMNS)
                    || before(2).is_some_and(|token| token.token == Token::DoubleColon);
                let is_row = is_type && follows(Keyword::ROW);
                let is_angle = is_row || is_type && (follows(Keyword::ARRAY) || follows(Keyword::MAP));
                let is_cast = follows(Keyword::CAST) || follows(Keyword::TRY_CAST);
                let is_json_table = follows(Keyword::JSON_TABLE);
                open.push(Bracket { is_cast, is_type, is_json_table, is_angle });
                if is_row {
                    tokens[index - 1].token = Token::make_keyword("STRUCT");
                }
                if is_angle {
                    tokens[index].token = Token::Lt;
                }
            }
            Token::RParen | Token::RBracket => {
                let closes_angle = open.pop().is_some_and(|bracket| bracket.is_angle);
                if closes_angle {
                    tokens[index].token = Token::Gt;
                }
            }
            Token::Word(word) if word.keyword == Keyword::AS && here.is_cast => {
                if let Some(cast) = open.last_mut() {
                    cast.is_type = true;
                }
            }
            _ => {}
        }
    }
}

/// Rewrites `TABLE t` to `SELECT * FROM t` wherever a query may begin.
fn spell_tables(tokens: &mut [TokenWithSpan]) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    for index in 0..tokens.len() {
        if !is_word(tokens.get(index), Keyword::TABLE) {
            continue;
        }
        let begins_query = match index.checked_sub(1).map(|before| &tokens[before].token) {
            None | Some(Token::LParen) => true,
            Some(Token::Word(word)) => matches!(
                word.keyword,
                Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT | Keyword::ALL | Keyword::DISTINCT
            ),
            _ => false,
        };
        let is_name = matches!(tokens.get(index + 1).map(|next| &next.token), Some(Token::Word(_)));
        if begins_query && is_name {
            tokens[index].token = Token::make_keyword("FROM");
            for token in [Token::make_keyword("SELECT"), Token::Mul] {
                insertions.push(Insertion { before: index, token });
            }
        }
    }
    insertions
}

/// The possible first words in the parentheses of MATCH_RECOGNIZE. Sorted.
const MATCH_CLAUSES: &[&str] =
    &["AFTER", "ALL", "INITIAL", "MEASURES", "ONE", "ORDER", "PARTITION", "PATTERN", "SEEK"];

/// Rewrites `FROM t MATCH_RECOGNIZE (…) AS m` to `FROM TABLE(t MATCH_RECOGNIZE (…)) AS m`, so that the clause is parsed
/// as an expression.
fn spell_matches(tokens: &mut [TokenWithSpan], brackets: &Brackets) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    // For each open bracket the start of the current item of FROM, unless it already has a MATCH_RECOGNIZE.
    let mut items: Vec<Option<usize>> = vec![None];
    for index in 0..tokens.len() {
        match &tokens[index].token {
            Token::LParen | Token::LBracket => items.push(Some(index + 1)),
            Token::RParen | Token::RBracket if items.len() > 1 => {
                items.pop();
            }
            Token::Comma => set_last(&mut items, index + 1),
            Token::Word(word) if matches!(word.keyword, Keyword::FROM | Keyword::JOIN) => {
                set_last(&mut items, index + 1);
            }
            Token::Word(word)
                if word.quote_style.is_none()
                    && word.value.eq_ignore_ascii_case("MATCH_RECOGNIZE")
                    && has_match_clauses(tokens, index + 1) =>
            {
                let item = items.last_mut().and_then(Option::take).filter(|start| *start < index);
                let (Some(start), Some(end)) = (item, brackets.closing(index + 1)) else { continue };
                tokens[index].token = MATCH_RECOGNIZE;
                for token in [Token::make_keyword("TABLE"), Token::LParen, MATCHED_ROWS_FOLLOW] {
                    insertions.push(Insertion { before: start, token });
                }
                insertions.push(Insertion { before: end + 1, token: Token::RParen });
            }
            _ => {}
        }
    }
    insertions
}

fn set_last(items: &mut [Option<usize>], start: usize) {
    if let Some(last) = items.last_mut() {
        *last = Some(start);
    }
}

/// Whether the parentheses contain clauses, and not the column aliases of a table alias `match_recognize`.
fn has_match_clauses(tokens: &[TokenWithSpan], opening: usize) -> bool {
    let is_clause = matches!(
        tokens.get(opening + 1).map(|token| &token.token),
        Some(Token::Word(word)) if word.quote_style.is_none()
            && MATCH_CLAUSES.binary_search(&word.value.to_ascii_uppercase().as_str()).is_ok()
    );
    let is_list =
        matches!(tokens.get(opening + 2).map(|token| &token.token), Some(Token::Comma | Token::RParen));
    tokens.get(opening).is_some_and(|token| token.token == Token::LParen) && is_clause && !is_list
}

/// Marks the first member of `IN ((SELECT 1), 2)` as an expression, because the parser would parse a subquery and then
/// expect the closing parenthesis.
fn spell_lists(tokens: &[TokenWithSpan], brackets: &Brackets) -> Vec<Insertion> {
    let is_list = |index: usize| {
        is_word(tokens.get(index), Keyword::IN)
            && brackets.content(index + 1) == Content::Other
            && brackets.content(index + 2) == Content::Query
    };
    (0..tokens.len())
        .filter(|index| is_list(*index))
        .map(|index| Insertion { before: index + 2, token: EXPRESSION_FOLLOWS })
        .collect()
}

/// Rewrites `x = ANY (VALUES 1)` and `x = ANY ((SELECT 1) UNION SELECT 2)`: after a quantifier the parser only accepts SELECT
/// and WITH as the start of a query; other queries need parentheses of their own.
fn spell_quantified(tokens: &[TokenWithSpan], brackets: &Brackets) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(1) {
        let is_quantifier = matches!(
            &token.token,
            Token::Word(word) if matches!(word.keyword, Keyword::ANY | Keyword::ALL | Keyword::SOME)
        );
        let is_compared = matches!(
            tokens[index - 1].token,
            Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq
        );
        let first = tokens.get(index + 2);
        let begins_otherwise =
            is_word(first, Keyword::VALUES) || first.is_some_and(|token| token.token == Token::LParen);
        if is_quantifier
            && is_compared
            && begins_otherwise
            && brackets.content(index + 1) == Content::Query
            && let Some(closing) = brackets.closing(index + 1)
        {
            insertions.push(Insertion { before: index + 2, token: Token::LParen });
            insertions.push(Insertion { before: closing, token: Token::RParen });
        }
    }
    insertions
}

/// Rewrites the words of `GROUP BY DISTINCT x`, `GROUP BY ALL x` and AUTO to internal names.
fn spell_grouping(tokens: &mut [TokenWithSpan]) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    // For each open bracket, whether the current tokens are elements of GROUP BY.
    let mut open = vec![false];
    let word = |value: &str, quote_style| {
        let value = value.to_owned();
        Token::Word(Word { value, quote_style, keyword: Keyword::NoKeyword })
    };
    for index in 0..tokens.len() {
        match &tokens[index].token {
            Token::LParen | Token::LBracket => open.push(false),
            Token::RParen | Token::RBracket if open.len() > 1 => {
                open.pop();
            }
            Token::Word(by) if by.keyword == Keyword::BY && index > 0 => {
                let is_group = is_word(tokens.get(index - 1), Keyword::GROUP);
                open.pop();
                open.push(is_group);
                let (quantifier, behind) = (index + 1, index + 2);
                let keyword = [Keyword::DISTINCT, Keyword::ALL]
                    .into_iter()
                    .find(|keyword| is_group && is_word(tokens.get(quantifier), *keyword));
                let is_alone = ends_groups(tokens.get(behind).map(|next| &next.token));
                match keyword {
                    // Without elements after it, ALL is the name of a column.
                    Some(Keyword::ALL) if is_alone => tokens[quantifier].token = word("all", None),
                    Some(keyword) => {
                        let name = if keyword == Keyword::ALL { "ALL" } else { "DISTINCT" };
                        tokens[quantifier].token = word(name, Some(INNER_QUOTE));
                        insertions.push(Insertion { before: behind, token: Token::Comma });
                    }
                    None => {}
                }
            }
            Token::Word(auto) if auto.value.eq_ignore_ascii_case("AUTO") => {
                let follows = match tokens.get(index.wrapping_sub(1)).map(|before| &before.token) {
                    Some(Token::Comma) => true,
                    Some(Token::Word(before)) => {
                        before.keyword == Keyword::BY || before.quote_style == Some(INNER_QUOTE)
                    }
                    _ => false,
                };
                if open.last() == Some(&true) && auto.quote_style.is_none() && follows {
                    tokens[index].token = word("AUTO", Some(INNER_QUOTE));
                }
            }
            Token::Word(end) if ends_elements(end.keyword) => {
                open.pop();
                open.push(false);
            }
            _ => {}
        }
    }
    insertions
}

/// Whether this token ends the elements of GROUP BY.
fn ends_groups(token: Option<&Token>) -> bool {
    match token {
        None | Some(Token::RParen | Token::SemiColon | Token::EOF) => true,
        Some(Token::Word(word)) => ends_elements(word.keyword),
        _ => false,
    }
}

const fn ends_elements(word: Keyword) -> bool {
    matches!(
        word,
        Keyword::HAVING
            | Keyword::WINDOW
            | Keyword::QUALIFY
            | Keyword::UNION
            | Keyword::INTERSECT
            | Keyword::EXCEPT
            | Keyword::ORDER
            | Keyword::LIMIT
            | Keyword::OFFSET
            | Keyword::FETCH
    )
}

/// Rewrites `UNION ALL CORRESPONDING` to `UNION ALL BY NAME`.
fn spell_corresponding(tokens: &mut [TokenWithSpan]) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    for index in 1..tokens.len() {
        if is_named(tokens.get(index), "CORRESPONDING") && follows_set_operator(tokens, index) {
            tokens[index].token = Token::make_keyword("BY");
            insertions.push(Insertion { before: index + 1, token: Token::make_keyword("NAME") });
        }
    }
    insertions
}

/// Whether a token follows UNION, INTERSECT or EXCEPT with an optional quantifier.
pub(super) fn follows_set_operator(tokens: &[TokenWithSpan], index: usize) -> bool {
    let is_operator = |at: usize| {
        [Keyword::UNION, Keyword::INTERSECT, Keyword::EXCEPT]
            .into_iter()
            .any(|operator| is_word(tokens.get(at), operator))
    };
    let is_quantifier =
        |at: usize| is_word(tokens.get(at), Keyword::ALL) || is_word(tokens.get(at), Keyword::DISTINCT);
    match index.checked_sub(1) {
        Some(before) if is_quantifier(before) => before.checked_sub(1).is_some_and(is_operator),
        Some(before) => is_operator(before),
        None => false,
    }
}

/// Rewrites `JSON_TABLE(…)` in FROM to `TABLE(JSON_TABLE(…))`, because the parser's own JSON_TABLE has a different
/// syntax.
fn spell_json_tables(tokens: &[TokenWithSpan], brackets: &Brackets) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    for index in 1..tokens.len() {
        let follows_from = match &tokens[index - 1].token {
            Token::LParen | Token::Comma => true,
            Token::Word(word) => matches!(word.keyword, Keyword::FROM | Keyword::JOIN),
            _ => false,
        };
        if follows_from
            && is_word(tokens.get(index), Keyword::JSON_TABLE)
            && let Some(closing) = brackets.closing(index + 1)
        {
            insertions.push(Insertion { before: index, token: Token::make_keyword("TABLE") });
            insertions.push(Insertion { before: index, token: Token::LParen });
            insertions.push(Insertion { before: closing + 1, token: Token::RParen });
        }
    }
    insertions
}

/// Adds parentheses to rows of one column, `VALUES 40, 2`, which the parser requires.
fn spell_values(tokens: &[TokenWithSpan], brackets: &Brackets) -> Vec<Insertion> {
    let mut insertions = Vec::new();
    // For each open bracket the current row of VALUES, if any: whether parentheses are added to it.
    let mut rows: Vec<Option<bool>> = vec![None];
    for (index, TokenWithSpan { token, .. }) in tokens.iter().enumerate() {
        if ends_row(Some(token))
            && let Some(row) = rows.last_mut()
            && let Some(is_bare) = row.take()
        {
            if is_bare {
                insertions.push(Insertion { before: index, token: Token::RParen });
            }
            if *token == Token::Comma {
                *row = Some(begin_row(tokens, brackets, index + 1, &mut insertions));
            }
        }
        match token {
            Token::LParen | Token::LBracket => rows.push(None),
            Token::RParen | Token::RBracket if rows.len() > 1 => {
                rows.pop();
            }
            Token::Word(word) if word.keyword == Keyword::VALUES && !is_item_of_from(tokens, index) => {
                let is_bare = begin_row(tokens, brackets, index + 1, &mut insertions);
                if let Some(row) = rows.last_mut() {
                    *row = Some(is_bare);
                }
            }
            _ => {}
        }
    }
    if rows.pop() == Some(Some(true)) {
        insertions.push(Insertion { before: tokens.len(), token: Token::RParen });
    }
    insertions
}

/// Whether parentheses are added to the row that begins at an index, because it has none around the whole row.
fn begin_row(
    tokens: &[TokenWithSpan],
    brackets: &Brackets,
    index: usize,
    insertions: &mut Vec<Insertion>,
) -> bool {
    let opening = index + usize::from(is_word(tokens.get(index), Keyword::ROW));
    let has_own = tokens.get(opening).is_some_and(|token| token.token == Token::LParen)
        && brackets.closing(opening).is_some_and(|end| ends_row(tokens.get(end + 1).map(|next| &next.token)));
    let is_bare = !has_own && !ends_row(tokens.get(index).map(|first| &first.token));
    if is_bare {
        insertions.push(Insertion { before: index, token: Token::LParen });
    }
    is_bare
}

/// Whether this token ends a row of VALUES.
fn ends_row(token: Option<&Token>) -> bool {
    match token {
        None | Some(Token::Comma | Token::RParen | Token::RBracket | Token::SemiColon) => true,
        Some(Token::Word(word)) => matches!(
            word.keyword,
            Keyword::UNION
                | Keyword::INTERSECT
                | Keyword::EXCEPT
                | Keyword::ORDER
                | Keyword::LIMIT
                | Keyword::OFFSET
                | Keyword::FETCH
        ),
        _ => false,
    }
}

/// Whether VALUES is in the position of an item of FROM: `FROM VALUES (1)`, `JOIN VALUES (1)`.
fn is_item_of_from(tokens: &[TokenWithSpan], index: usize) -> bool {
    index.checked_sub(1).is_some_and(|before| match &tokens[before].token {
        Token::Period | Token::Comma => true,
        Token::Word(word) => matches!(word.keyword, Keyword::FROM | Keyword::JOIN),
        _ => false,
    })
}
