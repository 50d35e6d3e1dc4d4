//! A statement from its submission to its last row. Pages are fetched on the reactor while a separate thread decodes
//! the previous one, so that network and processor work concurrently and at most three pages are in memory; likewise
//! for spooled rows. Of large pages and segments one is in memory.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;
use rowhouse_model::{Column, QueryError, StatementId};
use tokio::sync::mpsc;

use super::connection::Connection;
use super::decode::{Input, Output, decode, malformed};
use super::failure::{external, internal};
use super::page::{self, Found, Head};
use super::page_memory::{LARGE_PAGE_BYTES, PageMemory};
use super::spool::Spool;
use super::under_way::UnderWay;
use super::wire;
use rowhouse_executor::{BoxFuture, EventSink, Execution, ExecutionEvent};

const DECODING: &str = "decoding Trino's pages";

/// Runs a statement into a file; a failed statement leaves none. Dropping the future cancels it at Trino and removes
/// the file.
pub(super) async fn run(
    connection: &Arc<Connection>,
    under_way: UnderWay,
    sql: &str,
    headers: &HeaderMap,
    output: PathBuf,
    events: EventSink,
) -> Result<Execution, QueryError> {
    let memory = Arc::new(PageMemory::of_statement(&connection.large_pages));
    let first = connection.submit(sql, headers, &memory).await?;
    // One page is queued while one is decoded and one is fetched.
    let (inputs, taken) = mpsc::channel(1);
    let (outputs, decoded) = mpsc::channel(4);
    let name = connection.name.clone();
    let decoder = tokio::task::spawn_blocking(move || decode(&name, &output, taken, &outputs));
    let outcome = drain(connection, &memory, under_way, first, inputs, decoded, events).await;
    decoder.await.map_err(|error| internal(DECODING, &error))?;
    outcome
}

/// Passes a statement's pages and segments from the cluster to the decoder, until the last.
async fn drain(
    connection: &Arc<Connection>,
    memory: &Arc<PageMemory>,
    mut under_way: UnderWay,
    first: Bytes,
    inputs: mpsc::Sender<Input>,
    mut decoded: mpsc::Receiver<Output>,
    mut events: EventSink,
) -> Result<Execution, QueryError> {
    let broke_off = || internal(DECODING, &"the decoding thread ended");
    let mut progress = Progress::default();
    let mut spool = Spool::new(connection, memory);
    let mut ready = Some(Input::Page(first));
    let mut fetching: Option<BoxFuture<'_, Result<Bytes, QueryError>>> = None;
    let mut last: Option<Box<Head>> = None;
    let mut is_complete = false;
    let row_count = loop {
        if last.is_some() && !is_complete && ready.is_none() && spool.is_empty() {
            under_way.ended().await;
            is_complete = true;
            ready = Some(Input::End);
        }
        // Output of the thread is received even while its input is full: neither waits for the other.
        let output = tokio::select! {
            output = decoded.recv() => output.ok_or_else(broke_off)?,
            permit = inputs.reserve(), if ready.is_some() => {
                match (permit, ready.take()) {
                    (Ok(permit), Some(input)) => permit.send(input),
                    (Ok(_), None) => {}
                    // It accepts no more input: its remaining output explains why.
                    (Err(_), _) => return Err(failure(&mut decoded).await.unwrap_or_else(broke_off)),
                }
                continue;
            }
            page = fetched(&mut fetching), if ready.is_none() && !spool.is_full() => {
                ready = Some(Input::Page(page?));
                continue;
            }
            segment = spool.next(), if ready.is_none() => {
                ready = Some(Input::Segment(segment?));
                continue;
            }
        };
        match output {
            Output::Next(Some(next)) => {
                let next = connection.follow(&next)?;
                under_way.reached(next.clone());
                fetching = Some(Box::pin(async move { connection.page(&next, memory).await }));
            }
            Output::Next(None) => {}
            Output::Page(mut head, columns) => {
                if let Some(error) = head.error.take() {
                    under_way.ended().await;
                    return Err(error);
                }
                under_way.note(&head.id).await;
                progress.tell(&head, columns, &mut events);
                if head.has_rows && !spool.is_empty() {
                    let name = &connection.name;
                    return Err(external(format!(
                        "{name}: a page of Trino's has rows before its segments are read"
                    )));
                }
                spool.add(std::mem::take(&mut head.segments));
                if head.next.is_none() {
                    last = Some(head);
                }
            }
            Output::Segment(segment) => segment.acknowledge(connection),
            Output::Failed(error) => return Err(error),
            Output::Ended(row_count) => break row_count,
        }
    };
    let last = last.ok_or_else(broke_off)?;
    Ok(Execution {
        columns: progress.columns.unwrap_or_default(),
        row_count,
        stats: wire::stats_of(&last.stats),
        output_stage: wire::output_stage_of(&last.stats),
        sources: None,
        file: None,
    })
}

/// The columns that a statement would return: it runs until a page reports them, and is then canceled.
pub(super) async fn columns(
    connection: &Connection,
    mut under_way: UnderWay,
    sql: &str,
    headers: &HeaderMap,
) -> Result<Vec<Column>, QueryError> {
    let memory = PageMemory::up_to(LARGE_PAGE_BYTES);
    let mut bytes = connection.submit(sql, headers, &memory).await?;
    let mut found = Found::default();
    loop {
        let Head { id, next, error, .. } = page::read(&bytes, &mut found, &mut |_| {})
            .map_err(|error| malformed(&connection.name, &error))?;
        if let Some(error) = error {
            under_way.ended().await;
            return Err(error);
        }
        let Some(next) = next else {
            under_way.ended().await;
            return Ok(found.columns.unwrap_or_default());
        };
        let next = connection.follow(&next)?;
        under_way.reached(next.clone());
        under_way.note(&id).await;
        if let Some(columns) = found.columns {
            return Ok(columns);
        }
        bytes = connection.page(&next, &memory).await?;
    }
}

/// Why the decoder ended, if it reported it.
async fn failure(decoded: &mut mpsc::Receiver<Output>) -> Option<QueryError> {
    loop {
        if let Output::Failed(error) = decoded.recv().await? {
            return Some(error);
        }
    }
}

/// The page being fetched; pending forever if there is none.
async fn fetched(
    fetching: &mut Option<BoxFuture<'_, Result<Bytes, QueryError>>>,
) -> Result<Bytes, QueryError> {
    match fetching {
        Some(future) => {
            let page = future.await;
            *fetching = None;
            page
        }
        None => std::future::pending().await,
    }
}

/// What is known of the statement so far.
#[derive(Debug, Default)]
struct Progress {
    is_accepted: bool,
    is_planning: bool,
    columns: Option<Vec<Column>>,
}

impl Progress {
    fn tell(&mut self, head: &Head, columns: Option<Vec<Column>>, events: &mut EventSink) {
        if !self.is_accepted {
            self.is_accepted = true;
            events(ExecutionEvent::Accepted { id: StatementId::new(head.id.clone()) });
        }
        if !self.is_planning && wire::is_past_queue(&head.stats) {
            self.is_planning = true;
            events(ExecutionEvent::Planning);
        }
        if let Some(columns) = columns {
            let output_stage = wire::output_stage_of(&head.stats);
            events(ExecutionEvent::Planned { columns: columns.clone(), output_stage });
            self.columns = Some(columns);
        }
        events(ExecutionEvent::Progress(wire::stats_of(&head.stats)));
    }
}
