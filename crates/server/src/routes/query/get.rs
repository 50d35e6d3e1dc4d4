//! `GET /query/:id`, with `wait=SECONDS` as a long poll.

use rowhouse_model::{QueryId, Role};

use super::wait;
use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, JSON, whole};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = QueryId::new(checked_id("query", id)?);
    let record = call.app.engine.queries().get_shared(&access, &id).await?;
    Ok(whole(JSON, wait::for_end(call, &access, record).await?.json()?))
}
