//! `GET /query/:id`, with `wait=SECONDS` as a long poll.

use rowhouse_engine::QueryRecord;
use rowhouse_model::{QueryId, Role};

use super::wait;
use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, JSON, whole};
use crate::routes::long_answer;

/// Columns with more bytes take more than a moment to be written.
const LONG_COLUMNS_BYTES: usize = 64 << 10;

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = QueryId::new(checked_id("query", id)?);
    let record = call.app.engine.queries().get_shared(&access, &id).await?;
    recorded(call, wait::for_end(call, &access, record).await?).await
}

/// An answer with a record.
pub(super) async fn recorded(call: &Call, record: QueryRecord) -> Result<Answer> {
    if record.columns_bytes() <= LONG_COLUMNS_BYTES {
        return Ok(whole(JSON, record.json()?));
    }
    long_answer::bytes(call, move || Ok(record.json()?)).await
}
