//! Work that reads have earned: it costs as much as they would have saved by it so far. It is done beside them.

use std::sync::Arc;

use rowhouse_rows::DueSection;

use super::{Generation, ServedGeneration, Views};
use crate::disk::Disk;

impl Views {
    /// Sets the disk space for rows that are encoded before they are read; what is encoded remains.
    pub(crate) fn set_max_encoded_bytes(&self, max_encoded_bytes: u64) {
        self.encoded_rows.set_max_bytes(max_encoded_bytes);
    }

    /// Bytes of rows that are encoded before they are read.
    pub(crate) fn encoded_row_bytes(&self) -> u64 {
        self.encoded_rows.used_bytes()
    }

    /// Begins to build an index that filters have earned, and to encode rows that reads have encoded often enough.
    pub(super) fn begin_earned_work(&self, generation: &Arc<Generation>, served: &Arc<ServedGeneration>) {
        if let Some(column) = generation.take_earned_index() {
            let (generation, served) = (Arc::clone(generation), Arc::clone(served));
            tokio::task::spawn_blocking(move || {
                generation.build_earned_index(column);
                // Until here its files stay, including those that were just written.
                drop(served);
            });
        }
        if let Some(section) = generation.projection().take_due_section(&self.encoded_rows) {
            let generation = Arc::clone(generation);
            let spared_bytes = self.encoded_rows.max_bytes();
            tokio::task::spawn_blocking(move || generation.encode_earned_rows(&section, spared_bytes));
        }
    }
}

impl Generation {
    /// Encodes rows into a file without a name, if the disk has `spared_bytes` free. Blocking. A failure is logged: reads
    /// continue to encode these rows.
    fn encode_earned_rows(&self, section: &DueSection, spared_bytes: u64) {
        let Some(folder) = self.file().path().parent() else { return };
        if Disk::of(folder).free_bytes().is_some_and(|free| free < spared_bytes) {
            return;
        }
        if let Err(error) = self.projection().encode_section(section, folder)
            // A view that was dropped meanwhile has no folder.
            && folder.exists()
        {
            tracing::warn!(%error, folder = %folder.display(), "rows could not be encoded for later reads");
        }
    }
}
