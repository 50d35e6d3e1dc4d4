//! The dialect the parser reads: Trino's spelling. What other dialects add stays off where the parser has a
//! switch for it; what it reads regardless is refused by the analyzer.

use sqlparser::ast::Expr;
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

/// Trino's SQL, as far as the parser can be told.
#[derive(Debug)]
pub(super) struct RowhouseDialect;

impl Dialect for RowhouseDialect {
    fn is_identifier_start(&self, character: char) -> bool {
        character.is_alphabetic() || character == '_'
    }

    fn is_identifier_part(&self, character: char) -> bool {
        character.is_alphanumeric() || character == '_' || character == '$'
    }

    fn is_delimited_identifier_start(&self, character: char) -> bool {
        character == '"'
    }

    fn identifier_quote_style(&self, _identifier: &str) -> Option<char> {
        Some('"')
    }

    /// The parser would take a reserved word for a column: `SELECT 1 + FROM t`.
    fn parse_prefix(&self, parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        match &parser.peek_token_ref().token {
            Token::Word(word)
                if word.quote_style.is_none() && STARTS_NO_EXPRESSION.contains(&word.keyword) =>
            {
                Some(parser.expected_ref("an expression", parser.peek_token_ref()))
            }
            _ => None,
        }
    }

    fn supports_unicode_string_literal(&self) -> bool {
        true
    }

    fn supports_numeric_literal_underscores(&self) -> bool {
        true
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_within_after_array_aggregation(&self) -> bool {
        true
    }

    fn supports_window_clause_named_window_reference(&self) -> bool {
        true
    }

    fn supports_window_function_null_treatment_arg(&self) -> bool {
        true
    }

    fn supports_lambda_functions(&self) -> bool {
        true
    }

    fn supports_parens_around_table_factor(&self) -> bool {
        true
    }

    fn supports_values_as_table_factor(&self) -> bool {
        true
    }

    fn allow_extract_custom(&self) -> bool {
        true
    }

    /// Row types are spelled as structs before they are parsed.
    fn supports_struct_literal(&self) -> bool {
        true
    }

    /// `INTERVAL '1'` without a unit is not Trino's.
    fn require_interval_qualifier(&self) -> bool {
        true
    }
}

/// Trino's reserved words with which no expression begins.
const STARTS_NO_EXPRESSION: &[Keyword] = &[
    Keyword::ALTER,
    Keyword::AND,
    Keyword::AS,
    Keyword::BETWEEN,
    Keyword::BY,
    Keyword::CONSTRAINT,
    Keyword::CREATE,
    Keyword::CROSS,
    Keyword::DELETE,
    Keyword::DESCRIBE,
    Keyword::DISTINCT,
    Keyword::DROP,
    Keyword::ELSE,
    Keyword::END,
    Keyword::ESCAPE,
    Keyword::EXCEPT,
    Keyword::FOR,
    Keyword::FROM,
    Keyword::FULL,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::IN,
    Keyword::INNER,
    Keyword::INSERT,
    Keyword::INTERSECT,
    Keyword::INTO,
    Keyword::IS,
    Keyword::JOIN,
    Keyword::LIKE,
    Keyword::NATURAL,
    Keyword::ON,
    Keyword::OR,
    Keyword::ORDER,
    Keyword::OUTER,
    Keyword::SELECT,
    Keyword::TABLE,
    Keyword::THEN,
    Keyword::UNION,
    Keyword::USING,
    Keyword::VALUES,
    Keyword::WHEN,
    Keyword::WHERE,
    Keyword::WITH,
];
