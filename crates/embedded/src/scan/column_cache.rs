//! Caches the decoded columns of small tables. Opening a file, starting its readers and decoding its pages takes longer
//! than everything else that a statement does with a few thousand rows, and the statements of a workspace read the same
//! small tables again and again.
//!
//! A column is cached for one version of the table's files, so a file that is replaced is read again. Columns are
//! decoded when a second statement reads their table; the least recently read tables are evicted.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use polars::prelude::{Column, DataFrame, Engine, IntoLazy, LazyFrame, PlSmallStr, PolarsResult, col};
use polars::series::IsSorted;

use rowhouse_executor::heap;

use super::TableScan;
use super::stamp::FilesVersion;

/// Maximum number of rows of a table: about as many as the streaming engine processes in one piece, so that reading
/// them in parallel saves nothing.
pub(super) const MAX_ROWS: u64 = 1 << 17;
/// Maximum number of bytes of a table's values before compression.
const MAX_TABLE_BYTES: u64 = 32 << 20;
/// Maximum number of bytes of all columns.
const MAX_BYTES: usize = 32 << 20;
/// Divisor of the process's memory limit: the maximum for all columns.
const MAX_PART_OF_LIMIT: u64 = 32;
/// The size of a text's view, and of the largest value of any other type.
const VIEW_BYTES: usize = 16;
const MAX_VALUE_BYTES: usize = 16;
/// Maximum number of tables.
const MAX_TABLES: usize = 256;

static CACHE: Mutex<ColumnCache> = Mutex::new(ColumnCache { tables: VecDeque::new(), bytes: 0 });

/// The least recently read table first.
#[derive(Debug)]
struct ColumnCache {
    tables: VecDeque<CachedTable>,
    bytes: usize,
}

#[derive(Debug)]
struct CachedTable {
    version: Arc<FilesVersion>,
    row_count: usize,
    columns: HashMap<PlSmallStr, Column>,
    bytes: usize,
    /// Whether a read of its columns failed, or what it read was too large: it is not tried again.
    is_unreadable: bool,
}

/// Columns of a table as a frame, if the table is small and was read before.
pub(super) fn columns(scan: &TableScan, names: &[&str]) -> Option<LazyFrame> {
    columns_in(&CACHE, scan, names)
}

fn columns_in(cache: &Mutex<ColumnCache>, scan: &TableScan, names: &[&str]) -> Option<LazyFrame> {
    let row_count = scan.row_count.filter(|rows| *rows <= MAX_ROWS)?;
    if names.is_empty() || scan.uncompressed_bytes.is_none_or(|bytes| bytes > MAX_TABLE_BYTES) {
        return None;
    }
    let row_count = usize::try_from(row_count).ok()?;
    let missing: Vec<&str> = {
        let mut cache = locked(cache);
        let Some(table) = cache.read(&scan.version) else {
            cache.begin(&scan.version, row_count);
            return None;
        };
        let is_missing = |name: &&str| !table.columns.contains_key(*name);
        let missing: Vec<&str> = names.iter().copied().filter(is_missing).collect();
        let fits = table.bytes + largest_bytes(scan, missing.len(), row_count) <= max_bytes();
        if !missing.is_empty() && (table.is_unreadable || !fits || !scan.version.is_settled()) {
            return None;
        }
        missing
    };
    let decoded = if missing.is_empty() {
        Vec::new()
    } else {
        match decode(scan, &missing, row_count) {
            Some(decoded) => decoded,
            None => {
                locked(cache).give_up(&scan.version);
                return None;
            }
        }
    };
    let mut cache = locked(cache);
    cache.add(&scan.version, &decoded);
    // Evicted meanwhile, perhaps by the columns that were just added: the files are read.
    let table = cache.read(&scan.version)?;
    let columns: Option<Vec<Column>> = names.iter().map(|name| table.columns.get(*name).cloned()).collect();
    DataFrame::new(table.row_count, columns?).ok().map(IntoLazy::lazy)
}

/// Evicts everything, for a statement that needs all memory.
pub(crate) fn clear() {
    *locked(&CACHE) = ColumnCache { tables: VecDeque::new(), bytes: 0 };
}

/// The most bytes that columns of a table take: fixed-size values or the views of texts, and all texts.
fn largest_bytes(scan: &TableScan, columns: usize, row_count: usize) -> usize {
    let texts = scan.uncompressed_bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX);
    columns.saturating_mul(row_count).saturating_mul(MAX_VALUE_BYTES).saturating_add(texts)
}

/// The bytes of a column. Polars' estimate leaves out the views of texts and counts a text once for each use.
fn bytes_of(column: &Column) -> usize {
    let series = column.as_materialized_series();
    let rows = column.len() * VIEW_BYTES + column.len() / 8;
    if let Ok(texts) = series.str() {
        rows + texts.downcast_iter().map(|chunk| chunk.total_buffer_len()).sum::<usize>()
    } else if let Ok(bytes) = series.binary() {
        rows + bytes.downcast_iter().map(|chunk| chunk.total_buffer_len()).sum::<usize>()
    } else {
        series.estimated_size()
    }
}

/// Reads columns from the files. `None` if that fails, which the statement's own read then reports, or if a file has
/// changed or may have changed unnoticed.
fn decode(scan: &TableScan, names: &[&str], row_count: usize) -> Option<Vec<Column>> {
    let selected: Vec<_> = names.iter().map(|name| col(*name)).collect();
    let frame = scan.frame.clone().select(selected);
    let read = || -> PolarsResult<DataFrame> {
        let mut frame = frame.collect_with_engine(Engine::Streaming)?.unwrap_single();
        frame.rechunk_mut();
        Ok(frame)
    };
    let read = catch_unwind(AssertUnwindSafe(read)).ok()?.ok()?;
    if read.height() != row_count || !scan.version.is_settled() {
        return None;
    }
    // What a file says about the order of its values is not trusted.
    let columns = read.columns().iter().map(|column| {
        let mut column = column.clone();
        column.set_sorted_flag(IsSorted::Not);
        column
    });
    Some(columns.collect())
}

impl ColumnCache {
    /// A table, as the most recently read one.
    fn read(&mut self, version: &Arc<FilesVersion>) -> Option<&CachedTable> {
        let place = self.tables.iter().position(|table| table.version == *version)?;
        let table = self.tables.remove(place)?;
        self.tables.push_back(table);
        self.tables.back()
    }

    /// Notes that a table was read.
    fn begin(&mut self, version: &Arc<FilesVersion>, row_count: usize) {
        let version = Arc::clone(version);
        let columns = HashMap::new();
        self.tables.push_back(CachedTable { version, row_count, columns, bytes: 0, is_unreadable: false });
        if self.tables.len() > MAX_TABLES {
            self.evict();
        }
    }

    fn give_up(&mut self, version: &Arc<FilesVersion>) {
        if let Some(table) = self.tables.iter_mut().find(|table| table.version == *version) {
            table.is_unreadable = true;
        }
    }

    /// Adds columns of a table as far as they fit, and evicts other tables.
    fn add(&mut self, version: &Arc<FilesVersion>, columns: &[Column]) {
        let Some(table) = self.tables.iter_mut().find(|table| table.version == *version) else { return };
        for column in columns {
            let bytes = bytes_of(column);
            // Encodings that share parts of texts: the decoded size is not in the footer.
            if table.bytes + bytes > max_bytes() {
                table.is_unreadable = true;
                continue;
            }
            if table.columns.insert(column.name().clone(), column.clone()).is_none() {
                table.bytes += bytes;
                self.bytes += bytes;
            }
        }
        while self.bytes > max_bytes() && self.evict() {}
    }

    fn evict(&mut self) -> bool {
        let Some(table) = self.tables.pop_front() else { return false };
        self.bytes -= table.bytes;
        true
    }
}

fn max_bytes() -> usize {
    let part = heap::limit_bytes().map_or(u64::MAX, |limit| limit / MAX_PART_OF_LIMIT);
    usize::try_from(part).unwrap_or(usize::MAX).min(MAX_BYTES)
}

fn locked(cache: &Mutex<ColumnCache>) -> MutexGuard<'_, ColumnCache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use polars::prelude::ChunkAgg;
    use rowhouse_model::TableFormat;

    use super::*;
    use crate::scan::scan_files;

    /// A file has no version yet if it was changed within this time.
    const SETTLED: Duration = Duration::from_millis(60);

    fn version(path: &Path) -> Arc<FilesVersion> {
        Arc::new(FilesVersion::of(&[path.to_owned()], TableFormat::Csv).expect("a file"))
    }

    #[test]
    fn the_least_recently_read_tables_are_evicted() {
        let folder = tempfile::tempdir().expect("a folder");
        let versions: Vec<_> = ["a", "b", "c"]
            .into_iter()
            .map(|name| {
                let file = folder.path().join(name);
                std::fs::write(&file, name).expect("a file");
                version(&file)
            })
            .collect();
        let mut cache = ColumnCache { tables: VecDeque::new(), bytes: 0 };
        // Two fit, three do not.
        let values = vec![0_i64; MAX_BYTES / 20];
        for version in &versions {
            cache.begin(version, values.len());
            cache.add(version, &[Column::new("x".into(), &values)]);
            assert!(cache.read(&versions[0]).is_some(), "it is read each time");
        }
        assert!(cache.read(&versions[1]).is_none());
        assert!(cache.read(&versions[2]).is_some());
        assert!(cache.bytes <= MAX_BYTES && cache.bytes >= 2 * 8 * values.len(), "{}", cache.bytes);
        // A column that exceeds the limit by itself is not cached, and evicts nothing.
        let (tables, bytes) = (cache.tables.len(), cache.bytes);
        let huge = vec![0_i64; MAX_BYTES / 4];
        cache.add(&versions[2], &[Column::new("y".into(), &huge)]);
        assert_eq!((cache.tables.len(), cache.bytes), (tables, bytes));
        assert!(cache.read(&versions[2]).is_some_and(|table| table.is_unreadable), "nor is it tried again");
    }

    #[test]
    fn the_number_of_tables_is_limited() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut cache = ColumnCache { tables: VecDeque::new(), bytes: 0 };
        for number in 0..=MAX_TABLES {
            let file = folder.path().join(number.to_string());
            std::fs::write(&file, "x").expect("a file");
            cache.begin(&version(&file), 1);
        }
        assert_eq!(cache.tables.len(), MAX_TABLES);
    }

    fn empty() -> Mutex<ColumnCache> {
        Mutex::new(ColumnCache { tables: VecDeque::new(), bytes: 0 })
    }

    fn written(file: &Path, lines: &str) -> TableScan {
        std::fs::write(file, lines).expect("a file");
        scan_files(&file.display().to_string(), TableFormat::Csv).expect("a table")
    }

    #[test]
    fn columns_of_a_table_that_is_read_again_are_cached_until_its_file_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("changing.csv");
        let cache = empty();
        let scan = written(&file, "a,b\n1,x\n2,\n");
        std::thread::sleep(SETTLED);
        let read = |scan: &TableScan, names: &[&str]| {
            columns_in(&cache, scan, names).map(|frame| frame.collect().expect("rows"))
        };
        assert!(read(&scan, &["a"]).is_none(), "the first read");
        let sum = |frame: &DataFrame| frame.column("a").expect("a column").i64().expect("integers").sum();
        assert_eq!(sum(&read(&scan, &["a"]).expect("the second read")), Some(3));
        let further = read(&scan, &["b", "a"]).expect("a further column");
        assert_eq!(further.get_column_names(), ["b", "a"]);
        assert_eq!(further.column("b").expect("a column").null_count(), 1);
        let scan = written(&file, "a,b\n3,x\n4,y\n");
        std::thread::sleep(SETTLED);
        assert!(read(&scan, &["a"]).is_none(), "the first read of the new version");
        assert_eq!(sum(&read(&scan, &["a"]).expect("the second read")), Some(7));
    }

    #[test]
    fn a_file_that_was_just_changed_is_not_cached() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("fresh.csv");
        let cache = empty();
        let first = written(&file, "a\n1\n");
        assert!(columns_in(&cache, &first, &["a"]).is_none());
        std::fs::write(&file, "a\n22\n").expect("a file");
        std::thread::sleep(SETTLED);
        assert!(columns_in(&cache, &first, &["a"]).is_none(), "the file of another version");
    }

    #[test]
    fn the_size_of_texts_includes_their_views() {
        let nulls: Vec<Option<&str>> = vec![None; 1000];
        assert!(bytes_of(&Column::new("a".into(), nulls)) >= 16_000);
        let long = "x".repeat(100);
        assert!(bytes_of(&Column::new("a".into(), vec![long.as_str(); 1000])) >= 116_000);
        assert!(bytes_of(&Column::new("a".into(), vec![1_i64; 1000])) >= 8000);
    }

    #[test]
    fn compressed_texts_are_not_cached() {
        use std::io::Write;

        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.csv.gz");
        let mut gzip = std::process::Command::new("gzip")
            .stdin(std::process::Stdio::piped())
            .stdout(std::fs::File::create(&file).expect("a file"))
            .spawn()
            .expect("gzip");
        gzip.stdin.take().expect("its input").write_all(b"a\n1\n2\n").expect("written");
        assert!(gzip.wait().expect("its end").success());
        std::thread::sleep(SETTLED);
        let scan = scan_files(&file.display().to_string(), TableFormat::Csv).expect("a table");
        assert_eq!((scan.row_count, scan.uncompressed_bytes), (Some(2), None));
        let cache = empty();
        for _ in 0..2 {
            assert!(columns_in(&cache, &scan, &["a"]).is_none());
        }
    }

    #[test]
    fn tables_of_many_rows_are_not_cached() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = empty();
        let lines: String = (0..=MAX_ROWS).map(|number| format!("{number}\n")).collect();
        let large = written(&folder.path().join("large.csv"), &format!("a\n{lines}"));
        std::thread::sleep(SETTLED);
        for _ in 0..2 {
            assert!(columns_in(&cache, &large, &["a"]).is_none());
        }
    }
}
