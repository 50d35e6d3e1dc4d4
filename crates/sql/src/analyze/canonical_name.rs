//! Names of row pattern variables, paths and parameters of JSON functions.

use sqlparser::ast::Ident;

/// A name as Trino compares it where letter case counts between quotes only: in capitals, unless it stands between them.
pub(super) fn canonical(name: &Ident) -> String {
    match name.quote_style {
        Some(_) => name.value.clone(),
        None => name.value.to_uppercase(),
    }
}
