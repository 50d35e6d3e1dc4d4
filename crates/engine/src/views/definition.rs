//! What a view's author writes: name, SQL with the required-filter comment, schedule. It is checked whole when
//! it is given, because a requirement that silently does not hold is a leak (D24).

use rowhouse_filters::RequiredFilters;
use rowhouse_model::{Column, ErrorCode, ErrorType, StatementParameters};

use super::Views;
use super::record::{check_columns, required_filters};
use crate::error::Result;
use crate::workspaces::Access;

impl Views {
    /// The columns and requirements of a view's SQL.
    ///
    /// While the SQL engine is disabled the statement cannot be analyzed: then its columns are unknown, and its
    /// requirements are checked against the first refresh, which fails where they do not fit (D26).
    pub(super) async fn analyze(&self, access: &Access, sql: &str) -> Result<(Vec<Column>, RequiredFilters)> {
        let required = required_filters(sql)?;
        // A view is refreshed by nobody who could give values: a statement that names some is refused.
        let analyzed = self.planner.columns(access, sql, StatementParameters::default()).await?;
        let columns = match analyzed {
            Ok(columns) => columns,
            Err(error) if error.code() == Some(ErrorCode::ServiceDisabled) => {
                return Ok((Vec::new(), required));
            }
            // Not the statement's fault: no worker could start, say. The refresh tells of it (D26).
            Err(error) if error.error_type == ErrorType::InternalError => {
                tracing::warn!(error = %error.message, "a view's SQL could not be analyzed; its first refresh will be");
                return Ok((Vec::new(), required));
            }
            Err(error) => return Err(error.into()),
        };
        crate::queries::check_columns(&columns)?;
        check_columns(&required, &columns)?;
        Ok((columns, required))
    }
}
