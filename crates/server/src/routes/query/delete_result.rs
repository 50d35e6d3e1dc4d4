//! `DELETE /query/:id/result`: deletes the result and keeps the record; idempotent.

use rowhouse_model::{QueryId, Role};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = QueryId::new(checked_id("query", id)?);
    let queries = call.app.engine.queries();
    // Before the change, whose answer is sent in any case.
    let record = queries.get_shared(&access, &id).await?;
    call.reserve_answer([record.sql.as_deref(), Some(record.columns_json()?)])?;
    drop(record);
    json(&queries.delete_result(&access, &id).await?)
}
