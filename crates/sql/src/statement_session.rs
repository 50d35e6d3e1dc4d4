//! `WITH SESSION name = value, … query`: properties of the session that one statement sets for itself.

use rowhouse_executor::catalog::OWN_CATALOG;
use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::error::{Result, error, location_of, not_supported, suggestion, syntax_error};
use super::session_statement::SessionValue;
use super::types::canonical_zone;

/// The properties of a session, by name.
pub const SESSION_PROPERTY_NAMES: &[&str] = &[
    "cache_check",
    "cache_refresh",
    "cache_stale",
    "cache_ttl",
    "max_memory",
    "query_max_run_time",
    "spooling_enabled",
    "time_zone_id",
    "workspace",
];

/// The time zone of a session.
const TIME_ZONE: &str = "time_zone_id";

/// Catalogs; none of them has properties of its own.
const CATALOGS: [&str; 3] = [OWN_CATALOG, "system", "tpch"];

/// A property that a statement sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementProperty {
    /// Its name, parts joined by a point.
    pub name: String,
    /// Its value.
    pub value: SessionValue,
    /// Where the name stands.
    pub name_place: ErrorLocation,
    /// Where the value stands.
    pub value_place: ErrorLocation,
}

/// Takes the properties off the beginning of a statement, which begins with `WITH SESSION name`.
pub(super) fn take_properties(tokens: &mut Vec<TokenWithSpan>) -> Result<Vec<StatementProperty>> {
    let (properties, taken) = properties(tokens)?;
    tokens.drain(..taken);
    Ok(properties)
}

/// The properties with which a statement begins, and where the tokens behind them begin.
pub(super) fn properties(tokens: &[TokenWithSpan]) -> Result<(Vec<StatementProperty>, usize)> {
    let mut reader = Reader { tokens, at: 2 };
    let mut properties = Vec::new();
    loop {
        properties.push(reader.property()?);
        if reader.next_is(&Token::Comma) {
            reader.at += 1;
        } else {
            break;
        }
    }
    Ok((properties, reader.at))
}

/// Whether the properties can be set, as Trino tells it.
pub(super) fn check_names(properties: &[StatementProperty]) -> Result<()> {
    let invalid =
        |place, message: String| Err(error(ErrorCode::InvalidSessionProperty, Some(place), message));
    for (index, property) in properties.iter().enumerate() {
        let StatementProperty { name, name_place, value_place, .. } = property;
        let parts: Vec<&str> = name.split('.').collect();
        match parts.as_slice() {
            [_] => {}
            [catalog, _] if CATALOGS.contains(catalog) => {}
            [catalog, _] => {
                let message = format!("Catalog '{catalog}' not found");
                return Err(error(ErrorCode::CatalogNotFound, Some(*name_place), message));
            }
            _ => return invalid(*name_place, format!("Invalid session property '{name}'")),
        }
        if properties[..index].iter().any(|before| before.name == *name) {
            return invalid(*name_place, format!("Session property '{name}' already set"));
        }
        if !SESSION_PROPERTY_NAMES.contains(&name.as_str()) {
            let near = suggestion(name, SESSION_PROPERTY_NAMES.iter().copied());
            return invalid(*value_place, format!("Session property '{name}' does not exist{near}"));
        }
    }
    Ok(())
}

/// The time zone that a statement sets for itself, as Trino spells it.
pub(super) fn time_zone(properties: &[StatementProperty]) -> Result<Option<String>> {
    let Some(property) = properties.iter().find(|property| property.name == TIME_ZONE) else {
        return Ok(None);
    };
    let zone = match &property.value {
        SessionValue::Text(zone) => zone.clone(),
        SessionValue::Number(digits) => digits.clone(),
        SessionValue::Boolean(value) => value.to_string(),
    };
    let unknown = || QueryError::new(ErrorCode::NotSupported, format!("Time zone not supported: {zone}"));
    canonical_zone(&zone).map(Some).ok_or_else(unknown)
}

struct Reader<'t> {
    tokens: &'t [TokenWithSpan],
    at: usize,
}

impl Reader<'_> {
    fn property(&mut self) -> Result<StatementProperty> {
        let name_place = self.place();
        let mut name = self.identifier()?;
        while self.next_is(&Token::Period) {
            self.at += 1;
            name.push('.');
            name.push_str(&self.identifier()?);
        }
        if !self.next_is(&Token::Eq) {
            return Err(self.unexpected("'='"));
        }
        self.at += 1;
        let value_place = self.place();
        let value = self.value(&name)?;
        Ok(StatementProperty { name, value, name_place, value_place })
    }

    fn value(&mut self, name: &str) -> Result<SessionValue> {
        let place = self.place();
        let is_negative = self.next_is(&Token::Minus);
        let value = match (is_negative, self.token(usize::from(is_negative))) {
            (false, Some(Token::UnicodeStringLiteral(text))) => SessionValue::Text(text.clone()),
            (_, Some(Token::Number(digits, _))) => {
                SessionValue::Number(if is_negative { format!("-{digits}") } else { digits.clone() })
            }
            (false, Some(Token::Word(word))) if word.keyword == Keyword::TRUE => SessionValue::Boolean(true),
            (false, Some(Token::Word(word))) if word.keyword == Keyword::FALSE => {
                SessionValue::Boolean(false)
            }
            (false, Some(Token::Word(word))) if word.keyword == Keyword::NULL => {
                let message = format!(
                    "Unable to set session property '{name}' to 'null': Session property value must not be null"
                );
                return Err(error(ErrorCode::InvalidSessionProperty, None, message));
            }
            (_, None) => return Err(self.unexpected("an expression")),
            (_, Some(Token::Word(word)))
                if matches!(
                    word.keyword,
                    Keyword::SELECT | Keyword::WITH | Keyword::VALUES | Keyword::TABLE
                ) =>
            {
                return Err(self.unexpected("an expression"));
            }
            _ => {
                let what = "a value of a session property that is no text, number, true or false";
                return Err(not_supported(Some(place), what));
            }
        };
        self.at += 1 + usize::from(is_negative);
        Ok(value)
    }

    fn identifier(&mut self) -> Result<String> {
        match self.token(0) {
            Some(Token::Word(Word { value, quote_style, .. })) => {
                let name = if quote_style.is_some() { value.clone() } else { value.to_ascii_lowercase() };
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn token(&self, ahead: usize) -> Option<&Token> {
        let token = self.tokens.get(self.at + ahead).map(|token| &token.token);
        token.filter(|token| **token != Token::EOF)
    }

    fn next_is(&self, token: &Token) -> bool {
        self.token(0) == Some(token)
    }

    fn place(&self) -> ErrorLocation {
        let start = self.tokens.get(self.at).map(|token| token.span.start);
        let end = self.tokens.last().map(|token| token.span.end);
        let first = ErrorLocation { line_number: 1, column_number: 1 };
        start.or(end).and_then(location_of).unwrap_or(first)
    }

    fn unexpected(&self, expected: &str) -> QueryError {
        let found = self.token(0).map_or("the end of the statement".to_owned(), Token::to_string);
        let found: String = found.chars().take(60).collect();
        syntax_error(Some(self.place()), format!("expected: {expected}, found: {found}"))
    }
}
