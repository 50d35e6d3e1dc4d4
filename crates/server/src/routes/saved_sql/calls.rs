//! `GET /sql/:id/calls`: statistics of an endpoint's calls in the last day (D120).

use rowhouse_model::{Role, SavedSqlId};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = SavedSqlId::new(checked_id("saved SQL", id)?);
    json(&call.app.engine.saved_sql().calls(&access, &id).await?)
}
