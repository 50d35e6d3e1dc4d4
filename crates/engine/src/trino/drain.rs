//! A statement from its submission to its last row. Pages are fetched on the reactor while a thread of its own decodes
//! the one before, so that the wire and the processor work at the same time and three pages at most are in memory.

use std::path::PathBuf;

use bytes::Bytes;
use http::HeaderMap;
use rowhouse_model::{Column, QueryError, StatementId};
use tokio::sync::mpsc;

use super::connection::Connection;
use super::decode::{Input, Output, decode, malformed};
use super::failure::internal;
use super::page::{self, Found, Head};
use super::under_way::UnderWay;
use crate::executor::{BoxFuture, EventSink, Execution, ExecutionEvent};

/// Runs a statement into a file. Dropping the future cancels it at Trino and removes the file.
pub(super) async fn run(
    connection: &Connection,
    mut under_way: UnderWay,
    sql: &str,
    headers: &HeaderMap,
    output: PathBuf,
    mut events: EventSink,
) -> Result<Execution, QueryError> {
    let first = connection.submit(sql, headers).await?;
    // One page waits while one is decoded and one is fetched.
    let (pages, inputs) = mpsc::channel(1);
    let (outputs, mut told) = mpsc::channel(4);
    let name = connection.name.clone();
    tokio::task::spawn_blocking(move || decode(&name, &output, inputs, &outputs));
    let broke_off = || internal("decoding Trino's pages", &"the decoding thread ended");

    let mut progress = Progress::default();
    pages.send(Input::Page(first)).await.map_err(|_| broke_off())?;
    let mut fetching: Option<BoxFuture<'_, Result<Bytes, QueryError>>> = None;
    let last = loop {
        let output = tokio::select! {
            output = told.recv() => output.ok_or_else(broke_off)?,
            page = fetched(&mut fetching) => {
                pages.send(Input::Page(page?)).await.map_err(|_| broke_off())?;
                continue;
            }
        };
        match output {
            Output::Next(Some(next)) => {
                let next = connection.follow(&next)?;
                under_way.reached(next.clone());
                fetching = Some(Box::pin(async move { connection.page(&next).await }));
            }
            Output::Next(None) => {}
            Output::Page(mut head, columns) => {
                if let Some(error) = head.error.take() {
                    under_way.ended().await;
                    return Err(error);
                }
                under_way.note(&head.id).await;
                progress.tell(&head, columns, &mut events);
                if head.next.is_none() {
                    break head;
                }
            }
            Output::Failed(error) => return Err(error),
            Output::Ended(_) => return Err(broke_off()),
        }
    };
    under_way.ended().await;
    pages.send(Input::End).await.map_err(|_| broke_off())?;
    let row_count = match told.recv().await {
        Some(Output::Ended(row_count)) => row_count,
        Some(Output::Failed(error)) => return Err(error),
        _ => return Err(broke_off()),
    };
    Ok(Execution {
        columns: progress.columns.unwrap_or_default(),
        row_count,
        stats: last.stats.to_stats(),
        output_stage: last.stats.to_output_stage(),
    })
}

/// The columns that a statement would give: it is run until a page tells them, and then canceled.
pub(super) async fn columns(
    connection: &Connection,
    mut under_way: UnderWay,
    sql: &str,
    headers: &HeaderMap,
) -> Result<Vec<Column>, QueryError> {
    let mut bytes = connection.submit(sql, headers).await?;
    let mut found = Found::default();
    loop {
        let Head { id, next, error, stats: _ } = page::read(&bytes, &mut found, &mut |_| {})
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
        bytes = connection.page(&next).await?;
    }
}

/// The page that is being fetched; never, where none is.
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

/// What has been told of the statement so far.
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
        if !self.is_planning && head.stats.is_past_queue() {
            self.is_planning = true;
            events(ExecutionEvent::Planning);
        }
        if let Some(columns) = columns {
            let output_stage = head.stats.to_output_stage();
            events(ExecutionEvent::Planned { columns: columns.clone(), output_stage });
            self.columns = Some(columns);
        }
        events(ExecutionEvent::Progress(head.stats.to_stats()));
    }
}
