//! `DELETE /materializedView/:id`.

use rowhouse_engine::Views;
use rowhouse_model::{Role, ViewId};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, done};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let id = ViewId::new(checked_id("view", id)?);
    // By its path, because `Arc` has a method of this name.
    Views::drop(call.app.engine.views(), &access, &id).await?;
    Ok(done())
}
