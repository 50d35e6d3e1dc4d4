//! A statement that a tool runs: the call waits for it up to the time limit, and ending the call ends the statement.

use std::time::Duration;

use rowhouse_engine::{EndpointAccess, Error as EngineError, ErrorKind, QueryRecord, Result as EngineResult};
use rowhouse_model::{ErrorCode, QueryStatus, Role};

use super::super::scope::Scope;
use crate::error::{Error, Result};
use crate::tool_calls::ToolCall;

/// The source of the records (D14).
pub(in crate::routes::mcp) const SOURCE: &str = "MCP";

/// The right by which a statement runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Right<'e> {
    Endpoint(&'e EndpointAccess),
    Role,
}

/// The end of a tool call before its rows.
enum Ended {
    Record(QueryRecord),
    TooLong,
    Canceled,
    Stopped,
}

/// The record of a statement that is being submitted. If the client disconnects meanwhile, an accepted statement is
/// canceled, because no call waits for its end.
///
/// # Errors
/// Why there is no record.
pub(super) async fn submitted(
    scope: &Scope<'_>,
    right: Right<'_>,
    submitting: impl Future<Output = EngineResult<QueryRecord>>,
) -> Result<QueryRecord> {
    let mut submitting = std::pin::pin!(submitting);
    match scope.call.while_client_waits(submitting.as_mut()).await {
        Ok(record) => Ok(record?),
        Err(gone) => {
            // This does not take long: parsing and planning have time limits.
            let record = submitting.await?;
            canceled(scope, right, &record).await?;
            Err(gone)
        }
    }
}

async fn canceled(scope: &Scope<'_>, right: Right<'_>, record: &QueryRecord) -> Result<()> {
    let queries = scope.call.app.engine.queries();
    match right {
        Right::Endpoint(entered) => queries.cancel_call(entered, record).await?,
        Right::Role => drop(queries.cancel_shared(&scope.access, &record.id).await?),
    }
    Ok(())
}

/// The record once it is final. The statement is canceled if the call is canceled, its client disconnects, or the call
/// takes too long.
///
/// # Errors
/// Why there is no final record.
pub(super) async fn ended(
    scope: &Scope<'_>,
    right: Right<'_>,
    record: QueryRecord,
    under_way: &ToolCall,
) -> Result<QueryRecord> {
    let timeout = scope.config.timeout;
    let note = &scope.call.note;
    let note_status = |record: &QueryRecord| {
        let status = record.status.map_or("", QueryStatus::as_str);
        note.query(record.id.as_str(), status);
    };
    let waited = async {
        let waited = std::pin::pin!(waited(scope, right, record.clone(), timeout));
        let notifications = std::pin::pin!(send_progress(scope, right, &record));
        tokio::select! {
            ended = waited => Ok(match ended? {
                ended if ended.status.is_some_and(QueryStatus::is_final) => Ended::Record(ended),
                _ => Ended::TooLong,
            }),
            () = under_way.canceled() => Ok::<_, Error>(Ended::Canceled),
            () = scope.call.app.stopped() => Ok(Ended::Stopped),
            error = notifications => Err(error),
        }
    };
    let refused = match scope.call.while_client_waits(waited).await {
        Ok(Ok(Ended::Record(ended))) => {
            note_status(&ended);
            return Ok(ended);
        }
        Ok(Ok(Ended::Stopped)) => Error::ShuttingDown,
        Ok(Ok(Ended::Canceled)) => {
            statement_error(ErrorCode::UserCanceled, "the call was canceled".to_owned())
        }
        Ok(Ok(Ended::TooLong)) => {
            let seconds = timeout.as_secs_f64();
            let message =
                format!("the statement took longer than {seconds} s (mcp.timeout) and was canceled");
            statement_error(ErrorCode::ExceededTimeLimit, message)
        }
        Ok(Err(error)) | Err(error) => error,
    };
    note_status(&record);
    if !matches!(refused, Error::ShuttingDown) {
        canceled(scope, right, &record).await?;
    }
    Err(refused)
}

/// Sends progress notifications of the statement; returns only with an error.
async fn send_progress(scope: &Scope<'_>, right: Right<'_>, record: &QueryRecord) -> Error {
    loop {
        let progress = scope.due().await;
        let now = match waited(scope, right, record.clone(), Duration::ZERO).await {
            Ok(now) => now,
            Err(error) => return error,
        };
        let status = now.status.map_or("", QueryStatus::as_str);
        let rows = now.query_stats.as_ref().map_or(0, |stats| stats.processed_rows);
        progress.notify(&if rows == 0 { status.to_owned() } else { format!("{status}, {rows} rows") });
    }
}

async fn waited(
    scope: &Scope<'_>,
    right: Right<'_>,
    record: QueryRecord,
    at_most: Duration,
) -> Result<QueryRecord> {
    let queries = scope.call.app.engine.queries();
    Ok(match right {
        Right::Endpoint(entered) => queries.wait_for_call(entered, record, at_most).await?,
        Right::Role => {
            scope.access.require(Role::Analyst)?;
            queries.wait_shared(&scope.access, &record.id, at_most).await?
        }
    })
}

fn statement_error(code: ErrorCode, message: String) -> Error {
    Error::Engine(EngineError::new(ErrorKind::Statement(code), message))
}
