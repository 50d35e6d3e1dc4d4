//! Parses SHOW and DESCRIBE in Trino's syntax; the analyzer turns them into rows.

use rowhouse_model::ErrorLocation;
use sqlparser::ast::{ObjectName, Query};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::error::location_of;
use super::words::{expect, take};

/// A SHOW or DESCRIBE statement.
#[derive(Clone, Debug)]
pub(super) enum Show {
    /// `SHOW CATALOGS`.
    Catalogs(Option<Like>),
    /// `SHOW SCHEMAS [FROM catalog]`.
    Schemas { catalog: Option<ObjectName>, like: Option<Like> },
    /// `SHOW TABLES [FROM schema]`.
    Tables { schema: Option<ObjectName>, like: Option<Like> },
    /// `SHOW COLUMNS FROM table`, `DESCRIBE table`.
    Columns { table: ObjectName, like: Option<Like> },
    /// `SHOW CREATE …`.
    Create { kind: CreateKind, name: ObjectName },
    /// `SHOW FUNCTIONS [FROM schema]`.
    Functions { schema: Option<ObjectName>, like: Option<Like> },
    /// `SHOW SESSION`.
    Session(Option<Like>),
    /// `SHOW STATS FOR table`.
    TableStats(ObjectName),
    /// `SHOW STATS FOR (query)`.
    QueryStats(Box<Query>),
    /// `SHOW [CURRENT] ROLES [FROM catalog]`.
    Roles { catalog: Option<ObjectName> },
    /// `SHOW ROLE GRANTS [FROM catalog]`.
    RoleGrants { catalog: Option<ObjectName> },
    /// `SHOW GRANTS [ON [TABLE] table]`.
    Grants { table: Option<ObjectName> },
}

/// The kind of object in `SHOW CREATE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CreateKind {
    Table,
    View,
    MaterializedView,
    Schema,
}

/// `LIKE 'pattern' [ESCAPE 'c']`.
#[derive(Clone, Debug)]
pub(super) struct Like {
    pub(super) pattern: String,
    pub(super) escape: Option<(String, Option<ErrorLocation>)>,
}

/// The words that may follow SHOW.
const SHOWN: &str =
    "CATALOGS, COLUMNS, CREATE, CURRENT, FUNCTIONS, GRANTS, ROLE, ROLES, SCHEMAS, SESSION, STATS or TABLES";

/// Parses SHOW and DESCRIBE; `None` for other statements.
pub(super) fn show(parser: &mut Parser<'_>) -> Option<Result<Show, ParserError>> {
    if take(parser, "SHOW") {
        return Some(shown(parser));
    }
    if take(parser, "DESCRIBE") || take(parser, "DESC") {
        return Some(name(parser).map(|table| Show::Columns { table, like: None }));
    }
    None
}

fn shown(parser: &mut Parser<'_>) -> Result<Show, ParserError> {
    let word = match &parser.peek_token_ref().token {
        Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_uppercase(),
        _ => String::new(),
    };
    // An unknown word is not consumed, so that the error has its place.
    let mut behind = |words: &[&str]| words.iter().try_for_each(|word| expect(parser, word));
    match word.as_str() {
        "CATALOGS" => {
            behind(&["CATALOGS"])?;
            Ok(Show::Catalogs(like(parser)?))
        }
        "SCHEMAS" => {
            behind(&["SCHEMAS"])?;
            Ok(Show::Schemas { catalog: from(parser)?, like: like(parser)? })
        }
        "TABLES" => {
            behind(&["TABLES"])?;
            Ok(Show::Tables { schema: from(parser)?, like: like(parser)? })
        }
        "COLUMNS" => {
            behind(&["COLUMNS"])?;
            match from(parser)? {
                Some(table) => Ok(Show::Columns { table, like: like(parser)? }),
                None => parser.expected_ref("FROM or IN", parser.peek_token_ref()),
            }
        }
        "CREATE" => {
            behind(&["CREATE"])?;
            create(parser)
        }
        "FUNCTIONS" => {
            behind(&["FUNCTIONS"])?;
            Ok(Show::Functions { schema: from(parser)?, like: like(parser)? })
        }
        "SESSION" => {
            behind(&["SESSION"])?;
            Ok(Show::Session(like(parser)?))
        }
        "STATS" => {
            behind(&["STATS", "FOR"])?;
            stats(parser)
        }
        "CURRENT" => {
            behind(&["CURRENT", "ROLES"])?;
            Ok(Show::Roles { catalog: from(parser)? })
        }
        "ROLES" => {
            behind(&["ROLES"])?;
            Ok(Show::Roles { catalog: from(parser)? })
        }
        "ROLE" => {
            behind(&["ROLE", "GRANTS"])?;
            Ok(Show::RoleGrants { catalog: from(parser)? })
        }
        "GRANTS" => {
            behind(&["GRANTS"])?;
            grants(parser)
        }
        _ => parser.expected_ref(SHOWN, parser.peek_token_ref()),
    }
}

fn create(parser: &mut Parser<'_>) -> Result<Show, ParserError> {
    let kind = if take(parser, "TABLE") {
        CreateKind::Table
    } else if take(parser, "VIEW") {
        CreateKind::View
    } else if take(parser, "SCHEMA") {
        CreateKind::Schema
    } else if take(parser, "MATERIALIZED") {
        expect(parser, "VIEW")?;
        CreateKind::MaterializedView
    } else {
        return parser.expected_ref("MATERIALIZED, SCHEMA, TABLE or VIEW", parser.peek_token_ref());
    };
    Ok(Show::Create { kind, name: name(parser)? })
}

fn stats(parser: &mut Parser<'_>) -> Result<Show, ParserError> {
    if !parser.consume_token(&Token::LParen) {
        return Ok(Show::TableStats(name(parser)?));
    }
    let query = parser.parse_query()?;
    parser.expect_token(&Token::RParen)?;
    Ok(Show::QueryStats(query))
}

fn grants(parser: &mut Parser<'_>) -> Result<Show, ParserError> {
    if !take(parser, "ON") {
        return Ok(Show::Grants { table: None });
    }
    take(parser, "TABLE");
    Ok(Show::Grants { table: Some(name(parser)?) })
}

/// Parses `FROM name` or `IN name`.
fn from(parser: &mut Parser<'_>) -> Result<Option<ObjectName>, ParserError> {
    if take(parser, "FROM") || take(parser, "IN") { name(parser).map(Some) } else { Ok(None) }
}

fn name(parser: &mut Parser<'_>) -> Result<ObjectName, ParserError> {
    parser.parse_object_name(false)
}

fn like(parser: &mut Parser<'_>) -> Result<Option<Like>, ParserError> {
    if !take(parser, "LIKE") {
        return Ok(None);
    }
    let (pattern, _) = text(parser)?;
    let escape = if take(parser, "ESCAPE") {
        let (escape, place) = text(parser)?;
        Some((escape, location_of(place.span.start)))
    } else {
        None
    };
    Ok(Some(Like { pattern, escape }))
}

/// Parses a text literal; returns its value and its token.
fn text(parser: &mut Parser<'_>) -> Result<(String, TokenWithSpan), ParserError> {
    let token = parser.peek_token_ref().clone();
    match &token.token {
        Token::SingleQuotedString(text) | Token::UnicodeStringLiteral(text) => {
            let text = text.clone();
            parser.advance_token();
            Ok((text, token))
        }
        _ => parser.expected_ref("a text", &token),
    }
}
