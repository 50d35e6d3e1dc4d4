//! `GET /sqls`: oldest first (D28).

use std::sync::Arc;

use rowhouse_model::Role;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use crate::routes::list;

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let engine = Arc::clone(&call.app.engine);
    list::answer(call, move || Ok(engine.saved_sql().list(&access)?)).await
}
