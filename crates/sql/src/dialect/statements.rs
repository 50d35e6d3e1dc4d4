//! Selects the statements that the parser may parse: queries. For all others only the first word is read; SHOW and
//! DESCRIBE are parsed elsewhere.

use sqlparser::ast::Statement;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

use super::Verdict;

/// First words of Trino's other statements. Sorted.
const OTHER_STATEMENTS: &[&str] = &[
    "ALTER",
    "ANALYZE",
    "CALL",
    "COMMENT",
    "COMMIT",
    "CREATE",
    "DEALLOCATE",
    "DELETE",
    "DENY",
    "DROP",
    "EXECUTE",
    "GRANT",
    "INSERT",
    "MERGE",
    "PREPARE",
    "REFRESH",
    "RESET",
    "REVOKE",
    "ROLLBACK",
    "SET",
    "START",
    "TRUNCATE",
    "UPDATE",
    "USE",
];

/// The statement, or `end` with the reason why there is none; `None` if the parser must parse it.
pub(super) fn statement(
    parser: &mut Parser<'_>,
    end: impl FnOnce(Verdict) -> Result<Statement, ParserError>,
) -> Option<Result<Statement, ParserError>> {
    match &parser.peek_token_ref().token {
        Token::LParen => None,
        Token::Word(word) => match word.keyword {
            Keyword::SELECT | Keyword::WITH | Keyword::VALUES => None,
            _ => {
                let verb = word.value.to_ascii_uppercase();
                let is_known =
                    word.quote_style.is_none() && OTHER_STATEMENTS.binary_search(&verb.as_str()).is_ok();
                Some(if is_known { end(Verdict::NotRead(verb)) } else { unknown(parser) })
            }
        },
        _ => Some(unknown(parser)),
    }
}

fn unknown(parser: &Parser<'_>) -> Result<Statement, ParserError> {
    parser.expected_ref("an SQL statement", parser.peek_token_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(OTHER_STATEMENTS.is_sorted());
    }
}
