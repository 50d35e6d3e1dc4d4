//! One entry of `required(...)`: its text, its location, and its meaning given the view's columns.

use crate::error::{Error, ErrorKind, Location, Quoted};
use crate::{ColumnNames, Operator};

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

/// What an entry names that does not exist.
#[derive(Debug)]
pub(super) enum Unresolved<'e> {
    /// A column; its error costs the search for the nearest name.
    Name(&'e str),
    /// An operator.
    Operator(Error),
}

impl Entry {
    pub(super) fn new(text: String, location: Location) -> Self {
        let last_colon =
            text.rsplit_once(':').map(|(name, operator)| (name.len(), Operator::from_name(operator)));
        Self { text, location, last_colon }
    }

    /// The whole text if it is exactly a column's name, else the part before the last colon if an operator follows it,
    /// else the whole text in another letter case.
    pub(super) fn resolve<S: AsRef<str>>(
        &self,
        names: &ColumnNames<'_, S>,
    ) -> Result<ResolvedEntry, Unresolved<'_>> {
        let whole = |column| ResolvedEntry { column, operator: None, name_length: self.text.len() };
        let whole_text = || names.position(&self.text).map(whole);
        let Some((colon, operator)) = self.last_colon.filter(|_| !names.has(&self.text)) else {
            return whole_text().ok_or(Unresolved::Name(&self.text));
        };
        let name = &self.text[..colon];
        let resolved = names.position(name);
        let operator = operator.map_or_else(|| self.text[colon + 1..].parse(), Ok);
        match (operator, resolved) {
            (Ok(operator), Some(column)) => {
                Ok(ResolvedEntry { column, operator: Some(operator), name_length: name.len() })
            }
            (Err(unknown), Some(_)) => whole_text().ok_or(Unresolved::Operator(unknown)),
            (Ok(_), None) => whole_text().ok_or(Unresolved::Name(name)),
            (Err(_), None) => whole_text().ok_or(Unresolved::Name(&self.text)),
        }
    }

    /// Checks that it resolves.
    ///
    /// # Errors
    /// `UnknownColumn`, `AmbiguousColumn` or `UnknownOperator` with its location.
    pub(super) fn check<S: AsRef<str>>(&self, names: &ColumnNames<'_, S>) -> Result<(), Error> {
        let Err(unresolved) = self.resolve(names) else { return Ok(()) };
        let cause = match unresolved {
            Unresolved::Operator(cause) => cause,
            Unresolved::Name(name) => match names.resolve(name) {
                // Not reached: no column has been found for it.
                Ok(_) => return Ok(()),
                Err(cause) => cause,
            },
        };
        Err(self.error(&cause))
    }

    /// `column:OPERATOR` or `column`; by the form of the text if it resolves to no column.
    pub(super) fn described<S: AsRef<str>>(&self, names: &ColumnNames<'_, S>) -> String {
        let (name, operator) = match self.resolve(names) {
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
