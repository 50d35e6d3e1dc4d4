//! Rows as an Arrow IPC stream.

use std::sync::Arc;

use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use bytes::Bytes;

use super::batches::Batches;
use super::selection::RowSelection;
use super::{ChunkSource, Envelope, ProjectedColumn};
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
    fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        let Some(mut writer) = self.writer.take() else { return Ok(None) };
        match self.batches.next_batch()? {
            Some(batch) => {
                writer.write(&batch).map_err(failed)?;
                let chunk = std::mem::take(writer.get_mut());
                self.writer = Some(writer);
                Ok(Some(chunk.into()))
            }
            None => {
                writer.finish().map_err(failed)?;
                let mut chunk = std::mem::take(writer.get_mut());
                chunk.append(&mut self.suffix);
                Ok(Some(chunk.into()))
            }
        }
    }
}

fn failed(error: ArrowError) -> Error {
    Error::internal("cannot encode rows as an Arrow stream", error)
}
