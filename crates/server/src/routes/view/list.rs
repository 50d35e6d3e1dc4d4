//! `GET /materializedViews`: for everyone in the workspace (D6).

use std::sync::Arc;

use rowhouse_model::Role;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use crate::routes::list;

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let access = call.access_by_query(Role::Consumer)?;
    let engine = Arc::clone(&call.app.engine);
    list::answer(call, move || Ok(engine.views().list(&access)?)).await
}
