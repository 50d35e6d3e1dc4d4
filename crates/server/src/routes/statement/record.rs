//! `GET /v1/query/:id`: a statement as Trino's tools show it.

use rowhouse_engine::{Access, ErrorKind, Principal, QueryRecord};
use rowhouse_model::{QueryId, Role, WorkspaceId};
use serde_json::json;

use super::address::base;
use super::protocol::stats_of;
use crate::call::{Call, checked_id};
use crate::error::{Error, Result};
use crate::response::{Answer, json};

pub(crate) async fn answer(call: &Call, id: &str) -> Result<Answer> {
    let principal = call.protocol_principal()?;
    let id = QueryId::new(checked_id("query", id)?);
    let (access, record) = find(call, &principal, &id).await?;
    call.note.workspace(access.workspace.id.as_str());
    let error = record.error.as_ref();
    json(&json!({
        "queryId": record.id.as_str(),
        "state": record.status.map(|status| status.as_str()),
        "self": format!("{}/v1/query/{}", base(call), record.id.as_str()),
        "query": record.sql,
        "session": {
            "user": record.user_id,
            "source": record.source,
            "catalog": rowhouse_engine::OWN_CATALOG,
            "schema": access.workspace.sql_name,
        },
        "queryStats": stats_of(&record, false),
        "errorType": error.map(|error| error.error_type),
        "errorCode": error.map(|error| json!({
            "code": error.error_code,
            "name": error.error_name,
            "type": error.error_type,
        })),
        "failureInfo": error.map(|error| json!({"message": error.message})),
    }))
}

/// A statement of any workspace that the caller may query.
pub(in crate::routes) async fn find(
    call: &Call,
    principal: &Principal,
    id: &QueryId,
) -> Result<(Access, QueryRecord)> {
    let engine = &call.app.engine;
    for workspace in engine.workspaces().list(principal) {
        if workspace.role < Role::Analyst {
            continue;
        }
        let workspace_id = WorkspaceId::new(workspace.id.as_str());
        let access = engine.workspaces().access_to_search(principal, &workspace_id)?;
        match engine.queries().get_shared(&access, id).await {
            Ok(record) => return Ok((engine.workspaces().access(principal, &workspace_id)?, record)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Engine(rowhouse_engine::Error::new(ErrorKind::NotFound, "Query not found")))
}
