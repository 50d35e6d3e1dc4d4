//! One entry of `required(...)`: its text, its location, and its meaning given the view's columns.

use crate::error::{Error, ErrorKind, Location, Quoted};
use crate::{Operator, resolve_column};

/// The text between the quotes of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    text: String,
    location: Location,
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
        Self { text, location }
    }

    /// The whole text if it is exactly a column's name, else the part before the last colon if an operator follows it,
    /// else the whole text in another letter case.
    pub(super) fn resolve<S: AsRef<str>>(&self, columns: &[S]) -> Result<ResolvedEntry, Error> {
        let whole = |column| ResolvedEntry { column, operator: None, name_length: self.text.len() };
        let is_exact = columns.iter().any(|column| column.as_ref() == self.text);
        // Evaluated only when needed: a name that is not found costs the search for the nearest one.
        let whole_text = || resolve_column(columns, &self.text).map(whole);
        let Some((name, operator)) = self.text.rsplit_once(':').filter(|_| !is_exact) else {
            return whole_text().map_err(|error| self.error(&error));
        };
        let resolved = resolve_column(columns, name);
        match (operator.parse(), resolved) {
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
            Err(_) => match self.text.rsplit_once(':') {
                Some((name, operator)) if Operator::from_name(operator).is_some() => {
                    (name, Operator::from_name(operator))
                }
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
