//! `POST /v1/statement`: a statement in its client's session, or a change of the session.

use bytes::Bytes;
use http::HeaderMap;
use rowhouse_engine::{
    Access, ClientSession, ErrorKind, INFORMATION_SCHEMA, OWN_CATALOG, Principal, Purpose, SYSTEM_CATALOG,
    SYSTEM_SCHEMAS, SessionChange, SessionRequest, StatementLink, Submission, TPCH_CATALOG,
};
use rowhouse_model::{ErrorCode, QueryError, QueryStatus, Role, StatementParameters, WorkspaceId};

use super::address::{Address, address_of_error, answered, base};
use super::failure::Failure;
use super::protocol::{Results, stats_of, stats_of_state};
use super::{headers, segments};
use crate::call::Call;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::response::{Answer, HeldBack};

pub(crate) async fn answer(call: &mut Call) -> Result<Answer> {
    call.note.action("statement");
    let principal = call.protocol_principal()?;
    call.body_memory = call.body.reserve(&call.app.answer_memory.portion(&Share::of(&call.note))).await?;
    let body: Bytes = call.body.read().await?;
    let text = std::str::from_utf8(&body).map_err(|_| Error::invalid("the statement is not UTF-8"))?;
    if text.trim().is_empty() {
        return Err(Error::invalid("SQL statement is empty"));
    }
    let session = headers::session(&call.headers)?;
    match statement(call, &principal, &session, text).await {
        Ok(answer) => Ok(answer),
        Err(Failure::Request(error)) => Err(error),
        Err(Failure::Statement(error)) => Ok(failed(call, &error)),
        Err(Failure::Limited(error, delay)) => {
            let mut answer = failed(call, &error);
            answer.extensions_mut().insert(HeldBack(delay));
            Ok(answer)
        }
    }
}

async fn statement(
    call: &Call,
    principal: &Principal,
    session: &ClientSession,
    text: &str,
) -> Result<Answer, Failure> {
    let access = home(call, principal, session, text)?;
    call.note.workspace(access.workspace.id.as_str());
    let is_cluster = access.workspace.engine.is_trino();
    session.check(is_cluster)?;
    match session.request(text, is_cluster)? {
        SessionRequest::Run { sql, prefix } => run(call, &access, session, sql, prefix).await,
        SessionRequest::Change { update_type, change } => {
            changed(call, principal, &access, update_type, change).await
        }
        SessionRequest::KillQuery { query_id, message } => {
            match call.app.engine.queries().kill(&access, &query_id, message.as_deref()).await? {
                Ok(()) => {}
                // The id may be that of a statement of the cluster that this server did not submit.
                Err(error) if is_cluster && error.error_code == ErrorCode::NotFound.number() => {
                    return run(call, &access, session, text.to_owned(), 0).await;
                }
                Err(error) => return Err(error.into()),
            }
            let results = unrecorded(call).columns(Vec::new()).stats(stats_of_state("FINISHED"));
            Ok(answered(results.update_type("CALL")))
        }
    }
}

/// The workspace in which the session's statements run: the one that its property names, or that its schema names, else the
/// first that the caller may query. A schema that is none of the caller's workspaces does not exist, which a statement may
/// never use; a property that names none is an error.
fn home(call: &Call, principal: &Principal, session: &ClientSession, text: &str) -> Result<Access, Failure> {
    let workspaces = call.app.engine.workspaces();
    if let Some(name) = session.workspace() {
        match named(call, principal, name)? {
            Some(access) => return Ok(access),
            None if ClientSession::changes_workspace(text) => {}
            None => return Err(no_workspace(name)),
        }
    }
    if let Some(name) = session.workspace_of_schema()
        && let Some(access) = named(call, principal, name)?
    {
        return Ok(access);
    }
    let first = workspaces.list(principal).into_iter().find(|workspace| workspace.role >= Role::Analyst);
    let first = first.ok_or_else(|| {
        let message = "the token's owner may not query any workspace";
        QueryError::new(ErrorCode::PermissionDenied, message)
    })?;
    Ok(workspaces.access(principal, &WorkspaceId::new(first.id.as_str()))?)
}

/// The caller's workspace of a name; none if there is none, or if it is not the caller's.
fn named(call: &Call, principal: &Principal, name: &str) -> Result<Option<Access>, Failure> {
    match call.app.engine.workspaces().access_by_sql_name(principal, name) {
        Ok(access) => {
            access.require(Role::Analyst)?;
            Ok(Some(access))
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(None),
        // A limit, which must not make the statement run elsewhere.
        Err(error) => Err(error.into()),
    }
}

/// The same for a workspace that does not exist and for one that is not the caller's (D87).
fn no_workspace(name: &str) -> Failure {
    let name = rowhouse_model::excerpt(name);
    let message =
        format!("workspace is invalid: '{name}'; this session's owner has no workspace with that SQL name");
    Failure::Statement(QueryError::new(ErrorCode::InvalidSessionProperty, message))
}

async fn run(
    call: &Call,
    access: &Access,
    session: &ClientSession,
    sql: String,
    prefix: u32,
) -> Result<Answer, Failure> {
    let is_cluster = access.workspace.engine.is_trino();
    let submission = Submission {
        sql,
        parameters: StatementParameters::default(),
        cache: session.cache(),
        source: headers::source(&call.headers),
        saved_sql: None,
        purpose: Purpose::Result,
        session: session.for_statement(&access.workspace.sql_name, is_cluster),
        lists_other_workspaces: true,
        max_run_time: session.max_run_time(),
        awaits_end: false,
    };
    let submitted = call.app.engine.queries().submit_shared(access, submission);
    let record = call.while_client_waits(submitted).await??;
    call.note.query(record.id.as_str(), record.status.map_or("QUEUED", QueryStatus::as_str));
    call.note.others(record.other_workspaces.as_deref());
    let link = StatementLink {
        query_id: record.id.clone(),
        workspace_id: access.workspace.id.clone(),
        account_id: access.account_id().clone(),
        token_id: access.principal.token_id.clone(),
        prefix,
        knows_precisions: headers::knows_precisions(&call.headers),
        encoding: segments::encoding_of(&call.headers, call.is_local()).filter(|_| session.takes_segments()),
    };
    let address = Address::of(call, &link);
    let results = Results::new(record.id.as_str(), &address.info());
    // An error is returned by the next answer, too.
    let stats = if record.error.is_some() { stats_of_state("QUEUED") } else { stats_of(&record, true) };
    Ok(answered(results.next(address.at("queued", 0)).stats(stats)))
}

/// Checks a change of the session and returns it.
async fn changed(
    call: &Call,
    principal: &Principal,
    access: &Access,
    update_type: &str,
    change: SessionChange,
) -> Result<Answer, Failure> {
    if let Some(name) = change.workspace() {
        named(call, principal, name)?.ok_or_else(|| no_workspace(name))?;
    }
    match &change {
        SessionChange::Use { catalog, schema } => {
            check_schema(call, principal, access, catalog, schema).await?
        }
        SessionChange::AddPrepared { statement, .. } if !access.workspace.engine.is_trino() => {
            let checked = call.app.engine.queries().check_prepared(access, statement);
            call.while_client_waits(checked).await???;
        }
        _ => {}
    }
    let transaction = transaction_id()?;
    let changes = headers::session_headers(&change, &transaction)?;
    let results = unrecorded(call).columns(Vec::new()).stats(stats_of_state("FINISHED"));
    let mut answer = answered(results.update_type(update_type));
    let headers: &mut HeaderMap = answer.headers_mut();
    headers.extend(changes);
    Ok(answer)
}

/// Checks that the schema exists, because `USE` reports it at once.
async fn check_schema(
    call: &Call,
    principal: &Principal,
    access: &Access,
    catalog: &str,
    schema: &str,
) -> Result<(), Failure> {
    let engine = &call.app.engine;
    let missing = || {
        let message = format!("Schema does not exist: {catalog}.{schema}");
        Failure::Statement(QueryError::new(ErrorCode::NotFound, message))
    };
    if schema == INFORMATION_SCHEMA && matches!(catalog, OWN_CATALOG | TPCH_CATALOG | SYSTEM_CATALOG) {
        return Ok(());
    }
    if catalog == OWN_CATALOG {
        let is_own = engine.workspaces().list(principal).iter().any(|workspace| workspace.sql_name == schema);
        return if is_own { Ok(()) } else { Err(missing()) };
    }
    if catalog == SYSTEM_CATALOG {
        return if SYSTEM_SCHEMAS.contains(&schema) { Ok(()) } else { Err(missing()) };
    }
    let Some(schemas) = engine.tables().schemas(access, catalog).await? else {
        let message = format!("Catalog '{catalog}' not found");
        return Err(QueryError::new(ErrorCode::CatalogNotFound, message).into());
    };
    let is_there = schemas.iter().any(|known| known == schema);
    if is_there { Ok(()) } else { Err(missing()) }
}

/// A statement that fails before it has a record.
fn failed(call: &Call, error: &QueryError) -> Answer {
    let id = call.app.request_ids.next();
    let results = Results::new(&id, &format!("{}/", base(call)));
    answered(match address_of_error(call, &id, error) {
        Some(address) => results.next(address).stats(stats_of_state("QUEUED")),
        None => results.stats(stats_of_state("FAILED")).error(error),
    })
}

/// An answer for a statement without a record.
fn unrecorded(call: &Call) -> Results {
    let id = call.app.request_ids.next();
    Results::new(&id, &format!("{}/", base(call)))
}

/// A random UUID of version 4.
fn transaction_id() -> Result<String, Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::Internal(format!("no random numbers: {error}")))?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    Ok(parts.join("-"))
}
