//! Rows as an Arrow IPC stream, in pieces: values in the file's mapping are copied only into the chunk being built, so
//! a value of any size takes no more memory than a chunk.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_ipc::writer::StreamEncoder;
use arrow_schema::ArrowError;
use bytes::Bytes;

use super::batches::Batches;
use super::output::Output;
use super::selection::RowSelection;
use super::{Budget, CHUNK_BYTES, CHUNK_MEMORY_BYTES, ChunkSource, Envelope, Progress, ProjectedColumn};
use crate::arrow_file::ArrowFile;
use crate::{Error, Result};

/// Encodes rows as an Arrow IPC stream.
pub(super) struct ArrowStream {
    batches: Batches,
    /// None after the last batch.
    encoder: Option<StreamEncoder>,
    /// Encoded buffers that are not written yet.
    encoded: VecDeque<Buffer>,
    /// Written bytes of the first of them.
    written: usize,
    /// Bytes of the encoded batch that are not in the file's mapping.
    copied_bytes: usize,
    /// The announced number of bytes that the next batch copies.
    told_bytes: usize,
    out: Output,
    suffix: Vec<u8>,
    has_ended: bool,
}

impl ArrowStream {
    pub(super) fn new(
        file: Arc<ArrowFile>,
        columns: &[ProjectedColumn],
        selection: RowSelection,
        envelope: Envelope,
    ) -> Result<Self> {
        let columns = columns.iter().map(|column| (column.name.clone(), column.index));
        let batches = Batches::new(file, columns, selection);
        let encoder = StreamEncoder::try_new(batches.schema()).map_err(failed)?;
        let mut out = Output::new(0);
        out.put(&envelope.prefix);
        Ok(Self {
            batches,
            encoder: Some(encoder),
            encoded: VecDeque::new(),
            written: 0,
            copied_bytes: 0,
            told_bytes: 0,
            out,
            suffix: envelope.suffix,
            has_ended: false,
        })
    }

    /// Fills the chunk with encoded bytes; true if there are more than fit.
    fn write(&mut self) -> bool {
        while let Some(buffer) = self.encoded.front() {
            let room = CHUNK_BYTES.saturating_sub(self.out.len());
            let end = buffer.len().min(self.written + room);
            self.out.put(&buffer[self.written..end]);
            self.written = end;
            if end < buffer.len() {
                return true;
            }
            self.encoded.pop_front();
            self.written = 0;
        }
        self.copied_bytes = 0;
        false
    }

    /// Encodes the next batch, or the end; false if the batch copies more than announced, which is then announced.
    fn encode(&mut self, budget: &mut Budget) -> Result<Progress<bool>> {
        let next = match self.batches.next_piece(budget)? {
            Progress::Paused => return Ok(Progress::Paused),
            Progress::Done(next) => next,
        };
        let copied_bytes = next.map_or(0, |piece| piece.copied_bytes);
        if copied_bytes > CHUNK_BYTES.max(self.told_bytes) {
            self.told_bytes = copied_bytes;
            return Ok(Progress::Done(false));
        }
        let batch = match self.batches.next_batch(budget)? {
            Progress::Paused => return Ok(Progress::Paused),
            Progress::Done(batch) => batch,
        };
        self.told_bytes = 0;
        let Some(mut encoder) = self.encoder.take() else { return Ok(Progress::Done(true)) };
        self.encoded = match batch {
            Some(batch) => {
                let buffers = encoder.encode(&batch.rows).map_err(failed)?;
                self.copied_bytes = batch.copied_bytes;
                self.encoder = Some(encoder);
                buffers.into()
            }
            None => encoder.finish().map_err(failed)?.into(),
        };
        Ok(Progress::Done(true))
    }
}

impl ChunkSource for ArrowStream {
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        while !self.has_ended {
            if self.write() || self.out.len() >= CHUNK_BYTES {
                budget.spend(self.out.len() as u64);
                return Ok(Progress::Done(Some(self.out.take(true))));
            }
            if self.encoder.is_none() {
                self.has_ended = true;
                self.out.put(&std::mem::take(&mut self.suffix));
                let chunk = self.out.take(false);
                return Ok(Progress::Done((!chunk.is_empty()).then_some(chunk)));
            }
            let encoded = self.encode(budget);
            // Nothing is returned after an error.
            self.has_ended = encoded.is_err();
            match encoded? {
                Progress::Paused => return Ok(Progress::Paused),
                Progress::Done(true) => {}
                Progress::Done(false) => return Ok(Progress::Done(Some(self.out.take(true)))),
            }
        }
        Ok(Progress::Done(None))
    }

    fn next_chunk_bytes(&self) -> usize {
        CHUNK_MEMORY_BYTES + self.told_bytes
    }

    fn held_bytes(&self) -> usize {
        self.copied_bytes
    }
}

fn failed(error: ArrowError) -> Error {
    Error::internal("cannot encode rows as an Arrow stream", error)
}
