//! The cache of a workspace's results: listing and purging.

use rowhouse_model::{CachedResults, PurgedCache, QueryId, path};

use crate::request::Request;
use crate::{Result, WorkspaceClient};

/// A selection of cached results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheScope {
    /// All results of the workspace.
    Workspace,
    /// Results of the statement that this query ran.
    Statement(QueryId),
    /// Results computed from this table or view, as far as that is known.
    Table(String),
}

impl WorkspaceClient {
    /// `GET /cache`: newest first; without `limit` the server's own limit applies.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn cached_results(&self, scope: &CacheScope, limit: Option<u64>) -> Result<CachedResults> {
        let request = self.scoped(Request::get(path::CACHE)).optional_query("limit", limit);
        self.json(&scope.of(request)).await
    }

    /// `DELETE /cache`: returns how many results no longer answer. Only owners may purge the whole workspace.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn purge_cache(&self, scope: &CacheScope) -> Result<u64> {
        let mut request = scope.of(self.scoped(Request::delete(path::CACHE)));
        if *scope == CacheScope::Workspace {
            request = request.query("all", true);
        }
        let PurgedCache { purged } = self.json(&request).await?;
        Ok(purged)
    }
}

impl CacheScope {
    fn of(&self, request: Request) -> Request {
        match self {
            Self::Workspace => request,
            Self::Statement(id) => request.query("queryId", id.as_str()),
            Self::Table(name) => request.query("table", name),
        }
    }
}
