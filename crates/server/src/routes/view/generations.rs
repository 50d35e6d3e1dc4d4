//! `GET /materializedView/:id/generations`: the results of the newest refreshes (D55).

use rowhouse_model::{Role, ViewId};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = ViewId::new(checked_id("view", id)?);
    json(&call.app.engine.views().generations(&access, &id).await?)
}
