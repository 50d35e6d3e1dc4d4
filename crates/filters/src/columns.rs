//! Resolves a column name to a column of a view (D23).

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use crate::error::{Error, ErrorKind, Quoted};
use crate::nearest::did_you_mean;

/// Maximum number of column names in a message.
const LISTED_COLUMNS: usize = 20;

/// Look-ups that compare the name with each column; for more an index is built.
const COMPARED_LOOK_UPS: usize = 4;

/// The position in `columns` of the column that `name` refers to: the column of exactly this name, else the only column
/// of this name in another letter case (D23). For many names, [`ColumnNames`] is faster.
///
/// # Errors
/// `UnknownColumn` with the nearest name, `AmbiguousColumn` with the names that match.
pub fn resolve_column<S: AsRef<str>>(columns: &[S], name: &str) -> Result<usize, Error> {
    ColumnNames::new(columns).resolve(name)
}

/// The columns of a view, for many look-ups: a request may name as many columns as the view has.
///
/// ```
/// # fn main() -> Result<(), rowhouse_filters::Error> {
/// let columns = ["Region", "price"];
/// let names = rowhouse_filters::ColumnNames::new(&columns);
/// assert_eq!(names.resolve("region")?, 0);
/// assert_eq!(names.position("cost"), None);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ColumnNames<'a, S> {
    columns: &'a [S],
    look_ups: Cell<usize>,
    index: OnceCell<Index<'a>>,
}

/// Positions by name; none of a name that several columns have.
#[derive(Debug, Default)]
struct Index<'a> {
    exact: HashMap<&'a str, Option<usize>>,
    /// By name in lower case.
    folded: HashMap<String, Option<usize>>,
}

impl<'a, S: AsRef<str>> ColumnNames<'a, S> {
    /// Of these columns.
    pub fn new(columns: &'a [S]) -> Self {
        Self { columns, look_ups: Cell::new(0), index: OnceCell::new() }
    }

    /// As [`resolve_column`].
    ///
    /// # Errors
    /// `UnknownColumn` with the nearest name, `AmbiguousColumn` with the names that match.
    pub fn resolve(&self, name: &str) -> Result<usize, Error> {
        self.position(name).ok_or_else(|| {
            let positions = |matches: &dyn Fn(&str) -> bool| -> Vec<usize> {
                (0..self.columns.len()).filter(|&position| matches(self.columns[position].as_ref())).collect()
            };
            let mut matching = positions(&|column| column == name);
            if matching.is_empty() {
                matching = positions(&|column| equal_ignoring_case(column, name));
            }
            if matching.is_empty() {
                return Error::new(ErrorKind::UnknownColumn, not_found(self.columns, name));
            }
            let listed = matching.iter().take(LISTED_COLUMNS);
            let names: Vec<String> =
                listed.map(|&position| format!("`{}`", self.columns[position].as_ref())).collect();
            let more = if matching.len() > LISTED_COLUMNS { ", …" } else { "" };
            let message =
                format!("column {} is ambiguous: it matches {}{more}", Quoted(name), names.join(", "));
            Error::new(ErrorKind::AmbiguousColumn, message)
        })
    }

    /// The same position; none if there is no such column, or more than one.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.look_ups.set(self.look_ups.get() + 1);
        if self.look_ups.get() > COMPARED_LOOK_UPS {
            let Index { exact, folded } = self.index.get_or_init(|| Index::of(self.columns));
            return exact.get(name).or_else(|| folded.get(&in_lower_case(name))).copied().flatten();
        }
        let only = |matches: &dyn Fn(&str) -> bool| {
            let mut found = (0..self.columns.len()).filter(|&place| matches(self.columns[place].as_ref()));
            found.next().map(|first| found.next().is_none().then_some(first))
        };
        let exact = only(&|column| column == name);
        exact.or_else(|| only(&|column| equal_ignoring_case(column, name))).flatten()
    }

    /// Whether a column has exactly this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        match self.index.get() {
            Some(index) => index.exact.contains_key(name),
            None => self.columns.iter().any(|column| column.as_ref() == name),
        }
    }
}

impl<'a> Index<'a> {
    fn of<S: AsRef<str>>(columns: &'a [S]) -> Self {
        let mut index = Self::default();
        for (position, column) in columns.iter().enumerate() {
            let name = column.as_ref();
            let exact = index.exact.entry(name);
            exact.and_modify(|place| *place = None).or_insert(Some(position));
            let folded = index.folded.entry(in_lower_case(name));
            folded.and_modify(|place| *place = None).or_insert(Some(position));
        }
        index
    }
}

fn not_found<S: AsRef<str>>(columns: &[S], name: &str) -> String {
    let suggestion = did_you_mean(name, columns.iter().map(AsRef::as_ref));
    let mut message = format!("column {} does not exist{suggestion}", Quoted(name));
    if suggestion.is_empty() && !columns.is_empty() {
        let names: Vec<&str> = columns.iter().take(LISTED_COLUMNS).map(AsRef::as_ref).collect();
        let more = if columns.len() > LISTED_COLUMNS { ", …" } else { "" };
        message.push_str(&format!("; the view has {}{more}", names.join(", ")));
    }
    message
}

fn in_lower_case(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).collect()
}

fn equal_ignoring_case(left: &str, right: &str) -> bool {
    left.chars().flat_map(char::to_lowercase).eq(right.chars().flat_map(char::to_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(columns: &[&str], name: &str, expected: Result<usize, &str>) {
        let names = ColumnNames::new(columns);
        // By comparison, and by the index.
        for _ in 0..2 * COMPARED_LOOK_UPS {
            let found = names.resolve(name);
            assert_eq!(found.as_ref().map_err(Error::message).copied(), expected, "{name} in {columns:?}");
            assert_eq!(names.position(name), expected.ok(), "{name} in {columns:?}");
            assert_eq!(names.has(name), columns.contains(&name), "{name} in {columns:?}");
        }
    }

    #[test]
    fn exact_first_then_any_letter_case_if_unique() {
        check(&["a", "A", "b"], "A", Ok(1));
        check(&["a", "A", "b"], "a", Ok(0));
        check(&["a", "A", "b"], "B", Ok(2));
        check(&["Straße", "ÉTÉ"], "été", Ok(1));
        check(&["price:usd"], "PRICE:USD", Ok(0));
        check(&["", "a"], "", Ok(0));
    }

    #[test]
    fn ambiguous() {
        check(&["ab", "AB", "c"], "Ab", Err("column `Ab` is ambiguous: it matches `ab`, `AB`"));
        check(&["x", "x"], "x", Err("column `x` is ambiguous: it matches `x`, `x`"));
    }

    #[test]
    fn not_found() {
        check(&["region", "qty"], "regoin", Err("column `regoin` does not exist; did you mean `region`?"));
        check(&["region", "qty"], "price", Err("column `price` does not exist; the view has region, qty"));
        check(&[], "a", Err("column `a` does not exist"));
        let listed = ["x"; LISTED_COLUMNS].join(", ");
        check(
            &["x"; LISTED_COLUMNS],
            "price",
            Err(&format!("column `price` does not exist; the view has {listed}")),
        );
        check(
            &["x"; LISTED_COLUMNS + 1],
            "price",
            Err(&format!("column `price` does not exist; the view has {listed}, …")),
        );
    }
}
