//! `POST /sql/:id`: submits a saved SQL. Invalid SQL gives a FAILED query, not an error (D4).

use rowhouse_engine::{Purpose, Submission};
use rowhouse_model::{Role, SavedSqlId};

use crate::call::{Call, checked_id};
use crate::error::Result;
use crate::response::Answer;
use crate::routes::query::submit::{parameters, session, source};
use crate::routes::query::submitted::{self, ResponseOptions};

pub(crate) async fn answer(call: &mut Call, id: &str) -> Result<Answer> {
    let (access, object) = call.access_by_body(Role::Analyst).await?;
    let id = SavedSqlId::new(checked_id("saved SQL", id)?);
    let engine = &call.app.engine;
    let wanted = ResponseOptions::of(call, &object)?;
    let saved_sql = engine.saved_sql().get(&access, &id).await?;
    let submission = Submission {
        sql: saved_sql.sql,
        parameters: parameters(&object)?,
        cache: None,
        source: source(&object)?,
        saved_sql: Some(id),
        purpose: Purpose::Result,
        session: session(&object, &access)?,
        max_run_time: None,
        awaits_end: wanted.awaits_end(),
        lists_other_workspaces: false,
    };
    submitted::submit(call, &access, submission, &object, wanted).await
}
