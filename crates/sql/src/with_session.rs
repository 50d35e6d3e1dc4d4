//! `WITH SESSION name = value, … query`: properties of the session that one statement sets for itself.

use rowhouse_executor::catalog::{OWN_CATALOG, SYSTEM_CATALOG, TPCH_CATALOG};
use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::error::{Result, error, location_of, suggestion};
use super::property_tokens::{PropertyTokens, SessionValue, unfit_value};
use super::session_property::{SESSION_PROPERTY_NAMES, TIME_ZONE};
use super::types::canonical_zone;

/// The catalogs, which have no session properties.
const CATALOGS: [&str; 3] = [OWN_CATALOG, SYSTEM_CATALOG, TPCH_CATALOG];

/// A session property that a statement sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementProperty {
    /// The name, parts joined by a point.
    pub name: String,
    /// The value.
    pub value: SessionValue,
    /// The place of the name.
    pub name_place: ErrorLocation,
    /// The place of the value.
    pub value_place: ErrorLocation,
}

/// Removes the properties from the start of a statement, which begins with `WITH SESSION name`.
pub(super) fn take_properties(tokens: &mut Vec<TokenWithSpan>) -> Result<Vec<StatementProperty>> {
    let (properties, taken) = properties(tokens)?;
    tokens.drain(..taken);
    Ok(properties)
}

/// The properties at the start of a statement, and the index of the token after them.
pub(super) fn properties(tokens: &[TokenWithSpan]) -> Result<(Vec<StatementProperty>, usize)> {
    let mut reader = Reader { tokens, at: 2 };
    let mut properties = Vec::new();
    loop {
        properties.push(reader.property()?);
        if !reader.skip(&Token::Comma) {
            break;
        }
    }
    Ok((properties, reader.at))
}

/// Checks that the properties exist and are set once, with Trino's errors.
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

/// The time zone that a statement sets for itself, in Trino's spelling.
pub(super) fn time_zone(properties: &[StatementProperty]) -> Result<Option<String>> {
    let Some(property) = properties.iter().find(|property| property.name == TIME_ZONE) else {
        return Ok(None);
    };
    let zone = match &property.value {
        SessionValue::Text(zone) => zone.clone(),
        SessionValue::Number(digits) => digits.clone(),
        SessionValue::Boolean(value) => value.to_string(),
    };
    let unknown = || {
        let message = format!("Time zone not supported: {zone}");
        error(ErrorCode::InvalidSessionProperty, Some(property.value_place), message)
    };
    canonical_zone(&zone).map(Some).ok_or_else(unknown)
}

struct Reader<'t> {
    tokens: &'t [TokenWithSpan],
    at: usize,
}

impl Reader<'_> {
    fn property(&mut self) -> Result<StatementProperty> {
        let name_place = self.place();
        let name = self.qualified_name()?;
        if !self.skip(&Token::Eq) {
            return Err(self.unexpected("'='"));
        }
        let value_place = self.place();
        let Some(value) = self.value() else { return Err(self.unfit(&name, value_place)) };
        Ok(StatementProperty { name, value, name_place, value_place })
    }

    /// The error of an invalid value.
    fn unfit(&self, name: &str, place: ErrorLocation) -> QueryError {
        match self.peek() {
            None => self.unexpected("an expression"),
            Some(Token::Word(Word { keyword: Keyword::NULL, .. })) => {
                let message = format!(
                    "Unable to set session property '{name}' to 'null': Session property value must not be null"
                );
                error(ErrorCode::InvalidSessionProperty, None, message)
            }
            Some(Token::Word(Word {
                keyword: Keyword::SELECT | Keyword::WITH | Keyword::VALUES | Keyword::TABLE,
                ..
            })) => self.unexpected("an expression"),
            Some(_) => unfit_value(place),
        }
    }
}

impl PropertyTokens for Reader<'_> {
    fn peek(&self) -> Option<Token> {
        let token = self.tokens.get(self.at).map(|token| &token.token);
        token.filter(|token| **token != Token::EOF).cloned()
    }

    fn advance(&mut self) {
        self.at += 1;
    }

    fn place(&self) -> ErrorLocation {
        let start = self.tokens.get(self.at).map(|token| token.span.start);
        let end = self.tokens.last().map(|token| token.span.end);
        let first = ErrorLocation { line_number: 1, column_number: 1 };
        start.or(end).and_then(location_of).unwrap_or(first)
    }

    fn spelled(&self) -> Option<String> {
        self.peek().map(|token| token.to_string())
    }
}
