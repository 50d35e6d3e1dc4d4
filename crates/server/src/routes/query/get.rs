//! `GET /query/:id`, with `wait=SECONDS` as a long poll.

use rowhouse_model::{QueryId, Role};

use super::wait;
use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = QueryId::new(checked_id("query", id)?);
    let query = call.app.engine.queries().get(&access, &id).await?;
    json(&wait::for_end(call, &access, query).await?)
}
