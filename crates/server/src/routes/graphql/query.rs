//! Statements by GraphQL: the same records as by REST.

use rowhouse_engine::{
    Envelope, ErrorKind, Principal, QueryRecord, RowFormat, RowSelection, RowShape, Submission, encode_in,
};
use rowhouse_model::{QueryId, Role, StatementId};
use serde_json::{Map, Value, json};

use super::document::Field;
use super::failure::Failure;
use super::fields::ObjectType;
use crate::call::{Call, checked_id};
use crate::compress::Coding;
use crate::encoders::Share;
use crate::error::Error;
use crate::response::{Answer, JSON, add_vary};
use crate::routes::query::submit::{cache, source};
use crate::routes::{row_format, statement};
use crate::stream::{self, RowsHead};

pub(super) const SQL_QUERY: ObjectType = ObjectType {
    name: "SqlQuery",
    scalars: &[
        "id",
        "status",
        "error",
        "location",
        "statementId",
        "rowCount",
        "columns",
        "sql",
        "workspaceId",
        "workspaceSqlName",
        "accountId",
        "userId",
        "userType",
        "startedAt",
        "duration",
        "fromCache",
        "source",
        "queryStats",
        "outputStage",
        "dataFormat",
    ],
    nested: None,
};

pub(super) const SQL_RESULT: ObjectType =
    ObjectType { name: "SqlResultPagination", scalars: &["result"], nested: None };

pub(super) const STATEMENT: ObjectType = ObjectType { name: "Statement", scalars: &["id"], nested: None };

/// `createSqlQuery(data: {sql, cacheRefresh, cacheTTL, source}, where: {workspaceId})`.
pub(super) async fn create(call: &Call, principal: &Principal, field: &Field) -> Result<Answer, Failure> {
    call.note.action("statement");
    let (data, place) = (field.object("data")?, field.object("where")?);
    let access = call.access(principal, &place.required_text("workspaceId")?, Role::Analyst)?;
    call.note.body(&data);
    let submission = Submission {
        cache: cache(&data)?,
        source: source(&data)?,
        ..Submission::new(data.required_text("sql")?)
    };
    call.reserve_answer([Some(submission.sql.as_str())])?;
    let submitted = call.app.engine.queries().submit_shared(&access, submission);
    shown(field, &call.while_client_waits(submitted).await??)
}

/// `sqlQuery(where: {id})`, of any workspace that the caller may query.
pub(super) async fn get(call: &Call, principal: &Principal, field: &Field) -> Result<Answer, Failure> {
    let id = field.object("where")?.required_text("id")?;
    let id = QueryId::new(checked_id("query", &id)?);
    let (access, record) = statement::record::find(call, principal, &id).await?;
    call.note.workspace(access.workspace.id.as_str());
    shown(field, &record)
}

fn shown(field: &Field, record: &QueryRecord) -> Result<Answer, Failure> {
    let fields: Map<String, Value> = serde_json::from_slice(&record.json()?)
        .map_err(|error| Error::Internal(format!("reading a record: {error}")))?;
    super::answered(field, &SQL_QUERY, Value::Object(fields))
}

/// `sqlResultPagination(where: {id, limit, offset})`: rows as arrays, as pages of the result have them.
pub(super) async fn rows(call: &Call, principal: &Principal, field: &Field) -> Result<Answer, Failure> {
    call.note.action("result");
    let [selected] = field.selection.as_slice() else {
        return Err(Failure::invalid("of SqlResultPagination one field can be selected, result"));
    };
    let page = field.object("where")?;
    let id = page.required_text("id")?;
    let id = QueryId::new(checked_id("query", &id)?);
    let limit = row_format::capped(call, page.optional_count("limit")?)?;
    let offset = page.optional_count("offset")?.unwrap_or(0);
    let (access, record) = statement::record::find(call, principal, &id).await?;
    call.note.workspace(access.workspace.id.as_str());
    let result = call.app.engine.queries().result_of(&access, record).await?;
    let envelope = Envelope {
        prefix: format!("{{\"data\":{{{}:{{{}:", json!(field.key), json!(selected.key)).into_bytes(),
        suffix: b"}}}".to_vec(),
    };
    let head = RowsHead {
        content_type: JSON,
        coding: Coding::of(&call.headers),
        memory: call.app.answer_memory.clone(),
    };
    let open = move || {
        let (selection, shape) = (RowSelection::Range { offset, limit }, RowShape::Arrays);
        Ok(encode_in(result.file, result.record.projection(), selection, shape, RowFormat::Json, envelope)?)
    };
    let (encoders, share) = (&call.app.encoders, Share::of(&call.note));
    let mut answer = stream::rows(encoders, share, head, 0, stream::opened_once(open)).await?;
    add_vary(&mut answer);
    Ok(answer)
}

/// `deleteStatement(where: {id})`: cancels the caller's queries of the run with this id. An ended or unknown statement
/// is not an error.
pub(super) async fn delete_statement(
    call: &Call,
    principal: &Principal,
    field: &Field,
) -> Result<Answer, Failure> {
    call.note.action("statement");
    let id = field.object("where")?.required_text("id")?;
    let id = StatementId::new(checked_id("statement", &id)?);
    let engine = &call.app.engine;
    for (workspace, query) in engine.queries().of_statement(&principal.account.id, &id) {
        let access = call.access(principal, workspace.as_str(), Role::Analyst)?;
        match engine.queries().cancel_shared(&access, &query).await {
            // Its retention has passed.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            canceled => drop(canceled?),
        }
    }
    super::answered(field, &STATEMENT, json!({"id": id.as_str()}))
}
