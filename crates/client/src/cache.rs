//! The cache of a workspace's results: listed and purged.

use rowhouse_model::{CachedResults, PurgedCache, QueryId, path};

use crate::request::Request;
use crate::{Result, WorkspaceClient};

/// Which kept results are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheScope {
    /// All of the workspace's.
    Workspace,
    /// That of the statement which this query has run.
    Statement(QueryId),
    /// Those made from this table or view, as far as that is known.
    Table(String),
}

impl WorkspaceClient {
    /// `GET /cache`: the newest first; the server's own limit, unless there is one.
    ///
    /// # Errors
    ///
    /// Any failure of a request.
    pub async fn cached_results(&self, scope: &CacheScope, limit: Option<u64>) -> Result<CachedResults> {
        let request = self.scoped(Request::get(path::CACHE)).optional_query("limit", limit);
        self.json(&scope.of(request)).await
    }

    /// `DELETE /cache`: how many answer no more. The whole workspace's are for its owners to purge.
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
