//! A source that returns a chunk only if every page that the chunk was encoded from could be read (D128).

use std::sync::Arc;

use bytes::Bytes;

use super::budget::{Budget, Progress};
use super::chunk::ChunkSource;
use crate::Result;
use crate::arrow_file::ArrowFile;

struct Guarded<S> {
    file: Arc<ArrowFile>,
    source: S,
}

/// Wraps a source over a file, or over files that share its record of lost pages.
pub(super) fn guarded(file: Arc<ArrowFile>, source: impl ChunkSource + 'static) -> Box<dyn ChunkSource> {
    Box::new(Guarded { file, source })
}

impl<S: ChunkSource> ChunkSource for Guarded<S> {
    fn advance(&mut self, budget: &mut Budget) -> Result<Progress<Option<Bytes>>> {
        let Self { file, source } = self;
        file.guarded(|| source.advance(budget))
    }

    fn split(&mut self) -> Option<Box<dyn ChunkSource>> {
        let part = self.source.split()?;
        Some(guarded(Arc::clone(&self.file), part))
    }

    fn next_chunk_bytes(&self) -> usize {
        self.source.next_chunk_bytes()
    }

    fn held_bytes(&self) -> usize {
        self.source.held_bytes()
    }
}
