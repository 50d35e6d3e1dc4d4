//! Runs a frame into an Arrow IPC file: rows in order, batches of [`ROWS_PER_BATCH`], no views, no dictionaries; on the
//! streaming engine in the memory of a few batches.

use std::fs::File;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use polars::prelude::{DataFrame, LazyFrame, PolarsResult};

use super::attempt::{Attempt, NotYet, attempt};
use super::batch_writer::BatchWriter;
use super::output_file::{OutputFile, create_with};
use super::stored_type::StoredColumns;
use rowhouse_executor::OutputLimit;
use rowhouse_executor::protocol::SMALL_RESULT_BYTES;
use rowhouse_rows::arrow_file::{ChecksumWriter, HugePageWriter};
use rowhouse_sql::stages::Written;
use rowhouse_sql::types::Type;

/// Rows of every batch of a result file except the last one: the batch of a page's first row is found by division.
pub(crate) const ROWS_PER_BATCH: NonZeroUsize = NonZeroUsize::new(8192).unwrap();

/// Interval between reports of progress of a running statement.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// The totals of the output, and its bytes if it is a small file, which is not created.
pub(crate) type Output = (Written, Option<Vec<u8>>);

/// Runs `frame`, whose columns have these names and types, into a new file at `path`, with these attempts, and reports
/// the number of rows written so far at intervals. A file that would exceed its limit is an error. The file is not
/// synced; the bytes of a small file are returned instead of written.
pub(crate) fn write(
    frame: &LazyFrame,
    columns: &[(String, Type)],
    (path, limit): (&Path, Option<&OutputLimit>),
    attempts: &[Attempt],
    progress: &mut dyn FnMut(u64),
) -> PolarsResult<Output> {
    let mut is_again = false;
    attempt(attempts, |attempt| {
        if is_again {
            discard(path)?;
        }
        is_again = true;
        let file = OutputFile::new(path.to_owned(), limit.cloned());
        run(attempt, frame.clone(), columns, file, progress)
    })
}

/// Makes a file durable, unless it is small ([`SMALL_RESULT_BYTES`]).
pub(crate) fn sync(path: &Path) -> PolarsResult<()> {
    let file = File::open(path)?;
    if file.metadata()?.len() > SMALL_RESULT_BYTES as u64 {
        file.sync_all()?;
    }
    Ok(())
}

/// Writes a small file whose bytes were returned.
pub(crate) fn put(path: &Path, content: &[u8]) -> PolarsResult<()> {
    Ok(create_with(path, content)?)
}

/// Removes the file of an earlier run, if there is one.
pub(crate) fn discard(path: &Path) -> PolarsResult<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// As [`write()`], with one attempt.
fn run(
    attempt: Attempt,
    frame: LazyFrame,
    columns: &[(String, Type)],
    file: OutputFile,
    progress: &mut dyn FnMut(u64),
) -> PolarsResult<Output> {
    let columns = StoredColumns::new(columns.iter().map(|(name, data_type)| (name.as_str(), data_type)));
    let (checked, footer) = ChecksumWriter::new(HugePageWriter::new(file, 0));
    let mut writer = BatchWriter::of_result(checked, columns)?;
    let rows = if attempt == Attempt::InPlace {
        write_all(&attempt.collect(frame)?, &mut writer)?
    } else {
        write_as_they_come(attempt, frame, &mut writer, progress)?
    };
    footer.set();
    let (bytes, content) = writer.finish()?.seal()?.into_inner().finish()?;
    Ok((Written { rows, bytes }, content))
}

fn write_all<W: Write>(rows: &DataFrame, writer: &mut BatchWriter<W>) -> PolarsResult<u64> {
    for first in (0..rows.height()).step_by(ROWS_PER_BATCH.get()) {
        writer.write(rows.slice(first as i64, ROWS_PER_BATCH.get()))?;
    }
    Ok(rows.height() as u64)
}

fn write_as_they_come<W: Write>(
    attempt: Attempt,
    frame: LazyFrame,
    writer: &mut BatchWriter<W>,
    progress: &mut dyn FnMut(u64),
) -> PolarsResult<u64> {
    attempt.feed(frame, ROWS_PER_BATCH, |batches| {
        let mut rows = 0;
        let mut last_report = Instant::now();
        loop {
            let left = PROGRESS_INTERVAL.saturating_sub(last_report.elapsed());
            if left.is_zero() {
                progress(rows);
                last_report = Instant::now();
                continue;
            }
            match batches.next_within(left) {
                Ok(Some(batch)) => {
                    rows += batch.height() as u64;
                    writer.write(batch)?;
                }
                Ok(None) => return Ok(rows),
                Err(NotYet) => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use polars::prelude::{AllowedOptimizations, DataFrame, IntoLazy, PolarsError, df};
    use rowhouse_model::ErrorCode;

    use super::*;
    use crate::failure;

    /// A frame with more rows than a batch, whose first `times` runs fail.
    fn failing(times: u64, fail: fn() -> PolarsResult<()>) -> LazyFrame {
        let left = AtomicU64::new(times);
        let step = move |frame: DataFrame| {
            let is_over =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err();
            if is_over { Ok(frame) } else { fail().map(|()| frame) }
        };
        let frame = df!("n" => (0..20_000).collect::<Vec<i64>>()).expect("a frame");
        frame.lazy().map(step, AllowedOptimizations::default(), None, Some("fails"))
    }

    fn panics() -> PolarsResult<()> {
        panic!("planned")
    }

    fn write_into(folder: &Path, frame: &LazyFrame) -> std::thread::Result<PolarsResult<Output>> {
        let columns = [("n".to_owned(), Type::BigInt)];
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            write(frame, &columns, (&folder.join("rows.arrow"), None), &Attempt::ALL, &mut |_| {})
        }))
    }

    #[test]
    fn a_fault_of_polars_is_retried_and_every_attempt_writes_the_same_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.arrow");
        let internal = || Err(PolarsError::ShapeMismatch("planned".into()));
        let mut files = Vec::new();
        for frame in [failing(0, panics), failing(1, panics), failing(2, panics), failing(2, internal)] {
            let (written, content) = write_into(folder.path(), &frame).expect("no panic").expect("no error");
            assert!(content.is_none(), "160,000 bytes are a file");
            let file = std::fs::read(&path).expect("the file");
            assert_eq!((written.rows, written.bytes), (20_000, file.len() as u64));
            std::fs::remove_file(&path).expect("the file");
            files.push(file);
        }
        assert!(files.iter().all(|file| *file == files[0]));
        assert!(write_into(folder.path(), &failing(3, panics)).is_err());
    }

    /// The limit holds for every attempt and any division into batches.
    #[test]
    fn a_file_never_exceeds_its_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.arrow");
        let columns = [("n".to_owned(), Type::BigInt)];
        let written = |frame: &LazyFrame, attempts: &[Attempt], bytes: u64| {
            let limit = OutputLimit { bytes, message: "too long (a.setting)".to_owned() };
            let written = write(frame, &columns, (&path, Some(&limit)), attempts, &mut |_| {});
            let on_disk = std::fs::metadata(&path).map_or(0, |file| file.len());
            discard(&path).expect("removed");
            assert!(on_disk <= bytes, "{on_disk} of {bytes}");
            written.map(|(written, _)| written.bytes).map_err(|error| failure::query_error(&error))
        };
        let large = failing(0, panics);
        let small = df!("n" => [1_i64, 2, 3]).expect("a frame").lazy();
        for attempts in [&Attempt::ALL[..], &Attempt::LIGHT[..]] {
            for frame in [&large, &small] {
                let whole = written(frame, attempts, u64::MAX).expect("no limit");
                assert_eq!(written(frame, attempts, whole), Ok(whole), "a limit may be reached");
                for bytes in [0, 10, whole / 2, whole - 1] {
                    let error = written(frame, attempts, bytes).expect_err("too long");
                    assert_eq!(error.code(), Some(ErrorCode::GenericInsufficientResources));
                    assert_eq!(error.message, "too long (a.setting)");
                }
            }
        }
    }

    #[test]
    fn an_error_of_the_statement_is_not_retried() {
        let folder = tempfile::tempdir().expect("a folder");
        let divides = || Err(failure::raise(ErrorCode::DivisionByZero, "Division by zero"));
        let written = write_into(folder.path(), &failing(1, divides)).expect("no panic");
        let error = failure::query_error(&written.expect_err("no rows"));
        assert_eq!(error.code(), Some(ErrorCode::DivisionByZero));
    }
}
