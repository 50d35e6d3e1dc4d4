//! `GET /workspaces`: those that the caller may enter.

use rowhouse_engine::json_list;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use crate::routes::list;

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let principal = call.principal()?;
    let workspaces = call.app.engine.workspaces().list(&principal);
    list::answer(call, move || Ok(json_list(workspaces))).await
}
