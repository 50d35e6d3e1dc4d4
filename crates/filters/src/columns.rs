//! Resolves a column name to a column of a view (D23).

use crate::error::{Error, ErrorKind, Quoted};
use crate::nearest::did_you_mean;

/// Maximum number of column names in a message.
const LISTED_COLUMNS: usize = 20;

/// The position in `columns` of the column that `name` refers to: the column of exactly this name, else the only column
/// of this name in another letter case (D23).
///
/// # Errors
/// `UnknownColumn` with the nearest name, `AmbiguousColumn` with the names that match.
pub fn resolve_column<S: AsRef<str>>(columns: &[S], name: &str) -> Result<usize, Error> {
    let mut exact = columns.iter().enumerate().filter(|(_, column)| column.as_ref() == name);
    if let (Some((position, _)), None) = (exact.next(), exact.next()) {
        return Ok(position);
    }
    let positions = |matches: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..columns.len()).filter(|&position| matches(columns[position].as_ref())).collect()
    };
    let mut matching = positions(&|column| column == name);
    if matching.is_empty() {
        matching = positions(&|column| equal_ignoring_case(column, name));
    }
    match matching[..] {
        [position] => Ok(position),
        [] => Err(Error::new(ErrorKind::UnknownColumn, not_found(columns, name))),
        _ => {
            let names: Vec<String> =
                matching.iter().map(|&position| format!("`{}`", columns[position].as_ref())).collect();
            Err(Error::new(
                ErrorKind::AmbiguousColumn,
                format!("column {} is ambiguous: it matches {}", Quoted(name), names.join(", ")),
            ))
        }
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

fn equal_ignoring_case(left: &str, right: &str) -> bool {
    left.chars().flat_map(char::to_lowercase).eq(right.chars().flat_map(char::to_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(columns: &[&str], name: &str, expected: Result<usize, &str>) {
        let found = resolve_column(columns, name);
        assert_eq!(found.as_ref().map_err(Error::message).copied(), expected, "{name} in {columns:?}");
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
