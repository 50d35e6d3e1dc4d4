//! `GET /v1/statement/{queued|executing}/:id/:slug/:token`: the statement's state, and when it is finished its rows
//! from row `token` on. The address is the credential: its holder counts as the submitter of the statement.

use std::time::Duration;

use rowhouse_engine::{
    Access, Budget, ChunkSource, Envelope, Progress, QueryRecord, RowSelection, StatementLink, StoredResult,
    encode_for_trino, rows_within,
};
use rowhouse_model::QueryStatus;

use super::address::{Address, answered, base, forms_of, granted};
use super::failure::{Failure, known_place};
use super::protocol::{Results, columns_of, stats_of, stats_of_state};
use super::segments::{self, SegmentPage};
use crate::call::Call;
use crate::compress::Coding;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::parameters::shown;
use crate::response::{Answer, JSON, add_vary};
use crate::stream::{self, RowsHead};

/// Maximum wait of an answer for the statement, unless the client requests less.
const MAX_WAIT: Duration = Duration::from_secs(1);
/// Default bytes of rows in an answer.
const PAGE_BYTES: usize = 1 << 20;
const PAGE_BYTES_AT_LEAST: usize = 64 << 10;
const PAGE_BYTES_AT_MOST: usize = 16 << 20;

fn error_in_slug(call: &Call, id: &str, slug: &str) -> Option<Answer> {
    let text = call.app.engine.result_links().check_error_slug(id, slug)?;
    let error = serde_json::from_str(&text).ok()?;
    let results = Results::new(id, &format!("{}/", base(call)));
    Some(answered(results.stats(stats_of_state("FAILED")).error(&error)))
}

/// The first answer for a statement that may still be waiting: its first rows, once they exist.
pub(crate) async fn first(call: &Call, id: &str, slug: &str) -> Result<Answer> {
    if let Some(answer) = error_in_slug(call, id, slug) {
        return Ok(answer);
    }
    from_row(call, id, slug, 0).await
}

pub(crate) async fn answer(call: &Call, id: &str, slug: &str, token: &str) -> Result<Answer> {
    let row =
        token.parse().map_err(|_| Error::invalid(format!("{} is no page of a statement", shown(token))))?;
    from_row(call, id, slug, row).await
}

async fn from_row(call: &Call, id: &str, slug: &str, offset: u64) -> Result<Answer> {
    let (access, link) = granted(call, id, slug)?;
    let record = ended(call, &access, &link).await?;
    let address = Address::of(call, &link);
    let results = Results::new(link.query_id.as_str(), &address.info());
    match (record.status.unwrap_or(QueryStatus::Queued), &record.error) {
        (QueryStatus::Finished, _) => match rows(call, &access, record.clone(), address, &link, offset).await
        {
            Ok(answer) => Ok(answer),
            Err(Failure::Request(error)) => Err(error),
            Err(Failure::Statement(error)) => {
                Ok(answered(results.stats(stats_of(&record, false)).error(&error)))
            }
            Err(Failure::Limited(error, _)) => {
                Ok(answered(results.stats(stats_of(&record, false)).error(&error)))
            }
        },
        (QueryStatus::Failed, Some(error)) => {
            let error = known_place(error.clone(), link.prefix);
            Ok(answered(results.stats(stats_of(&record, false)).error(&error)))
        }
        (status, _) => {
            let phase = if status == QueryStatus::Running { "executing" } else { "queued" };
            let mut results = results.next(address.at(phase, 0));
            if !record.result_columns().is_empty() {
                let columns = columns_of(record.result_columns(), link.knows_precisions);
                results = results.columns(columns);
            }
            Ok(answered(results.stats(stats_of(&record, true))))
        }
    }
}

/// The record when it is final, or after the wait.
async fn ended(call: &Call, access: &Access, link: &StatementLink) -> Result<QueryRecord> {
    let queries = call.app.engine.queries();
    let record = queries.get_shared(access, &link.query_id).await?;
    if record.status.is_some_and(QueryStatus::is_final) {
        return Ok(record);
    }
    tokio::select! {
        ended = queries.wait_shared(access, &link.query_id, MAX_WAIT) => Ok(ended?),
        () = call.app.stopped() => Ok(queries.get_shared(access, &link.query_id).await?),
    }
}

/// The rows of a finished statement from one row on.
async fn rows(
    call: &Call,
    access: &Access,
    record: QueryRecord,
    address: Address,
    link: &StatementLink,
    offset: u64,
) -> Result<Answer, Failure> {
    call.note.action("result");
    call.note.others(record.other_workspaces.as_deref());
    let result = call.app.engine.queries().result_of(access, record.clone()).await?;
    let (info, knows_precisions) = (address.info(), link.knows_precisions);
    // Long columns take megabytes: they are made where they are written.
    let results = move |record: &QueryRecord| {
        let columns = columns_of(record.result_columns(), knows_precisions);
        Results::new(record.id.as_str(), &info).columns(columns)
    };
    let row_count = result.row_count();
    if offset >= row_count {
        return Ok(answered(results(&record).stats(stats_of(&record, false))));
    }
    let page_bytes = page_bytes(call)?;
    if let Some(SegmentPage { data, end }) =
        segments::page(call, link, &address, &result, (offset, page_bytes)).await?
    {
        let is_last = end >= row_count;
        let results = results(&record);
        let results = if is_last { results } else { results.next(address.at("executing", end)) };
        return Ok(answered(results.stats(stats_of(&record, !is_last)).data(data)));
    }
    let head = RowsHead {
        content_type: JSON,
        coding: Coding::of(&call.headers),
        memory: call.app.answer_memory.clone(),
    };
    drop(record);
    let mut open = Some(result);
    let source = move |budget: &mut Budget| -> Result<Progress<Box<dyn ChunkSource>>> {
        let Some(StoredResult { file, record }) = open.take() else {
            return Err(Error::Internal("a page was opened twice".to_owned()));
        };
        let limit = rows_within(&file, record.projection().columns(), offset, page_bytes, budget)?;
        let results = results(&record);
        let end = offset + limit;
        let is_last = end >= row_count;
        let results = if is_last { results } else { results.next(address.at("executing", end)) };
        let (prefix, suffix) = results.stats(stats_of(&record, !is_last)).around_data();
        let selection = RowSelection::Range { offset, limit };
        let envelope = Envelope { prefix, suffix };
        let forms = forms_of(&record, knows_precisions);
        Ok(Progress::Done(encode_for_trino(file, record.projection(), forms, selection, envelope)?))
    };
    let share = Share::of(&call.note);
    let mut answer = stream::rows(&call.app.encoders, share, head, 0, source).await?;
    add_vary(&mut answer);
    Ok(answer)
}

/// `targetResultSize`: `1MB` or a number of bytes.
fn page_bytes(call: &Call) -> Result<usize> {
    let Some(text) = call.parameters.optional("targetResultSize")? else { return Ok(PAGE_BYTES) };
    let unit_start = text.find(|character: char| character.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_start);
    let factor = match unit {
        "" | "B" => 1.0,
        "kB" => 1024.0,
        "MB" => 1024.0 * 1024.0,
        "GB" => 1024.0 * 1024.0 * 1024.0,
        _ => f64::NAN,
    };
    let bytes = number.trim().parse::<f64>().map_or(f64::NAN, |number| number * factor);
    if !bytes.is_finite() || bytes < 0.0 {
        return Err(Error::invalid(format!(
            "parameter targetResultSize: expected a size such as 1MB, found {text:?}"
        )));
    }
    Ok((bytes as usize).clamp(PAGE_BYTES_AT_LEAST, PAGE_BYTES_AT_MOST))
}
