//! Tokens of a statement: its fingerprint (D20), and the limits that keep everything after them from
//! recursing too deep or holding too much.

use rowhouse_model::{ErrorCode, ErrorLocation, StatementParameters};
use sha2::{Digest, Sha256};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Tokenizer};

use super::dialect::RowhouseDialect;
use super::error::{Result, error, location_of, syntax_error};

/// Tokens of one statement: a parsed token takes some hundred bytes.
pub(super) const MAX_TOKENS: usize = 250_000;
/// Operators of which each may be nested in the next, over all levels of parentheses. The parser makes a tree
/// as deep as the chain `1 + 1 + …` is long, and such a tree is walked by recursion, if only to drop it.
pub(super) const MAX_OPERATOR_DEPTH: usize = 10_000;

/// Words that cannot be names without quotes: only these may differ in letter case without changing what a
/// statement means or what its result's columns are called. Sorted.
const RESERVED: &[&str] = &[
    "ALTER",
    "AND",
    "AS",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "CONSTRAINT",
    "CREATE",
    "CROSS",
    "CUBE",
    "CURRENT_CATALOG",
    "CURRENT_DATE",
    "CURRENT_PATH",
    "CURRENT_ROLE",
    "CURRENT_SCHEMA",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "CURRENT_USER",
    "DEALLOCATE",
    "DELETE",
    "DESCRIBE",
    "DISTINCT",
    "DROP",
    "ELSE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXISTS",
    "EXTRACT",
    "FALSE",
    "FOR",
    "FROM",
    "FULL",
    "GROUP",
    "GROUPING",
    "HAVING",
    "IN",
    "INNER",
    "INSERT",
    "INTERSECT",
    "INTO",
    "IS",
    "JOIN",
    "LEFT",
    "LIKE",
    "LISTAGG",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "NATURAL",
    "NORMALIZE",
    "NOT",
    "NULL",
    "ON",
    "OR",
    "ORDER",
    "OUTER",
    "PREPARE",
    "RECURSIVE",
    "RIGHT",
    "ROLLUP",
    "SELECT",
    "SKIP",
    "TABLE",
    "THEN",
    "TRIM",
    "TRUE",
    "UESCAPE",
    "UNION",
    "UNNEST",
    "USING",
    "VALUES",
    "WHEN",
    "WHERE",
    "WITH",
];

/// The tokens without white space, comments and `;` at the end; at least one.
pub(super) fn tokenize(text: &str) -> Result<Vec<TokenWithSpan>> {
    let mut tokens = Vec::new();
    Tokenizer::new(&RowhouseDialect, text)
        .tokenize_with_location_into_buf(&mut tokens)
        .map_err(|failure| syntax_error(location_of(failure.location), failure.message))?;
    tokens.retain(|token| !matches!(token.token, Token::Whitespace(_)));
    spell_parameters(&mut tokens);
    while tokens.last().is_some_and(|token| token.token == Token::SemiColon) {
        tokens.pop();
    }
    match tokens.first() {
        None => {
            let start = ErrorLocation { line_number: 1, column_number: 1 };
            Err(syntax_error(Some(start), "the statement is empty"))
        }
        Some(_) if tokens.len() > MAX_TOKENS => {
            let place = location_of(tokens[MAX_TOKENS].span.start);
            let message = format!("the statement has {} tokens; at most {MAX_TOKENS} are read", tokens.len());
            Err(error(ErrorCode::NotSupported, place, message))
        }
        Some(_) => {
            check_depth(&tokens)?;
            Ok(tokens)
        }
    }
}

/// Whether a word in capitals cannot be a name without quotes.
pub fn is_reserved(upper: &str) -> bool {
    RESERVED.binary_search(&upper).is_ok()
}

/// `:name` becomes one token. What stands between quotes, in comments and after `::` is not looked at: the
/// tokenizer has taken it for what it is.
fn spell_parameters(tokens: &mut Vec<TokenWithSpan>) {
    let mut spelled: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for token in tokens.drain(..) {
        match (&token.token, spelled.last_mut()) {
            // Nothing may stand between the two.
            (Token::Word(word), Some(colon))
                if word.quote_style.is_none()
                    && colon.token == Token::Colon
                    && colon.span.end == token.span.start =>
            {
                colon.token = Token::Placeholder(format!(":{}", word.value));
                colon.span = Span::new(colon.span.start, token.span.end);
            }
            _ => spelled.push(token),
        }
    }
    *tokens = spelled;
}

/// A hash of the tokens and of the parameters' values, in hexadecimal digits (D20).
pub(super) fn fingerprint(tokens: &[TokenWithSpan], parameters: &StatementParameters) -> String {
    let mut hash = Sha256::new();
    for TokenWithSpan { token, span: _ } in tokens {
        let text = match token {
            Token::Word(word) if word.quote_style.is_none() => {
                let upper = word.value.to_ascii_uppercase();
                if is_reserved(&upper) { upper } else { word.value.clone() }
            }
            // The debug form tells the kinds of tokens apart and escapes what they hold.
            other => format!("{other:?}"),
        };
        // The length keeps `a b` apart from `ab`.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    if !parameters.is_empty() {
        // No token has this length, so no text without parameters has such a hash.
        hash.update(u64::MAX.to_le_bytes());
        hash.update(format!("{parameters:?}"));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Refuses chains of operators that would make too deep a tree.
fn check_depth(tokens: &[TokenWithSpan]) -> Result<()> {
    // For each open parenthesis the operators since the last comma, which ends a chain, and the set
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

/// Whether the token may put what stands before it into a deeper node.
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
                | Keyword::SIMILAR
                | Keyword::REGEXP
                | Keyword::RLIKE
                | Keyword::BETWEEN
                | Keyword::AT
                | Keyword::DIV
                | Keyword::XOR
                | Keyword::OVERLAPS
                | Keyword::COLLATE
                | Keyword::OPERATOR
                | Keyword::MEMBER
                | Keyword::ELSE
                | Keyword::CASE
        ),
        Token::Number(..)
        | Token::Char(_)
        | Token::SingleQuotedString(_)
        | Token::DoubleQuotedString(_)
        | Token::NationalStringLiteral(_)
        | Token::UnicodeStringLiteral(_)
        | Token::HexStringLiteral(_)
        | Token::EscapedStringLiteral(_)
        | Token::Period
        | Token::SemiColon
        | Token::EOF => false,
        _ => true,
    }
}
