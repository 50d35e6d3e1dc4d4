//! `GET /accounts`: for admins and owners (D6).

use rowhouse_engine::json_list;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use crate::routes::list;

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let principal = call.principal()?;
    let accounts = call.app.engine.accounts().list(&principal)?;
    list::answer(call, move || Ok(json_list(accounts))).await
}
