//! `DELETE /sql/:id`.

use rowhouse_model::{Role, SavedSqlId};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, done};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = SavedSqlId::new(checked_id("saved SQL", id)?);
    call.app.engine.saved_sql().delete(&access, &id).await?;
    Ok(done())
}
