//! A file being downloaded, unchanged.

use std::fs::File;
use std::io::Read as _;

use bytes::Bytes;
use rowhouse_rows::{Budget, CHUNK_BYTES, ChunkSource, Error, Progress, Result};

/// The bytes of a file; replacing it does not change them.
pub(super) struct Download {
    file: File,
}

impl Download {
    pub(super) fn new(file: File) -> Self {
        Self { file }
    }
}

impl ChunkSource for Download {
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        if budget.is_spent() {
            return Ok(Progress::Paused);
        }
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        let read = self.file.by_ref().take(CHUNK_BYTES as u64).read_to_end(&mut chunk);
        read.map_err(|error| Error::internal("reading a file", error))?;
        budget.spend(chunk.len() as u64);
        Ok(Progress::Done((!chunk.is_empty()).then(|| chunk.into())))
    }
}
