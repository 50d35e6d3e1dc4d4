//! `GET /catalog`: what a statement may name, for editors that complete.

use rowhouse_model::Role;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    json(&call.app.engine.tables().catalog(&access).await?)
}
