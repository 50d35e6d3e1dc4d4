//! Names of row pattern variables, paths and parameters of JSON functions, and of columns in a list of aliases after a star or
//! a table function.

use sqlparser::ast::Ident;

/// The form in which Trino compares names whose letter case only matters if they are delimited: in upper case unless
/// delimited.
pub(super) fn canonical(name: &Ident) -> String {
    match name.quote_style {
        Some(_) => name.value.clone(),
        None => name.value.to_uppercase(),
    }
}
