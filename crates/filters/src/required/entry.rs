//! One entry of `required(...)`: its text, its location, and its meaning given the view's columns.

use crate::error::{Error, ErrorKind, Location, Quoted};
use crate::{Operator, resolve_column};

/// The text between the quotes of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    text: String,
    location: Location,
    /// The place of its last colon, and the operator that is named behind it.
    last_colon: Option<(usize, Option<Operator>)>,
}

/// An entry whose column exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ResolvedEntry {
    /// The column's position.
    pub(super) column: usize,
    /// `None`: any operator meets the entry.
    pub(super) operator: Option<Operator>,
    /// Length in bytes of the column's name within the text.
    name_length: usize,
}

impl Entry {
    pub(super) fn new(text: String, location: Location) -> Self {
        let last_colon =
            text.rsplit_once(':').map(|(name, operator)| (name.len(), Operator::from_name(operator)));
        Self { text, location, last_colon }
    }

    /// The whole text if it is exactly a column's name, else the part before the last colon if an operator follows it,
    /// else the whole text in another letter case.
    pub(super) fn resolve<S: AsRef<str>>(&self, columns: &[S]) -> Result<ResolvedEntry, Error> {
        let whole = |column| ResolvedEntry { column, operator: None, name_length: self.text.len() };
        let is_exact = columns.iter().any(|column| column.as_ref() == self.text);
        // Evaluated only when needed: a name that is not found costs the search for the nearest one.
        let whole_text = || resolve_column(columns, &self.text).map(whole);
        let Some((colon, operator)) = self.last_colon.filter(|_| !is_exact) else {
            return whole_text().map_err(|error| self.error(&error));
        };
        let name = &self.text[..colon];
        let resolved = resolve_column(columns, name);
        let operator = operator.map_or_else(|| self.text[colon + 1..].parse(), Ok);
        match (operator, resolved) {
            (Ok(operator), Ok(column)) => {
                Ok(ResolvedEntry { column, operator: Some(operator), name_length: name.len() })
            }
            (Err(unknown), Ok(_)) => whole_text().map_err(|_| self.error(&unknown)),
            (Ok(_), Err(error)) => whole_text().map_err(|_| self.error(&error)),
            (Err(_), Err(_)) => whole_text().map_err(|error| self.error(&error)),
        }
    }

    /// `column:OPERATOR` or `column`; by the form of the text if it resolves to no column.
    pub(super) fn described<S: AsRef<str>>(&self, columns: &[S]) -> String {
        let (name, operator) = match self.resolve(columns) {
            Ok(resolved) => (&self.text[..resolved.name_length], resolved.operator),
            Err(_) => match self.last_colon {
                Some((colon, Some(operator))) => (&self.text[..colon], Some(operator)),
                _ => (self.text.as_str(), None),
            },
        };
        match operator {
            Some(operator) => format!("{name}:{operator}"),
            None => name.to_owned(),
        }
    }

    fn error(&self, cause: &Error) -> Error {
        let kind: ErrorKind = cause.kind();
        Error::new(kind, format!("required filter {}: {}", Quoted(&self.text), cause.message()))
            .at(self.location)
    }
}
