//! The filters that a view requires (D24): parsing the comment, and checking whether a request meets it.

mod declaration;
mod entry;

use entry::Entry;

use crate::error::{Error, ErrorKind, Location};
use crate::sql_comments::{LineComment, Reading, line_comments};
use crate::{ColumnNames, Filter, Operator};

/// Maximum number of entries of a comment: many more than a request may have filters (D27).
const ENTRY_LIMIT: usize = 256;

/// The entries of a view's `-- Service API: required(...)` comment; empty if the SQL has none.
///
/// The meaning of an entry depends on the view's columns, because a column's name may contain a colon: `"a:eq"` is the
/// column `a` with EQ, unless a column is named exactly `a:eq`. Every method therefore takes the columns' names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequiredFilters {
    entries: Vec<Entry>,
}

impl RequiredFilters {
    /// Parses the first line comment of `sql` that declares required filters, or is a near miss. Similar text inside a
    /// string literal, a quoted name or a block comment does not count. Later comments are ignored, valid or not.
    ///
    /// # Errors
    /// `MalformedComment` with its location: the comment is malformed, followed by text, has more than 256 entries, or
    /// is a near miss such as `--Service API:` (a requirement that is silently not enforced is a leak); or SQL
    /// engines disagree on whether it is a comment at all, for example inside `/* /* */ … */`.
    pub fn from_sql(sql: &str) -> Result<Self, Error> {
        let first =
            |reading| line_comments(sql, reading).find(|comment| declaration::is_meant_by(comment.text));
        let comment: LineComment<'_> = match (first(Reading::Trino), first(Reading::Generic)) {
            (None, None) => return Ok(Self::default()),
            (Some(comment), Some(other)) if comment.offset == other.offset => comment,
            (Some(comment), Some(other)) => return Err(disagreement(sql, comment.offset.min(other.offset))),
            (Some(comment), None) | (None, Some(comment)) => return Err(disagreement(sql, comment.offset)),
        };
        let entries =
            declaration::parse(comment.text).map_err(|fault| fault.into_error(sql, comment.offset))?;
        if entries.len() > ENTRY_LIMIT {
            let message = format!(
                "the required-filter comment has {} entries, expected at most {ENTRY_LIMIT}",
                entries.len()
            );
            return Err(
                Error::new(ErrorKind::MalformedComment, message).at(Location::of(sql, comment.offset))
            );
        }
        let entries = entries
            .into_iter()
            .map(|(offset, text)| Entry::new(text, Location::of(sql, comment.offset + offset)))
            .collect();
        Ok(Self { entries })
    }

    /// Whether the view requires no filter.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Checks, when a view is defined, that every entry names one of its columns and a known operator.
    ///
    /// # Errors
    /// `UnknownColumn`, `AmbiguousColumn` or `UnknownOperator` with the entry's location in the SQL.
    pub fn check_columns<S: AsRef<str>>(&self, columns: &[S]) -> Result<(), Error> {
        let names = ColumnNames::new(columns);
        self.entries.iter().try_for_each(|entry| entry.check(&names))
    }

    /// The positions of the columns that the entries name, each once, in the entries' order: the columns to index.
    /// Entries that name no column are omitted.
    pub fn column_positions<S: AsRef<str>>(&self, columns: &[S]) -> Vec<usize> {
        let names = ColumnNames::new(columns);
        let mut positions = Vec::new();
        for resolved in self.entries.iter().filter_map(|entry| entry.resolve(&names).ok()) {
            if !positions.contains(&resolved.column) {
                positions.push(resolved.column);
            }
        }
        positions
    }

    /// The entries as `column:OPERATOR` or `column`, with columns as the comment spells them: the wire's
    /// `requiredFilters` and the A of D24's message.
    pub fn entries<S: AsRef<str>>(&self, columns: &[S]) -> Vec<String> {
        let names = ColumnNames::new(columns);
        self.entries.iter().map(|entry| entry.described(&names)).collect()
    }

    /// `None` if the request's filters meet every entry, else the message of D24. An entry that names no column is
    /// never met.
    pub fn unmet<S: AsRef<str>>(&self, filters: &[Filter], columns: &[S]) -> Option<String> {
        if self.entries.is_empty() {
            return None;
        }
        let names = ColumnNames::new(columns);
        let given: Vec<(Option<usize>, Operator)> =
            filters.iter().map(|filter| (names.position(filter.column()), filter.operator())).collect();
        let is_met = |entry: &Entry| {
            entry.resolve(&names).is_ok_and(|wanted| {
                given.iter().any(|&(column, operator)| {
                    column == Some(wanted.column) && wanted.operator.is_none_or(|wanted| wanted == operator)
                })
            })
        };
        if self.entries.iter().all(is_met) {
            return None;
        }
        let given: Vec<String> =
            filters.iter().map(|filter| format!("{}:{}", filter.column(), filter.operator())).collect();
        let given = if given.is_empty() { "none".to_owned() } else { given.join(",") };
        let required = self.entries(columns).join(",");
        Some(format!("Required filters and request filters not matched: {required} and {given}."))
    }
}

fn disagreement(sql: &str, offset: usize) -> Error {
    Error::new(
        ErrorKind::MalformedComment,
        "SQL engines disagree on whether this is a comment (before it is a nested block comment, a `$$` or `E'…'` \
         string, a quote that never ends or a lone carriage return): put the required-filter comment on the first line",
    )
    .at(Location::of(sql, offset))
}

#[cfg(test)]
mod tests;
