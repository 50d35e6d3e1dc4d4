//! A saved SQL that has a name: checked, planned and added to the endpoints.

use rowhouse_executor::json_size::json_bytes;
use rowhouse_model::{Column, ErrorCode, SavedSql};
use rusqlite::Transaction;

use super::SavedSqls;
use crate::endpoints::{Definition, Endpoints};
use crate::error::{Error, ErrorKind, Result};
use crate::store::saved_sql::{self, EndpointSizes};
use crate::workspaces::Access;

/// Maximum number of endpoints of one workspace: all of them are in memory.
const MAX_ENDPOINTS: u64 = 1000;
/// Maximum bytes of the texts and columns of a workspace's endpoints: they are in memory.
const MAX_ENDPOINT_BYTES: u64 = 32 << 20;

/// A checked endpoint.
#[derive(Clone, Debug)]
pub(super) struct PlannedEndpoint {
    definition: Definition,
    pub(super) columns: Vec<Column>,
}

impl SavedSqls {
    /// Checks a saved SQL as an endpoint; none if it has no name.
    pub(super) async fn endpoint_of(
        &self,
        access: &Access,
        saved_sql: &SavedSql,
    ) -> Result<Option<PlannedEndpoint>> {
        if saved_sql.sql_name.is_none() {
            return Ok(None);
        }
        let definition = Definition::of(&saved_sql.sql)?;
        let columns = self.planned(access, &saved_sql.sql, &definition).await?;
        crate::queries::check_columns(&columns)?;
        let definition = definition.with_columns(&columns)?;
        if let Some(column) = definition.first_order_column() {
            // It must be possible to order it: SHOW and similar statements are no queries.
            let ordered = rowhouse_sql::ordered_by(&saved_sql.sql, column + 1, false)?;
            self.planned(access, &ordered, &definition).await.map_err(|error| match error.kind() {
                ErrorKind::Statement(_) => {
                    let message = "the rows of this statement cannot be put in the order of `-- Order by: …`: it is no query";
                    Error::new(ErrorKind::InvalidArguments, message).with_source(error)
                }
                _ => error,
            })?;
        }
        Ok(Some(PlannedEndpoint { definition, columns }))
    }

    async fn planned(&self, access: &Access, sql: &str, definition: &Definition) -> Result<Vec<Column>> {
        self.planner.columns(access, sql, definition.sample()).await?.map_err(|error| match error.code() {
            Some(ErrorCode::ServiceDisabled) => Error::new(ErrorKind::ServiceDisabled, error.message),
            _ => error.into(),
        })
    }
}

/// Why a name cannot be taken. Called inside the write that takes it.
pub(super) fn refusal(
    transaction: &Transaction<'_>,
    saved_sql: &SavedSql,
    made: Option<&PlannedEndpoint>,
) -> rusqlite::Result<Option<Error>> {
    let SavedSql { id, workspace_id, sql_name: Some(name), sql, .. } = saved_sql else { return Ok(None) };
    if saved_sql::is_name_taken(transaction, workspace_id, name, id)? {
        let message = format!("the workspace has an endpoint '{name}' already");
        return Ok(Some(Error::new(ErrorKind::AlreadyExists, message)));
    }
    let EndpointSizes { others, other_bytes, own_bytes } =
        saved_sql::endpoint_sizes(transaction, workspace_id, id)?;
    if others >= MAX_ENDPOINTS {
        let message = format!("the workspace has {MAX_ENDPOINTS} endpoints, which is as many as it may");
        return Ok(Some(Error::new(ErrorKind::InvalidArguments, message)));
    }
    let bytes = (sql.len() + made.map_or(0, |made| json_bytes(&made.columns))) as u64;
    // One that does not grow may stay, whatever the others are.
    if bytes > own_bytes && other_bytes.saturating_add(bytes) > MAX_ENDPOINT_BYTES {
        let message = format!(
            "the texts and columns of the workspace's {others} other endpoints take {other_bytes} bytes, those of this \
             one {bytes}, and {MAX_ENDPOINT_BYTES} are the most: remove endpoints, or select fewer columns"
        );
        return Ok(Some(Error::new(ErrorKind::InvalidArguments, message)));
    }
    Ok(None)
}

pub(super) fn changed_meanwhile() -> Error {
    let message = "the saved SQL was changed by another request while this one was checked; try again";
    Error::new(ErrorKind::Overloaded, message)
}

/// Publishes the endpoint after the commit.
pub(super) fn hold(endpoints: &Endpoints, saved_sql: SavedSql, made: Option<PlannedEndpoint>) -> SavedSql {
    match made {
        Some(PlannedEndpoint { definition, columns }) => {
            endpoints.hold(saved_sql.clone(), columns, definition)
        }
        None => endpoints.forget(&saved_sql.id),
    }
    saved_sql
}
