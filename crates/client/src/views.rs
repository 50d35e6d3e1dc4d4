//! Materialized views as definitions: list, create, change, refresh, generations, drop (D24, D26). Reading their rows
//! needs no workspace id and is a method of the [`Client`](crate::Client).

use rowhouse_model::{
    CreateMaterializedView, CreatedMaterializedView, MaterializedView, Query, RefreshMaterializedView,
    UpdateMaterializedView, ViewGeneration, ViewId, path,
};

use crate::request::{Request, segment};
use crate::{Result, WorkspaceClient};

impl WorkspaceClient {
    /// `GET /materializedViews`.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn materialized_views(&self) -> Result<Vec<MaterializedView>> {
        self.json(&self.scoped(Request::get(path::MATERIALIZED_VIEWS))).await
    }

    /// `GET /materializedView/:id`.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn materialized_view(&self, id: &ViewId) -> Result<MaterializedView> {
        self.json(&self.scoped(Request::get(view_path(id)?))).await
    }

    /// `GET /materializedView/:id/generations`: the results of the newest refreshes, newest first.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn view_generations(&self, id: &ViewId) -> Result<Vec<ViewGeneration>> {
        let path = path::materialized_view_generations(&segment("the view's id", id.as_str())?);
        self.json(&self.scoped(Request::get(path))).await
    }

    /// `POST /materializedView`: creates a view; the answer has the view and the query that fills it. The body names
    /// its workspace, which must be this one.
    ///
    /// # Errors
    ///
    /// The SQL cannot be planned, the required-filter comment is malformed (D24), the name is taken, or any
    /// other failure of a request.
    pub async fn create_materialized_view(
        &self,
        definition: &CreateMaterializedView,
    ) -> Result<CreatedMaterializedView> {
        self.json(&Request::post(path::CREATE_MATERIALIZED_VIEW, definition)?).await
    }

    /// `PUT /materializedView/:id`: absent fields are unchanged; new SQL refreshes the view at once (D26), and the
    /// answer names that query.
    ///
    /// # Errors
    ///
    /// As [`create_materialized_view`](Self::create_materialized_view), and `NOT_FOUND`.
    pub async fn update_materialized_view(
        &self,
        id: &ViewId,
        changes: &UpdateMaterializedView,
    ) -> Result<CreatedMaterializedView> {
        self.json(&self.scoped(Request::put(view_path(id)?, changes)?)).await
    }

    /// `POST /materializedView/:id/refresh`: the query that computes the next generation.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn refresh_materialized_view(&self, id: &ViewId) -> Result<Query> {
        let path = path::materialized_view_refresh(&segment("the view's id", id.as_str())?);
        let body = RefreshMaterializedView { workspace_id: self.workspace_id.clone() };
        self.json(&Request::post(path, &body)?).await
    }

    /// `DELETE /materializedView/:id`.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn drop_materialized_view(&self, id: &ViewId) -> Result<()> {
        self.done(&self.scoped(Request::delete(view_path(id)?))).await
    }
}

fn view_path(id: &ViewId) -> Result<String> {
    Ok(path::materialized_view(&segment("the view's id", id.as_str())?))
}
