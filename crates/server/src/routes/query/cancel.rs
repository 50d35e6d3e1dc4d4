//! `PUT /query/:id/cancel`: idempotent (D10).

use rowhouse_model::{QueryId, Role};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (access, _) = call.access_by_body(Role::Analyst).await?;
    let id = QueryId::new(checked_id("query", id)?);
    json(&call.app.engine.queries().cancel(&access, &id).await?)
}
