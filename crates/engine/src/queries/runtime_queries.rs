//! A workspace's statements as rows of `system.runtime.queries`.

use rowhouse_model::{Query, QueryStatus, Timestamp, WorkspaceId};

use super::Shared;
use crate::accounts::Principal;
use crate::error::{Error, Result};
use crate::store::query_records;
use rowhouse_executor::catalog::RuntimeQuery;

/// Maximum number of rows: the newest statements.
const MAX_QUERIES: u64 = 1_000;
/// A longer text is NULL.
const MAX_TEXT_BYTES: usize = 64 << 10;
/// Maximum bytes of all texts; those of older statements are NULL.
const MAX_TEXTS_BYTES: usize = 8 << 20;

/// The newest statements of a workspace, the newest first. Blocking.
pub(super) fn newest(
    shared: &Shared,
    workspace_id: &WorkspaceId,
    principal: &Principal,
) -> Result<Vec<RuntimeQuery>> {
    let places = shared
        .store
        .read(|connection| query_records::places(connection, workspace_id, None, 0, MAX_QUERIES))?;
    let mut queries = Vec::with_capacity(places.len());
    let mut left = MAX_TEXTS_BYTES;
    for place in places {
        let held = shared.state().look_up(workspace_id, &place.id, shared.clock.monotonic());
        let query = match held {
            Some(record) => shared.shown_to(principal, record).to_query(),
            None => {
                let mut json = Vec::new();
                let read = |json: &mut Vec<u8>| {
                    shared.store.read(|connection| query_records::append(connection, place.seq, json))
                };
                // Its retention may have passed meanwhile.
                if !read(&mut json)? {
                    continue;
                }
                shared.show_json_to(principal, &mut json, 0)?;
                serde_json::from_slice(&json)
                    .map_err(|error| Error::internal("reading a query's record", error))?
            }
        };
        queries.push(row(query, &mut left));
    }
    Ok(queries)
}

fn row(query: Query, left: &mut usize) -> RuntimeQuery {
    let sql = query.sql.filter(|sql| sql.len() <= MAX_TEXT_BYTES.min(*left));
    *left -= sql.as_ref().map_or(0, String::len);
    let status = query.status.unwrap_or(QueryStatus::Queued);
    let ended = query.started_at.zip(query.duration).filter(|_| status.is_final());
    RuntimeQuery {
        id: query.id.as_str().to_owned(),
        state: status.as_str().to_owned(),
        user: query.user_id,
        source: query.source.map(String::from),
        sql,
        created: query.started_at,
        ended: ended.map(|(started, duration)| {
            let duration = i64::try_from(duration).unwrap_or(i64::MAX);
            Timestamp::from_millis(started.as_millis().saturating_add(duration))
        }),
        stats: query.query_stats,
        error: query.error.map(|error| (error.error_type.as_str().to_owned(), error.error_name)),
    }
}
