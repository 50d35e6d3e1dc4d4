//! The endpoints of one workspace; the methods are in the files of their subjects.

use rowhouse_model::WorkspaceId;
use serde::de::DeserializeOwned;

use crate::request::Request;
use crate::{Client, Result};

/// A [`Client`] bound to one workspace.
#[derive(Clone, Debug)]
pub struct WorkspaceClient {
    pub(crate) client: Client,
    pub(crate) workspace_id: WorkspaceId,
}

impl Client {
    /// The endpoints of one workspace. The first request shows whether it exists.
    pub fn workspace(&self, workspace_id: impl Into<WorkspaceId>) -> WorkspaceClient {
        WorkspaceClient::new(self.clone(), workspace_id.into())
    }
}

impl WorkspaceClient {
    pub(crate) fn new(client: Client, workspace_id: WorkspaceId) -> Self {
        Self { client, workspace_id }
    }

    /// The workspace.
    pub const fn id(&self) -> &WorkspaceId {
        &self.workspace_id
    }

    /// The client that this one shares its connections with.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// A request with the workspace in its query string.
    pub(crate) fn scoped(&self, request: Request) -> Request {
        request.query("workspaceId", &self.workspace_id)
    }

    pub(crate) async fn json<T: DeserializeOwned>(&self, request: &Request) -> Result<T> {
        self.client.transport.json(request).await
    }

    /// Sends a request to an endpoint that answers 200 and whose body, if any, adds nothing.
    pub(crate) async fn done(&self, request: &Request) -> Result<()> {
        self.client.transport.whole(request).await.map(|_| ())
    }
}
