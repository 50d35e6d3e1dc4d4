//! `DELETE` of a statement's address, or of `/v1/query/:id`: ends the statement; no effect if it has ended.

use http::StatusCode;
use rowhouse_model::QueryId;

use super::address::granted;
use super::record;
use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::{Answer, AnswerBody};

pub(crate) async fn answer(call: &Call, id: &str, slug: &str) -> Result<Answer> {
    call.note.action("statement");
    let (access, link) = granted(call, id, slug)?;
    call.app.engine.queries().cancel_shared(&access, &link.query_id).await?;
    Ok(nothing())
}

pub(crate) async fn by_id(call: &Call, id: &str) -> Result<Answer> {
    call.note.action("statement");
    let principal = call.protocol_principal()?;
    let id = QueryId::new(checked_id("query", id)?);
    let (access, _) = record::find(call, &principal, &id).await?;
    call.note.workspace(access.workspace.id.as_str());
    call.app.engine.queries().cancel_shared(&access, &id).await?;
    Ok(nothing())
}

fn nothing() -> Answer {
    let mut answer = Answer::new(AnswerBody::EMPTY);
    *answer.status_mut() = StatusCode::NO_CONTENT;
    answer
}
