//! Workspaces and their members.

use rowhouse_model::{
    CreateWorkspace, LimitSettings, Member, SetMember, Workspace, WorkspaceLimits, WorkspaceUsage, path,
};

use crate::request::{Request, segment};
use crate::{Client, Result, WorkspaceClient};

impl Client {
    /// `GET /workspaces`: those that the token's owner may see.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn workspaces(&self) -> Result<Vec<Workspace>> {
        self.transport.json(&Request::get(path::WORKSPACES)).await
    }

    /// `POST /workspace`, for admins.
    ///
    /// # Errors
    ///
    /// The name is taken, `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn create_workspace(&self, workspace: &CreateWorkspace) -> Result<Workspace> {
        self.transport.json(&Request::post(path::CREATE_WORKSPACE, workspace)?).await
    }
}

impl WorkspaceClient {
    /// `PUT /workspace/:id/member`, for owners: sets or removes a role.
    ///
    /// # Errors
    ///
    /// `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn set_member(&self, member: &SetMember) -> Result<Member> {
        let id = segment("the workspace's id", self.workspace_id.as_str())?;
        self.json(&Request::put(path::workspace_member(&id), member)?).await
    }

    /// `PUT /workspace/:id/limits`, for admins: replaces all limits.
    ///
    /// # Errors
    ///
    /// `PERMISSION_DENIED`, or any other failure of a request.
    pub async fn set_limits(&self, limits: &WorkspaceLimits) -> Result<LimitSettings> {
        let id = segment("the workspace's id", self.workspace_id.as_str())?;
        self.json(&Request::put(path::workspace_limits(&id), limits)?).await
    }

    /// `GET /workspace/:id/usage`: usage and limits of the workspace.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn usage(&self) -> Result<WorkspaceUsage> {
        let id = segment("the workspace's id", self.workspace_id.as_str())?;
        self.json(&Request::get(path::workspace_usage(&id))).await
    }
}
