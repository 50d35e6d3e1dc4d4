//! `wait=SECONDS`: the answer is held back until the query ends, for at most a minute (a longer wait is reduced to
//! that) and not beyond the server's shutdown.

use std::time::Duration;

use rowhouse_engine::{Access, QueryRecord};
use rowhouse_model::QueryStatus;

use crate::call::Call;
use crate::error::Result;

/// Maximum wait, shorter than the idle time-outs of common proxies and of this server.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The query when it ends, or after the wait of the query string.
pub(super) async fn for_end(call: &Call, access: &Access, query: QueryRecord) -> Result<QueryRecord> {
    let Some(seconds) = call.parameters.count("wait")? else { return Ok(query) };
    at_most(call, access, query, seconds).await
}

/// The query when it ends, or after this many seconds.
pub(super) async fn at_most(
    call: &Call,
    access: &Access,
    query: QueryRecord,
    seconds: u64,
) -> Result<QueryRecord> {
    let at_most = Duration::from_secs(seconds).min(MAX_WAIT);
    if at_most.is_zero() || query.status.is_some_and(QueryStatus::is_final) {
        return Ok(query);
    }
    let queries = call.app.engine.queries();
    tokio::select! {
        ended = queries.wait_shared(access, &query.id, at_most) => Ok(ended?),
        () = call.app.stopped() => Ok(queries.get_shared(access, &query.id).await?),
    }
}
