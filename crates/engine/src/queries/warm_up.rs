//! Calls endpoints that declare it after a view of their workspace was refreshed (D122), so that the next caller finds
//! a cached result of the new rows.

use std::sync::Arc;

use rowhouse_model::{QueryId, QueryStatus, Source};

use super::{CachePolicy, Queries, Shared, Submission};
use crate::endpoints::EndpointAccess;
use crate::error::Result;
use crate::workspaces::Access;

/// `source` of these calls (D14).
const SOURCE: &str = "CACHE_WARM_UP";

/// Waits for the end of a refresh; if it has succeeded, endpoints are called one after the other.
pub(super) fn follow(shared: &Arc<Shared>, access: &Access, refresh: &QueryId) {
    let Some(ended) = shared.ended_in(access, refresh) else { return };
    let (queries, access, refresh) =
        (Queries { shared: Arc::clone(shared) }, access.clone(), refresh.clone());
    tokio::spawn(async move {
        ended.await;
        let record = queries.shared.stored(&access, &refresh).await;
        if !record.is_ok_and(|record| record.status == Some(QueryStatus::Finished)) {
            return;
        }
        for endpoint in queries.shared.context.warm_endpoints(&access.workspace.id) {
            let name = endpoint.sql_name.clone();
            let entered = EndpointAccess::of_analyst(access.clone(), endpoint);
            if let Err(error) = call(&queries, &entered).await {
                tracing::warn!(endpoint = name, %error, "an endpoint was not called after a refresh");
            }
        }
    });
}

/// Calls it with the default of every parameter, unless the cached result is still valid; returns at the end of its
/// run.
async fn call(queries: &Queries, entered: &EndpointAccess) -> Result<()> {
    let Ok(parameters) = entered.bind(&[], &[]) else { return Ok(()) };
    if queries.cached_call(entered, &parameters, None).await.is_some() {
        return Ok(());
    }
    let by_whom = |submission: Submission| {
        let cache = submission.cache.map(|policy| CachePolicy { stale_seconds: 0, ..policy });
        Submission { cache, source: Source::from(SOURCE.to_owned()), ..submission }
    };
    let record = queries.call_as(entered, parameters, None, by_whom).await?;
    if let Some(ended) = queries.shared.ended_in(entered.access(), &record.id) {
        ended.await;
    }
    Ok(())
}
