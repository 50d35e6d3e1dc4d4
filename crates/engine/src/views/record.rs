//! An immutable view definition, and the required filters of its SQL's comment (D24).

use std::collections::HashSet;
use std::sync::Arc;

use rowhouse_filters::RequiredFilters;
use rowhouse_model::{
    AccountId, Column, ErrorCode, MaterializedView, QueryError, Timestamp, ViewId, WorkspaceId,
};

use super::schedule::Schedule;
use crate::error::{Error, ErrorKind, Result};
use crate::store::views::StoredView;

/// An immutable view definition; a change creates a new one.
#[derive(Clone, Debug)]
pub struct ViewRecord {
    /// Its id.
    pub id: ViewId,
    /// Owning workspace.
    pub workspace_id: WorkspaceId,
    /// Its name in SQL and in Interface B's path.
    pub sql_name: String,
    /// Displayed title.
    pub title: Option<String>,
    /// Optional description.
    pub description: Option<String>,
    /// The defining statement with its comments.
    pub sql: String,
    /// Its refresh schedule.
    pub schedule: Option<Schedule>,
    /// Its creator.
    pub account_id: AccountId,
    /// Creation time.
    pub created_at: Timestamp,
    /// Counts the changes of `sql`.
    pub revision: u64,
    /// Columns of `sql` as analyzed; empty if it could not be analyzed yet.
    pub columns: Arc<[Column]>,
    /// The required filters of its reads.
    pub required: Arc<RequiredFilters>,
}

impl ViewRecord {
    /// Also returns the reason why it cannot be used, if a newer version's rules refuse what an older one accepted.
    pub(super) fn from_stored(stored: StoredView) -> (Self, Option<String>) {
        let mut faults = Vec::new();
        let required = required_filters(&stored.sql).unwrap_or_else(|error| {
            faults.push(error.to_string());
            RequiredFilters::default()
        });
        let schedule =
            stored.schedule.as_deref().map(str::parse).transpose().unwrap_or_else(|error: Error| {
                faults.push(error.to_string());
                None
            });
        let record = Self {
            id: stored.id,
            workspace_id: stored.workspace_id,
            sql_name: stored.sql_name,
            title: stored.title,
            description: stored.description,
            sql: stored.sql,
            schedule,
            account_id: stored.account_id,
            created_at: stored.created_at,
            revision: stored.revision,
            columns: stored.columns.into(),
            required: Arc::new(required),
        };
        (record, (!faults.is_empty()).then(|| faults.join("; ")))
    }

    pub(super) fn to_stored(
        &self,
        scheduled_at: Option<Timestamp>,
        last_error: Option<String>,
    ) -> StoredView {
        StoredView {
            id: self.id.clone(),
            workspace_id: self.workspace_id.clone(),
            sql_name: self.sql_name.clone(),
            title: self.title.clone(),
            description: self.description.clone(),
            sql: self.sql.clone(),
            schedule: self.schedule.as_ref().map(|schedule| schedule.as_str().to_owned()),
            account_id: self.account_id.clone(),
            created_at: self.created_at,
            revision: self.revision,
            columns: self.columns.to_vec(),
            scheduled_at,
            last_error,
        }
    }

    /// The columns of a generation: if they are those of the definition, they are not in memory twice.
    pub(super) fn shared(&self, columns: Arc<[Column]>) -> Arc<[Column]> {
        if self.columns == columns { Arc::clone(&self.columns) } else { columns }
    }

    /// Bytes of its texts.
    pub(super) fn text_bytes(&self) -> usize {
        self.sql.len() + self.description.as_ref().map_or(0, String::len)
    }

    /// As the management endpoints show it before its first generation.
    pub(super) fn shown(&self) -> MaterializedView {
        MaterializedView {
            id: self.id.clone(),
            workspace_id: self.workspace_id.clone(),
            sql_name: self.sql_name.clone(),
            title: self.title.clone(),
            description: self.description.clone(),
            sql: self.sql.clone(),
            schedule: self.schedule.as_ref().map(|schedule| schedule.as_str().to_owned()),
            required_filters: self.required.entries(&column_names(&self.columns)),
            columns: self.columns.to_vec(),
            row_count: None,
            generation: None,
            refreshed_at: None,
            last_error: None,
        }
    }
}

/// Checks that the columns are valid for a view with these requirements.
pub(super) fn check_columns(required: &RequiredFilters, columns: &[Column]) -> Result<()> {
    let mut seen = HashSet::new();
    if let Some(column) = columns.iter().find(|column| !seen.insert(column.name.as_str())) {
        let message = format!(
            "column '{}' stands twice in the view: rows are objects, so each column needs a name of its own",
            column.name
        );
        return Err(QueryError::new(ErrorCode::DuplicateColumnName, message).into());
    }
    required.check_columns(&column_names(columns)).map_err(refused_comment)
}

/// The names that filters and requirements are resolved against.
pub(super) fn column_names(columns: &[Column]) -> Vec<&str> {
    columns.iter().map(|column| column.name.as_str()).collect()
}

pub(super) fn required_filters(sql: &str) -> Result<RequiredFilters> {
    RequiredFilters::from_sql(sql).map_err(refused_comment)
}

fn refused_comment(error: rowhouse_filters::Error) -> Error {
    let kind = match error.kind() {
        rowhouse_filters::ErrorKind::UnknownColumn => ErrorKind::ColumnNotFound,
        _ => ErrorKind::InvalidArguments,
    };
    let Some(location) = error.location() else {
        return Error::new(kind, error.message()).with_source(error);
    };
    let rowhouse_filters::Location { line_number, column_number } = location;
    let place = serde_json::json!({
        "errorLocation": { "lineNumber": line_number, "columnNumber": column_number }
    });
    Error::new(kind, format!("line {line_number}:{column_number}: {}", error.message()))
        .with_details(place)
        .with_source(error)
}
