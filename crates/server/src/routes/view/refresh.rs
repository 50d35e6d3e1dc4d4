//! `POST /materializedView/:id/refresh`: the answer is the Query object of the refresh.

use rowhouse_model::{Role, ViewId};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (access, _) = call.access_by_body(Role::Analyst).await?;
    let id = ViewId::new(checked_id("view", id)?);
    let views = call.app.engine.views();
    call.reserve_answer([Some(&*views.get(&access, &id).await?.sql)])?;
    json(&views.refresh(&access, &id).await?)
}
