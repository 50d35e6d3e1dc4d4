//! `GET /sql/:id/versions`: its versions, newest first (D121).

use rowhouse_model::{Role, SavedSqlId};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::Answer;
use crate::routes::long_answer;

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = SavedSqlId::new(checked_id("saved SQL", id)?);
    let versions = call.app.engine.saved_sql().versions(&access, &id).await?;
    long_answer::answer(call, versions).await
}
