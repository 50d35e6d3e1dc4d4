//! The thread that decodes a statement's pages and segments into its file. It ends after the last page, after an error,
//! or when the statement is dropped; the file is kept only after the last page.

use std::io;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use bytes::Bytes;
use rowhouse_model::{Column, QueryError};
use tokio::sync::mpsc;

use super::failure::{external, internal};
use super::json::Malformed;
use super::page::{self, Found, Head};
use super::page_memory::LARGE_PAGE_BYTES;
use super::spool::LoadedSegment;
use rowhouse_rows::Error;
use rowhouse_rows::arrow_file::ArrowFileWriter;

/// Input of the thread.
#[derive(Debug)]
pub(super) enum Input {
    Page(Bytes),
    Segment(Box<LoadedSegment>),
    /// There are no more pages: complete the file.
    End,
}

/// Output of the thread.
#[derive(Debug)]
pub(super) enum Output {
    /// The address of the next page; once for each page, as soon as it is known.
    Next(Option<String>),
    /// A page is decoded; with the columns if it is the first that has them.
    Page(Box<Head>, Option<Vec<Column>>),
    /// A segment is decoded.
    Segment(Box<LoadedSegment>),
    /// The file is complete and synced; its row count.
    Ended(u64),
    Failed(QueryError),
}

/// The thread's work.
pub(super) fn decode(
    cluster: &str,
    output: &Path,
    mut inputs: mpsc::Receiver<Input>,
    outputs: &mpsc::Sender<Output>,
) {
    let mut result =
        ResultFile { path: output, found: Found::default(), writer: None, text: Vec::new(), is_told: false };
    let outcome = loop {
        match inputs.blocking_recv() {
            Some(Input::Page(page)) => match result.take(cluster, &page, outputs) {
                Ok(true) => {}
                Ok(false) => break None,
                Err(error) => break Some(Err(error)),
            },
            Some(Input::Segment(segment)) => match result.take_segment(cluster, &segment) {
                Ok(()) if outputs.blocking_send(Output::Segment(segment)).is_ok() => {}
                Ok(()) => break None,
                Err(error) => break Some(Err(error)),
            },
            Some(Input::End) => break Some(result.finish()),
            None => break None,
        }
    };
    let is_kept = match outcome {
        Some(Ok(row_count)) => outputs.blocking_send(Output::Ended(row_count)).is_ok(),
        Some(Err(error)) => {
            // OK to ignore: the receiver has dropped the statement.
            let _ = outputs.blocking_send(Output::Failed(error));
            false
        }
        None => false,
    };
    if !is_kept {
        result.remove();
    }
}

/// The result file being written.
struct ResultFile<'p> {
    path: &'p Path,
    found: Found,
    writer: Option<ArrowFileWriter>,
    /// Text of the current segment; reused, because most have the same size.
    text: Vec<u8>,
    /// Whether the columns were reported.
    is_told: bool,
}

impl ResultFile<'_> {
    /// Decodes a page and writes full batches; false if the receiver is gone.
    fn take(
        &mut self,
        cluster: &str,
        page: &Bytes,
        outputs: &mpsc::Sender<Output>,
    ) -> Result<bool, QueryError> {
        let mut is_next_told = false;
        let head = page::read(page, &mut self.found, &mut |next| {
            // No other is fetched beside a large one.
            if page.len() > LARGE_PAGE_BYTES {
                return;
            }
            is_next_told = true;
            // OK to ignore: it shows with the page.
            let _ = outputs.blocking_send(Output::Next(Some(next.to_owned())));
        });
        let head = head.map_err(|error| malformed(cluster, &error))?;
        self.write_full(page.len())?;
        if !is_next_told && outputs.blocking_send(Output::Next(head.next.clone())).is_err() {
            return Ok(false);
        }
        let columns = if self.is_told { None } else { self.found.columns.clone() };
        self.is_told |= columns.is_some();
        Ok(outputs.blocking_send(Output::Page(Box::new(head), columns)).is_ok())
    }

    /// Decodes a segment and writes full batches.
    fn take_segment(&mut self, cluster: &str, segment: &LoadedSegment) -> Result<(), QueryError> {
        let read_bytes = page::read_segment(segment, &mut self.text, &mut self.found)
            .map_err(|why| external(format!("{cluster}: {why}")))?;
        if self.text.capacity() > LARGE_PAGE_BYTES {
            self.text = Vec::new();
        }
        self.write_full(read_bytes)
    }

    /// Writes batches that are full after this many further bytes of rows.
    fn write_full(&mut self, read_bytes: usize) -> Result<(), QueryError> {
        let Some(rows) = &mut self.found.rows else { return Ok(()) };
        let full = rows.take_full(read_bytes).map_err(|error| internal("assembling rows", &error))?;
        self.write(&full)
    }

    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), QueryError> {
        for batch in batches {
            let writer = match &mut self.writer {
                Some(writer) => writer,
                None => {
                    let created = ArrowFileWriter::create(self.path, batch.schema()).map_err(not_written)?;
                    self.writer.insert(created)
                }
            };
            writer.write(batch).map_err(not_written)?;
            // A batch of fewer rows contains large ones, which must not accumulate.
            writer.flush().map_err(not_written)?;
        }
        Ok(())
    }

    /// Completes the file; returns its row count.
    fn finish(&mut self) -> Result<u64, QueryError> {
        let rest = match &mut self.found.rows {
            Some(rows) => rows.take_rest().map_err(|error| internal("assembling rows", &error))?,
            None => Vec::new(),
        };
        self.write(&rest)?;
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => {
                let rows = self.found.rows.as_ref();
                let schema = rows.map_or_else(|| Schema::empty().into(), |rows| rows.schema().clone());
                ArrowFileWriter::create(self.path, schema).map_err(not_written)?
            }
        };
        writer.finish().map_err(not_written)
    }

    fn remove(&mut self) {
        self.writer = None;
        if let Err(error) = std::fs::remove_file(self.path)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, path = %self.path.display(), "a result's file was not removed");
        }
    }
}

/// The error of a statement with an unreadable page.
pub(super) fn malformed(cluster: &str, error: &Malformed) -> QueryError {
    QueryError::new(error.code, format!("{cluster}: a page of Trino's cannot be stored: {error}"))
}

/// The error of a result that was not written; that of a full disk says so, for the statement's record.
fn not_written(error: Error) -> QueryError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>()
            && matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
        {
            return external(format!("the result cannot be written: {error}"));
        }
        cause = error.source();
    }
    match std::error::Error::source(&error) {
        Some(source) => internal("writing the result", &format_args!("{error}: {source}")),
        None => internal("writing the result", &error),
    }
}
