//! `wait=SECONDS`: an answer that is held back until the query ends, at most for a minute (a longer wait is
//! cut to that) and not past the shutdown of the server.

use std::time::Duration;

use rowhouse_engine::{Access, QueryRecord};
use rowhouse_model::QueryStatus;

use crate::call::Call;
use crate::error::Result;

/// The longest wait, shorter than the idle time-outs of common proxies and of this server.
const LONGEST: Duration = Duration::from_secs(60);

/// The query as it is when it ends, or when the wait that the query string asks for is over.
pub(super) async fn for_end(call: &Call, access: &Access, query: QueryRecord) -> Result<QueryRecord> {
    let Some(seconds) = call.parameters.count("wait")? else { return Ok(query) };
    at_most(call, access, query, seconds).await
}

/// The query as it is when it ends, or after so many seconds.
pub(super) async fn at_most(
    call: &Call,
    access: &Access,
    query: QueryRecord,
    seconds: u64,
) -> Result<QueryRecord> {
    let at_most = Duration::from_secs(seconds).min(LONGEST);
    if at_most.is_zero() || query.status.is_some_and(QueryStatus::is_final) {
        return Ok(query);
    }
    let queries = call.app.engine.queries();
    tokio::select! {
        ended = queries.wait(access, &query.id, at_most) => drop(ended?),
        () = call.app.stopped() => {}
    }
    Ok(queries.get_shared(access, &query.id).await?)
}
