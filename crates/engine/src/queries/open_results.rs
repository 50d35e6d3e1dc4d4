//! Recently read result files, kept open and shared: opening one reads the head of every batch, which costs a thousand
//! times as much as reading a page. The number of open files and their time are limited, so that a removed result frees
//! its disk space.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rowhouse_rows::arrow_file::ArrowFile;

/// Maximum number of open files. Each costs the metadata of its batches, and up to 16 MiB if its values are compressed.
const MAX_OPEN_FILES: usize = 16;
/// A file that was not read for this long is closed at the next access to any file.
const MAX_IDLE: Duration = Duration::from_secs(60);

/// Open files by location, the most recently read last.
#[derive(Debug, Default)]
pub(super) struct OpenResults {
    files: Mutex<Vec<OpenResult>>,
}

#[derive(Debug)]
struct OpenResult {
    location: String,
    file: Arc<ArrowFile>,
    read_at: Duration,
}

impl OpenResults {
    /// The file of a location, if it is open. `now` is monotonic.
    pub(super) fn get(&self, location: &str, now: Duration) -> Option<Arc<ArrowFile>> {
        let mut files = self.files();
        let place = files.iter().position(|open| open.location == location)?;
        let mut open = files.remove(place);
        open.read_at = now;
        let file = Arc::clone(&open.file);
        files.push(open);
        Self::close_idle(&mut files, now);
        Some(file)
    }

    /// Adds an open file; if two readers opened it concurrently, the first one's is used.
    pub(super) fn keep(&self, location: &str, file: Arc<ArrowFile>, now: Duration) -> Arc<ArrowFile> {
        if let Some(kept) = self.get(location, now) {
            return kept;
        }
        let mut files = self.files();
        Self::close_idle(&mut files, now);
        if files.len() == MAX_OPEN_FILES {
            files.remove(0);
        }
        files.push(OpenResult { location: location.to_owned(), file: Arc::clone(&file), read_at: now });
        file
    }

    /// Closes the file of a removed result; readers that have it keep it.
    pub(super) fn close(&self, location: &str) {
        self.files().retain(|open| open.location != location);
    }

    /// Closes files that were not read for a while.
    pub(super) fn sweep(&self, now: Duration) {
        Self::close_idle(&mut self.files(), now);
    }

    fn close_idle(files: &mut Vec<OpenResult>, now: Duration) {
        files.retain(|open| now.saturating_sub(open.read_at) < MAX_IDLE);
    }

    fn files(&self) -> MutexGuard<'_, Vec<OpenResult>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::Schema;

    use super::*;
    use rowhouse_rows::arrow_file::ArrowFileWriter;

    #[test]
    fn files_stay_open_while_they_are_read_up_to_a_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.arrow");
        ArrowFileWriter::create(&path, Arc::new(Schema::empty()))
            .and_then(ArrowFileWriter::finish)
            .expect("an empty file");
        let open = || ArrowFile::open(&path).expect("a file");
        let at = Duration::from_secs;
        let results = OpenResults::default();
        let first = results.keep("a", open(), at(0));
        let second = results.keep("a", open(), at(1));
        assert!(Arc::ptr_eq(&first, &second), "the first one stays");
        // It stays open while it is read now and then, and is closed otherwise.
        assert!(results.get("a", at(59)).is_some());
        assert!(results.get("a", at(118)).is_some());
        results.sweep(at(177));
        assert!(results.get("a", at(177)).is_some());
        results.sweep(at(237));
        assert!(results.get("a", at(237)).is_none());
        // If there are many, the most recently read stay open.
        for number in 0..=MAX_OPEN_FILES {
            results.keep(&number.to_string(), open(), at(300));
            assert!(results.get("0", at(300)).is_some());
        }
        assert!(results.get("1", at(300)).is_none());
        results.close("0");
        assert!(results.get("0", at(300)).is_none());
    }
}
