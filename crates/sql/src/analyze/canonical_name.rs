//! Names of row pattern variables, paths and parameters of JSON functions.

use sqlparser::ast::Ident;

/// A name in the form in which Trino compares names of which only delimited ones are case-sensitive: in upper case
/// unless delimited.
pub(super) fn canonical(name: &Ident) -> String {
    match name.quote_style {
        Some(_) => name.value.clone(),
        None => name.value.to_uppercase(),
    }
}
