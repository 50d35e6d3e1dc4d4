//! Errors of statements that need columns or definitions of views that did not fit into their catalog's snapshot.

use rowhouse_model::{ErrorCode, QueryError};

/// A statement names views whose columns do not fit.
pub fn omitted_columns(view: &str) -> QueryError {
    refused(format!(
        "the columns of materialized view '{view}' do not fit beside those of the other views that the statement names: \
         name fewer views"
    ))
}

/// A statement lists the columns of all views, and they do not fit.
pub(crate) fn omitted_lists() -> QueryError {
    refused(
        "the materialized views have too many columns to list them in one statement: use SHOW COLUMNS FROM a view, or \
         DESCRIBE"
            .to_owned(),
    )
}

/// A statement shows the definition of a view, and it does not fit.
pub(crate) fn omitted_definition(view: &str) -> QueryError {
    refused(format!(
        "the definition of materialized view '{view}' does not fit beside the columns of the views that the statement \
         names: name fewer views"
    ))
}

/// A statement lists the definitions of all views, and they do not fit.
pub(crate) fn omitted_definitions() -> QueryError {
    refused(
        "the definitions of the materialized views are too long to list them in one statement: use SHOW CREATE \
         MATERIALIZED VIEW"
            .to_owned(),
    )
}

fn refused(message: String) -> QueryError {
    QueryError::new(ErrorCode::NotSupported, message)
}
