//! `GET /tables`.

use rowhouse_model::Role;

use crate::call::Call;
use crate::error::Result;
use crate::response::Answer;
use crate::routes::long_answer;

pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let access = call.access_by_query(Role::Analyst)?;
    let tables = call.app.engine.tables().list(&access).await?;
    long_answer::answer(call, tables).await
}
