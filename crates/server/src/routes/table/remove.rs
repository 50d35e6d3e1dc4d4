//! `DELETE /table/:name`: for admins, and for owners if it is over uploaded files of the workspace; the files stay.

use rowhouse_model::Role;

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, done};

pub(crate) async fn answer(call: &Call, name: &str) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    call.app.engine.tables().remove(&access, checked_id("table", name)?).await?;
    Ok(done())
}
