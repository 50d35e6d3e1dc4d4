//! `PUT /query/:id/cancel`: idempotent (D10).

use rowhouse_model::{QueryId, QueryStatus, Role};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json, unchanged};

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (access, _) = call.access_by_body(Role::Analyst).await?;
    let id = QueryId::new(checked_id("query", id)?);
    let queries = call.app.engine.queries();
    let is_ended = queries.get_shared(&access, &id).await?.status.is_some_and(QueryStatus::is_final);
    let answer = json(&queries.cancel(&access, &id).await?)?;
    Ok(if is_ended { unchanged(answer) } else { answer })
}
