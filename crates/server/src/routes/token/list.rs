//! `GET /tokens`: the caller's tokens, never their secrets.

use rowhouse_engine::json_list;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use crate::routes::list;

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let principal = call.principal()?;
    let tokens = call.app.engine.accounts().tokens(&principal)?;
    list::answer(call, move || Ok(json_list(tokens))).await
}
