//! Keeps Parquet and Arrow files mapped between statements. To map a file's pages one fault after another, and to unmap them at
//! the end, takes a twentieth to a tenth of the CPU time of a statement that reads the file from the page cache.
//!
//! A mapping is of one version of its file; it is not used for another one. Mappings that no statement asks for are given up
//! soon, because the space of a removed file is free only then.

use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use polars::lazy::dsl::ScanSources;
use polars_buffer::Buffer;
use polars_utils::mmap::MMapSemaphore;
use rowhouse_executor::sources::FileStamp;

use super::stamp::FilesVersion;

/// How long an unused mapping is kept at least.
const KEPT: Duration = Duration::from_secs(5);
/// Maximum number of bytes of all mappings. The tables of their pages take a 512th of it.
const MAX_BYTES: usize = 8 << 30;
/// Maximum number of mappings. Linux permits a process 65,530 of them.
const MAX_MAPPINGS: usize = 1024;

static MAPPINGS: Mutex<Mappings> = Mutex::new(Mappings::new());

/// The least recently used mapping first.
#[derive(Debug)]
struct Mappings {
    mappings: VecDeque<Mapping>,
    bytes: usize,
    /// Whether a thread gives up unused mappings.
    is_watched: bool,
}

#[derive(Debug)]
struct Mapping {
    path: PathBuf,
    stamp: FileStamp,
    bytes: Buffer<u8>,
    used: Instant,
}

/// The files of a version, mapped; `None` if one is no longer of this version or cannot be mapped, or if there are too many.
pub(super) fn of(version: &FilesVersion) -> Option<ScanSources> {
    let files = version.files();
    if files.is_empty() || files.len() > MAX_MAPPINGS {
        return None;
    }
    let now = Instant::now();
    let mut mappings = locked();
    if !mappings.is_watched {
        thread::Builder::new().name("mappings".to_owned()).spawn(give_up_unused).ok()?;
        mappings.is_watched = true;
    }
    let mapped = files.iter().map(|(path, stamp)| mappings.map(path, stamp, now));
    let mapped: Option<Vec<Buffer<u8>>> = mapped.collect();
    mapped.map(|mapped| ScanSources::Buffers(mapped.into()))
}

impl Mappings {
    const fn new() -> Self {
        Self { mappings: VecDeque::new(), bytes: 0, is_watched: false }
    }

    fn map(&mut self, path: &Path, stamp: &FileStamp, now: Instant) -> Option<Buffer<u8>> {
        if let Some(place) = self.mappings.iter().position(|mapping| mapping.path == path) {
            let mapping = self.mappings.remove(place)?;
            if mapping.stamp == *stamp {
                let bytes = mapping.bytes.clone();
                self.mappings.push_back(Mapping { used: now, ..mapping });
                return Some(bytes);
            }
            self.bytes -= mapping.bytes.len();
        }
        let file = File::open(path).ok()?;
        if FileStamp::of_metadata(&file.metadata().ok()?) != *stamp {
            return None;
        }
        let bytes = Buffer::from_owner(MMapSemaphore::new_from_file(&file).ok()?);
        if bytes.len() > MAX_BYTES {
            return None;
        }
        self.bytes += bytes.len();
        let (path, stamp) = (path.to_owned(), *stamp);
        self.mappings.push_back(Mapping { path, stamp, bytes: bytes.clone(), used: now });
        while self.bytes > MAX_BYTES || self.mappings.len() > MAX_MAPPINGS {
            self.give_up_first();
        }
        Some(bytes)
    }

    fn give_up_first(&mut self) {
        if let Some(mapping) = self.mappings.pop_front() {
            self.bytes -= mapping.bytes.len();
        }
    }

    /// Gives up mappings that were used last more than [`KEPT`] ago; returns whether others are left.
    fn give_up_unused(&mut self, now: Instant) -> bool {
        let is_unused = |mapping: &Mapping| now.saturating_duration_since(mapping.used) > KEPT;
        while self.mappings.front().is_some_and(is_unused) {
            self.give_up_first();
        }
        !self.mappings.is_empty()
    }
}

/// Ends when no mapping is left.
fn give_up_unused() {
    loop {
        thread::sleep(KEPT / 2);
        let mut mappings = locked();
        mappings.is_watched = mappings.give_up_unused(Instant::now());
        if !mappings.is_watched {
            return;
        }
    }
}

fn locked() -> MutexGuard<'static, Mappings> {
    MAPPINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use super::*;

    fn map(mappings: &mut Mappings, path: &Path, now: Instant) -> Option<Buffer<u8>> {
        mappings.map(path, &FileStamp::of(path).unwrap(), now)
    }

    #[test]
    fn a_file_stays_mapped_while_it_is_of_its_version_and_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        fs::write(&path, b"first").unwrap();
        let (mut mappings, begin) = (Mappings::new(), Instant::now());
        let first = map(&mut mappings, &path, begin).unwrap();
        let again = map(&mut mappings, &path, begin + KEPT).unwrap();
        assert_eq!((first.as_slice(), first.as_ptr()), (b"first".as_slice(), again.as_ptr()));

        let before = FileStamp::of(&path).unwrap();
        let other = folder.path().join("b.parquet");
        fs::write(&other, b"the second").unwrap();
        fs::rename(&other, &path).unwrap();
        // What was planned for the first version does not read the second one.
        let mut empty = Mappings::new();
        assert!(empty.map(&path, &before, begin).is_none());
        let second = map(&mut mappings, &path, begin + KEPT).unwrap();
        assert_eq!((second.as_slice(), first.as_slice()), (b"the second".as_slice(), b"first".as_slice()));
        assert_eq!((mappings.mappings.len(), mappings.bytes), (1, b"the second".len()));

        assert!(mappings.give_up_unused(begin + KEPT + KEPT));
        assert!(!mappings.give_up_unused(begin + KEPT + KEPT + Duration::from_millis(1)));
        assert_eq!((mappings.mappings.len(), mappings.bytes), (0, 0));
    }

    #[test]
    fn the_least_recently_used_of_too_many_files_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let (mut mappings, now) = (Mappings::new(), Instant::now());
        let path = |number: usize| folder.path().join(format!("{number}.parquet"));
        for number in 0..=MAX_MAPPINGS {
            fs::write(path(number), b"x").unwrap();
            map(&mut mappings, &path(0), now).unwrap();
            map(&mut mappings, &path(number), now).unwrap();
        }
        let has = |number: usize| mappings.mappings.iter().any(|mapping| mapping.path == path(number));
        assert_eq!((mappings.mappings.len(), mappings.bytes), (MAX_MAPPINGS, MAX_MAPPINGS));
        assert!(has(0) && !has(1) && has(2) && has(MAX_MAPPINGS));
    }

    #[test]
    fn nothing_stays_mapped_when_no_statement_comes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        fs::write(&path, b"rows").unwrap();
        let version =
            FilesVersion::of(std::slice::from_ref(&path), rowhouse_model::TableFormat::Parquet).unwrap();
        assert!(of(&version).is_some());
        let is_mapped = || locked().mappings.iter().any(|mapping| mapping.path == path);
        assert!(is_mapped());
        let end = Instant::now() + 10 * KEPT;
        while is_mapped() {
            assert!(Instant::now() < end, "still mapped");
            thread::sleep(KEPT / 50);
        }
    }
}
