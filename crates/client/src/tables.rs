//! Tables of a workspace: named files.

use rowhouse_model::{CreateTable, Table, TableFormat, path};

use crate::request::{Request, segment};
use crate::{Result, WorkspaceClient};

impl WorkspaceClient {
    /// `GET /tables`.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn tables(&self) -> Result<Vec<Table>> {
        self.json(&self.scoped(Request::get(path::TABLES))).await
    }

    /// `POST /table`: a file, a glob or a folder on the server; without a format, it is derived from the file
    /// extension.
    ///
    /// # Errors
    ///
    /// The files do not exist or cannot be read, the name is taken, or any other failure of a request.
    pub async fn create_table(
        &self,
        name: &str,
        location: &str,
        format: Option<TableFormat>,
    ) -> Result<Table> {
        let body = CreateTable {
            workspace_id: self.workspace_id.clone(),
            name: name.to_owned(),
            location: location.to_owned(),
            format,
        };
        self.json(&Request::post(path::CREATE_TABLE, &body)?).await
    }

    /// `DELETE /table/:name`: removes the name and keeps the files.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, or any other failure of a request.
    pub async fn remove_table(&self, name: &str) -> Result<()> {
        let request = self.scoped(Request::delete(path::table(&segment("the table's name", name)?)));
        self.done(&request).await
    }
}
