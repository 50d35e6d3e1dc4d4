//! `GET /sqls`: oldest first (D28).

use rowhouse_model::Role;

use crate::call::Call;
use crate::error::Result;
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    json(&call.app.engine.saved_sql().list(&access).await?)
}
