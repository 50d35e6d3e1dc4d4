//! `PUT /query/:id/cancel`: idempotent (D10).

use std::time::Duration;

use rowhouse_model::{QueryId, QueryStatus, Role};

use super::get::recorded;
use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, JSON, unchanged, whole};

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (access, _) = call.access_by_body(Role::Analyst).await?;
    let id = QueryId::new(checked_id("query", id)?);
    let queries = call.app.engine.queries();
    // Without a turn: what it changes must not wait for those who read.
    let record = queries.wait_shared(&access, &id, Duration::ZERO).await?;
    if record.status.is_some_and(QueryStatus::is_final) {
        return Ok(unchanged(recorded(call, record).await?));
    }
    Ok(whole(JSON, queries.cancel_shared(&access, &id).await?.json()?))
}
