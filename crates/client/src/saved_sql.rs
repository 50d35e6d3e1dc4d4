//! Saved SQL: list, create, change, delete, execute, and the statistics of the last run (D28).

use rowhouse_model::{
    CreateSavedSql, EndpointCalls, ExecuteSavedSql, Query, SavedSql, SavedSqlId, SavedSqlStatistics,
    SavedSqlVersion, Source, StatementParameters, UpdateSavedSql, path,
};

use crate::request::{Request, segment};
use crate::{Result, WorkspaceClient};

impl WorkspaceClient {
    /// `GET /sqls`: oldest first.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn saved_sqls(&self) -> Result<Vec<SavedSql>> {
        self.json(&self.scoped(Request::get(path::SAVED_SQLS))).await
    }

    /// `GET /sql/:id`: the statistics of its last run.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn saved_sql_statistics(&self, id: &SavedSqlId) -> Result<SavedSqlStatistics> {
        self.json(&self.scoped(Request::get(saved_sql_path(id)?))).await
    }

    /// `GET /sql/:id/versions`: the newest first.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn saved_sql_versions(&self, id: &SavedSqlId) -> Result<Vec<SavedSqlVersion>> {
        let path = path::saved_sql_versions(&segment("the saved SQL's id", id.as_str())?);
        self.json(&self.scoped(Request::get(path))).await
    }

    /// `GET /sql/:id/calls`: statistics of an endpoint's calls in the last day.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn endpoint_calls(&self, id: &SavedSqlId) -> Result<EndpointCalls> {
        let path = path::endpoint_calls(&segment("the saved SQL's id", id.as_str())?);
        self.json(&self.scoped(Request::get(path))).await
    }

    /// `PUT /sql/:id`: restores a version.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn restore_saved_sql(&self, id: &SavedSqlId, version: u64) -> Result<SavedSql> {
        let changes = UpdateSavedSql {
            workspace_id: self.workspace_id.clone(),
            sql: None,
            description: None,
            title: None,
            sql_name: None,
            version: Some(version),
        };
        self.update_saved_sql(id, &changes).await
    }

    /// `POST /sql`.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn create_saved_sql(
        &self,
        title: &str,
        sql: &str,
        description: Option<&str>,
    ) -> Result<SavedSql> {
        let body = CreateSavedSql {
            workspace_id: self.workspace_id.clone(),
            sql: sql.to_owned(),
            description: description.map(str::to_owned),
            title: title.to_owned(),
            sql_name: None,
        };
        self.json(&Request::post(path::CREATE_SAVED_SQL, &body)?).await
    }

    /// `PUT /sql/:id`: the body names its workspace, which must be this one; absent fields are unchanged.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn update_saved_sql(&self, id: &SavedSqlId, changes: &UpdateSavedSql) -> Result<SavedSql> {
        self.json(&Request::put(saved_sql_path(id)?, changes)?).await
    }

    /// `DELETE /sql/:id`.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn delete_saved_sql(&self, id: &SavedSqlId) -> Result<()> {
        let request = self.scoped(Request::delete(saved_sql_path(id)?));
        self.done(&request).await
    }

    /// `POST /sql/:id`: executes it, with the values of its parameters (D41). As with [`submit`](Self::submit), invalid
    /// SQL gives a FAILED record.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn execute_saved_sql(
        &self,
        id: &SavedSqlId,
        source: Option<Source>,
        parameters: StatementParameters,
    ) -> Result<Query> {
        let parameters = (!parameters.is_empty()).then_some(parameters);
        let workspace_id = self.workspace_id.clone();
        let body = ExecuteSavedSql {
            workspace_id,
            source,
            parameters,
            time_zone: None,
            wait: None,
            rows: None,
            shape: None,
        };
        self.json(&Request::post(saved_sql_path(id)?, &body)?).await
    }
}

fn saved_sql_path(id: &SavedSqlId) -> Result<String> {
    Ok(path::saved_sql(&segment("the saved SQL's id", id.as_str())?))
}
