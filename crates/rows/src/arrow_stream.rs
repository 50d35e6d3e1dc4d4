//! Rows as an Arrow IPC stream.

use std::sync::Arc;

use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use bytes::Bytes;

use super::batches::Batches;
use super::selection::RowSelection;
use super::{Budget, ChunkSource, Envelope, Progress, ProjectedColumn};
use crate::arrow_file::ArrowFile;
use crate::{Error, Result};

/// Encodes rows as an Arrow IPC stream.
pub(super) struct ArrowStream {
    batches: Batches,
    /// None after the end.
    writer: Option<StreamWriter<Vec<u8>>>,
    suffix: Vec<u8>,
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
        // The prefix is in front of the schema, which the writer writes at once.
        let writer = StreamWriter::try_new(envelope.prefix, batches.schema()).map_err(failed)?;
        Ok(Self { batches, writer: Some(writer), suffix: envelope.suffix })
    }
}

impl ChunkSource for ArrowStream {
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        let Some(mut writer) = self.writer.take() else { return Ok(Progress::Done(None)) };
        match self.batches.next_batch(budget)? {
            Progress::Paused => {
                self.writer = Some(writer);
                Ok(Progress::Paused)
            }
            Progress::Done(Some(batch)) => {
                writer.write(&batch).map_err(failed)?;
                let chunk = std::mem::take(writer.get_mut());
                self.writer = Some(writer);
                budget.spend(chunk.len() as u64);
                Ok(Progress::Done(Some(chunk.into())))
            }
            Progress::Done(None) => {
                writer.finish().map_err(failed)?;
                let mut chunk = std::mem::take(writer.get_mut());
                chunk.append(&mut self.suffix);
                Ok(Progress::Done(Some(chunk.into())))
            }
        }
    }
}

fn failed(error: ArrowError) -> Error {
    Error::internal("cannot encode rows as an Arrow stream", error)
}
