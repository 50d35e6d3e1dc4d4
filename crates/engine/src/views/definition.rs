//! A view's definition: name, SQL with the required-filter comment, schedule. It is checked completely when it is
//! given, because a requirement that is silently not enforced is a leak (D24).

use rowhouse_filters::RequiredFilters;
use rowhouse_model::{Column, ErrorCode, ErrorType, StatementParameters};

use super::Views;
use super::record::{check_columns, required_filters};
use crate::error::Result;
use crate::workspaces::Access;

impl Views {
    /// The columns and requirements of a view's SQL.
    ///
    /// While the SQL engine is disabled the statement cannot be analyzed: its columns are unknown, and its requirements
    /// are checked at the first refresh, which fails if they do not match (D26).
    pub(super) async fn analyze(&self, access: &Access, sql: &str) -> Result<(Vec<Column>, RequiredFilters)> {
        let required = required_filters(sql)?;
        // A refresh has no caller to supply values: a statement with parameters is refused.
        let analyzed = self.planner.columns(access, sql, StatementParameters::default()).await?;
        let columns = match analyzed {
            Ok(columns) => columns,
            Err(error) if error.code() == Some(ErrorCode::ServiceDisabled) => {
                return Ok((Vec::new(), required));
            }
            // Not the statement's fault, for example no worker could start. The refresh reports it (D26).
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
