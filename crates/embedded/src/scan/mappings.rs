//! Keeps Parquet and Arrow files mapped between statements, with the frames that read them. To map a file's pages one fault after
//! another, and to unmap them at the end, takes a twentieth to a tenth of the CPU time of a statement that reads the file from the
//! page cache; Polars reads the footers once for each frame.
//!
//! A mapping is of one version of its file; it is not used for another one. Mappings that no statement asks for are given up
//! soon, because the space of a removed file is free only then.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use polars::lazy::dsl::ScanSources;
use polars::prelude::{LazyFrame, PolarsResult};
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

static MAPPINGS: Mutex<Option<Mappings>> = Mutex::new(None);

/// There is one as long as there are mappings, and a thread that gives up unused ones.
#[derive(Default)]
struct Mappings {
    files: HashMap<PathBuf, Mapping>,
    bytes: usize,
    frames: HashMap<Arc<FilesVersion>, LazyFrame>,
}

struct Mapping {
    stamp: FileStamp,
    bytes: Buffer<u8>,
    used: Instant,
}

/// The frame of a version's files, which `read` gives for their bytes; `None` if a file is no longer of this version or cannot be
/// mapped, or if there are too many.
pub(super) fn frame(
    version: &Arc<FilesVersion>,
    read: impl FnOnce(ScanSources) -> PolarsResult<LazyFrame>,
) -> Option<PolarsResult<LazyFrame>> {
    let files = version.files();
    if files.is_empty() || files.len() > MAX_MAPPINGS {
        return None;
    }
    let mut locked = locked();
    if locked.is_none() {
        thread::Builder::new().name("mappings".to_owned()).spawn(give_up_unused).ok()?;
    }
    locked.get_or_insert_default().frame(version, Instant::now(), read)
}

impl Mappings {
    fn frame(
        &mut self,
        version: &Arc<FilesVersion>,
        now: Instant,
        read: impl FnOnce(ScanSources) -> PolarsResult<LazyFrame>,
    ) -> Option<PolarsResult<LazyFrame>> {
        let mapped = version.files().iter().map(|(path, stamp)| self.map(path, stamp, now));
        let mapped = mapped.collect::<Option<Vec<Buffer<u8>>>>();
        let Some(mapped) = mapped else {
            self.limit();
            return None;
        };
        if let Some(frame) = self.frames.get(version) {
            return Some(Ok(frame.clone()));
        }
        let frame = read(ScanSources::Buffers(mapped.into()));
        if let Ok(frame) = &frame {
            self.frames.insert(Arc::clone(version), frame.clone());
        }
        self.limit();
        Some(frame)
    }

    fn map(&mut self, path: &Path, stamp: &FileStamp, now: Instant) -> Option<Buffer<u8>> {
        if let Some(mapping) = self.files.get_mut(path)
            && mapping.stamp == *stamp
        {
            mapping.used = now;
            return Some(mapping.bytes.clone());
        }
        self.give_up(|known, _| known == path);
        let file = File::open(path).ok()?;
        let metadata = file.metadata().ok()?;
        if FileStamp::of_metadata(&metadata) != *stamp || metadata.len() > MAX_BYTES as u64 {
            return None;
        }
        let bytes = Buffer::from_owner(MMapSemaphore::new_from_file(&file).ok()?);
        self.bytes += bytes.len();
        let mapping = Mapping { stamp: *stamp, bytes: bytes.clone(), used: now };
        self.files.insert(path.to_owned(), mapping);
        Some(bytes)
    }

    /// Gives up the mappings that were used first, while there are too many.
    fn limit(&mut self) {
        while self.bytes > MAX_BYTES || self.files.len() > MAX_MAPPINGS {
            let first = self.files.values().map(|mapping| mapping.used).min();
            self.give_up(|_, mapping| Some(mapping.used) == first);
        }
    }

    /// Gives up mappings, and the frames that read them.
    fn give_up(&mut self, is_given_up: impl Fn(&Path, &Mapping) -> bool) {
        let before = self.files.len();
        self.files.retain(|path, mapping| !is_given_up(path, mapping));
        if self.files.len() != before {
            self.bytes = self.files.values().map(|mapping| mapping.bytes.len()).sum();
            let is_mapped = |(path, stamp): &(PathBuf, FileStamp)| {
                self.files.get(path).is_some_and(|mapping| mapping.stamp == *stamp)
            };
            self.frames.retain(|version, _| version.files().iter().all(is_mapped));
        }
    }
}

/// Ends when no mapping is left.
fn give_up_unused() {
    loop {
        thread::sleep(KEPT / 2);
        let (mut locked, now) = (locked(), Instant::now());
        let Some(mappings) = locked.as_mut() else { return };
        mappings.give_up(|_, mapping| now.saturating_duration_since(mapping.used) > KEPT);
        if mappings.files.is_empty() {
            *locked = None;
            return;
        }
    }
}

fn locked() -> MutexGuard<'static, Option<Mappings>> {
    MAPPINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use polars::prelude::{Column, DataFrame, IntoLazy, ParquetWriter, col, len};
    use rowhouse_model::TableFormat;

    use super::*;

    fn version(paths: &[PathBuf]) -> Arc<FilesVersion> {
        Arc::new(FilesVersion::of(paths, TableFormat::Arrow).unwrap())
    }

    /// The bytes of the files, if they were read anew.
    fn read(mappings: &mut Mappings, version: &Arc<FilesVersion>, now: Instant) -> Option<Vec<Vec<u8>>> {
        let mut found = None;
        let frame = mappings.frame(version, now, |files| {
            let ScanSources::Buffers(buffers) = files else { unreachable!("files are mapped") };
            found = Some(buffers.iter().map(|bytes| bytes.as_slice().to_vec()).collect());
            Ok(DataFrame::empty().lazy())
        });
        drop(frame?.unwrap());
        found
    }

    #[test]
    fn a_version_is_read_once_and_no_version_for_another() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&path, b"first").unwrap();
        let (mut mappings, now, first) =
            (Mappings::default(), Instant::now(), version(std::slice::from_ref(&path)));
        assert_eq!(read(&mut mappings, &first, now), Some(vec![b"first".to_vec()]));
        assert_eq!(read(&mut mappings, &first, now), None);

        fs::write(&other, b"the second").unwrap();
        fs::rename(&other, &path).unwrap();
        let second = version(std::slice::from_ref(&path));
        assert_eq!(read(&mut mappings, &second, now), Some(vec![b"the second".to_vec()]));
        assert_eq!((mappings.files.len(), mappings.frames.len(), mappings.bytes), (1, 1, 10));
        // What was planned for the first version does not read the second one.
        assert!(mappings.frame(&first, now, |_| unreachable!("it is no longer there")).is_none());
        fs::write(&other, b"third").unwrap();
        assert_eq!(
            read(&mut mappings, &version(&[other, path]), now),
            Some(vec![b"third".to_vec(), b"the second".to_vec()])
        );
    }

    #[test]
    fn the_least_recently_used_of_too_many_files_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let (mut mappings, begin) = (Mappings::default(), Instant::now());
        let path = |number: usize| folder.path().join(format!("{number}"));
        let versions: Vec<_> = (0..=MAX_MAPPINGS)
            .map(|number| {
                fs::write(path(number), b"x").unwrap();
                version(&[path(number)])
            })
            .collect();
        for (number, version) in versions.iter().enumerate() {
            let now = begin + Duration::from_millis(number as u64);
            read(&mut mappings, version, now);
            read(&mut mappings, &versions[0], now);
        }
        assert_eq!((mappings.files.len(), mappings.frames.len()), (MAX_MAPPINGS, MAX_MAPPINGS));
        let has = |number: usize| mappings.files.contains_key(&path(number));
        assert!(has(0) && !has(1) && has(2) && has(MAX_MAPPINGS));
    }

    #[test]
    fn a_file_that_is_replaced_all_the_time_is_read_in_one_version() {
        const WIDTH: usize = 60;
        let folder = tempfile::tempdir().unwrap();
        let (path, next) = (folder.path().join("a.parquet"), folder.path().join("next"));
        // As many hundreds of rows as the number that they have.
        let write = |number: i64| {
            let rows = usize::try_from(number).unwrap() * 100;
            let columns = (0..WIDTH).map(|at| Column::new(format!("c{at}").into(), vec![number; rows]));
            let mut frame = DataFrame::new(rows, columns.collect()).unwrap();
            ParquetWriter::new(File::create(&next).unwrap()).finish(&mut frame).unwrap();
            fs::rename(&next, &path).unwrap();
        };
        write(1);
        let is_done = std::sync::atomic::AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for number in (1..20).cycle() {
                    if is_done.load(std::sync::atomic::Ordering::Relaxed) {
                        return;
                    }
                    write(number);
                }
            });
            let mut read = 0;
            for _ in 0..300 {
                let Ok(table) = crate::scan::scan_paths(vec![path.clone()], TableFormat::Parquet) else {
                    continue;
                };
                let found =
                    table.frame.select([col("c0").min(), col("c1").max().alias("most"), len()]).collect();
                let number = |column: usize| {
                    found.as_ref().unwrap()[column].get(0).unwrap().try_extract::<u64>().unwrap()
                };
                assert_eq!((number(1), number(2)), (number(0), 100 * number(0)));
                assert_eq!(table.row_count, Some(number(2)));
                read += 1;
            }
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(read > 100, "{read} of 300 were read");
        });
    }

    #[test]
    fn nothing_stays_mapped_when_no_statement_comes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, b"rows").unwrap();
        let frame = frame(&version(std::slice::from_ref(&path)), |_| Ok(DataFrame::empty().lazy()));
        assert!(frame.is_some());
        let is_mapped = || locked().as_ref().is_some_and(|mappings| mappings.files.contains_key(&path));
        assert!(is_mapped());
        let end = Instant::now() + 10 * KEPT;
        while is_mapped() {
            assert!(Instant::now() < end, "still mapped");
            thread::sleep(KEPT / 50);
        }
    }
}
