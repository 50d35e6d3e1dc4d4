//! Runs a frame on the streaming engine into an Arrow IPC file: rows in order, batches of
//! [`ROWS_PER_BATCH`], no views, no dictionaries, memory bounded by a few batches.

use std::fs::File;
use std::io::BufWriter;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use polars::prelude::{
    Column, CompatLevel, DataFrame, Engine, LazyFrame, PlanCallback, PolarsError, PolarsResult, Schema,
};
use polars_arrow::datatypes::ArrowSchema;
use polars_arrow::io::ipc::write::{FileWriter, WriteOptions};
use polars_arrow::record_batch::RecordBatchT;

/// Rows of every batch of a result file but the last: a page's first row is found by division.
pub(crate) const ROWS_PER_BATCH: NonZeroUsize = NonZeroUsize::new(8192).unwrap();

/// Time between two looks at a running statement.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// What was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
}

/// Runs `frame`, whose columns have the names and types of `schema`, into a new file at `path`; tells the
/// rows written so far from time to time. The file is durable when this returns.
///
/// Some panics of Polars are over what its optimizer made of a plan, sources that it found to be empty for instance, so
/// the plan is run once more as it was given, which is slower; the caller gets the panic of that.
pub(crate) fn write(
    frame: LazyFrame,
    schema: &Schema,
    path: &Path,
    progress: &mut dyn FnMut(u64),
) -> PolarsResult<Written> {
    if let Ok(written) = run(frame.clone(), schema, path, progress)? {
        return Ok(written);
    }
    std::fs::remove_file(path)?;
    let again = run(frame.without_optimizations(), schema, path, progress)?;
    Ok(again.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

/// As [`write()`], once; the inner error is a panic's.
fn run(
    frame: LazyFrame,
    schema: &Schema,
    path: &Path,
    progress: &mut dyn FnMut(u64),
) -> PolarsResult<std::thread::Result<Written>> {
    let rows = Arc::new(AtomicU64::new(0));
    let writer = Arc::new(Mutex::new(ResultWriter::create(path, schema, Arc::clone(&rows))?));
    let callback = {
        let writer = Arc::clone(&writer);
        PlanCallback::new(move |frame: DataFrame| {
            writer.lock().unwrap_or_else(PoisonError::into_inner).write(frame)?;
            Ok(false)
        })
    };
    let sink = frame.sink_batches(callback, true, Some(ROWS_PER_BATCH))?;
    let ran = std::thread::scope(|scope| {
        let (done, running) = mpsc::channel();
        std::thread::Builder::new().name("rowhouse-run".to_owned()).spawn_scoped(scope, move || {
            let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                sink.collect_with_engine(Engine::Streaming).map(|_| ())
            }));
            done.send(ran)
        })?;
        loop {
            match running.recv_timeout(PROGRESS_INTERVAL) {
                Ok(ran) => return Ok(ran),
                Err(RecvTimeoutError::Timeout) => progress(rows.load(Ordering::Relaxed)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PolarsError::ComputeError("the run ended without an answer".into()));
                }
            }
        }
    })?;
    match ran {
        Ok(ran) => ran?,
        Err(panic) => return Ok(Err(panic)),
    }
    let bytes = writer.lock().unwrap_or_else(PoisonError::into_inner).finish()?;
    Ok(Ok(Written { rows: rows.load(Ordering::Relaxed), bytes }))
}

/// A result file that is being written.
struct ResultWriter {
    writer: FileWriter<BufWriter<File>>,
    schema: Arc<ArrowSchema>,
    rows: Arc<AtomicU64>,
    file: File,
}

impl ResultWriter {
    fn create(path: &Path, schema: &Schema, rows: Arc<AtomicU64>) -> PolarsResult<Self> {
        let file = File::options().write(true).create_new(true).open(path)?;
        let schema: Arc<ArrowSchema> = Arc::new(
            schema
                .iter()
                .map(|(name, data_type)| {
                    let field = data_type.to_arrow_field(name.clone(), CompatLevel::oldest());
                    (name.clone(), field)
                })
                .collect(),
        );
        let buffered = BufWriter::with_capacity(1 << 20, file.try_clone()?);
        let options = WriteOptions { compression: None };
        let writer = FileWriter::try_new(buffered, Arc::clone(&schema), None, options)?;
        Ok(Self { writer, schema, rows, file })
    }

    fn write(&mut self, mut frame: DataFrame) -> PolarsResult<()> {
        let height = frame.height();
        if height == 0 {
            return Ok(());
        }
        frame.rechunk_mut();
        let arrays = frame
            .columns()
            .iter()
            .map(|column: &Column| column.as_materialized_series().to_arrow(0, CompatLevel::oldest()))
            .collect();
        let batch = RecordBatchT::try_new(height, Arc::clone(&self.schema), arrays)?;
        self.writer.write(&batch, None)?;
        self.rows.fetch_add(height as u64, Ordering::Relaxed);
        Ok(())
    }

    fn finish(&mut self) -> PolarsResult<u64> {
        self.writer.finish()?;
        self.file.sync_all()?;
        Ok(self.file.metadata()?.len())
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::{AllowedOptimizations, IntoLazy, df};

    use super::*;

    /// A frame of three rows that panics the first times that it is run.
    fn panicking(times: u64) -> LazyFrame {
        let left = AtomicU64::new(times);
        let step = move |frame: DataFrame| {
            let is_over =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err();
            assert!(is_over, "planned");
            Ok(frame)
        };
        let frame = df!("n" => [1_i64, 2, 3]).expect("a frame");
        frame.lazy().map(step, AllowedOptimizations::default(), None, Some("panics"))
    }

    fn write_into(folder: &Path, frame: LazyFrame) -> std::thread::Result<PolarsResult<Written>> {
        let schema = Schema::from_iter([("n".into(), polars::prelude::DataType::Int64)]);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            write(frame, &schema, &folder.join("rows.arrow"), &mut |_| {})
        }))
    }

    #[test]
    fn a_panic_is_given_a_second_chance_and_no_third() {
        let folder = tempfile::tempdir().expect("a folder");
        let written = write_into(folder.path(), panicking(1)).expect("no panic").expect("no error");
        let file = std::fs::metadata(folder.path().join("rows.arrow")).expect("the file");
        assert_eq!((written.rows, written.bytes), (3, file.len()));
        std::fs::remove_file(folder.path().join("rows.arrow")).expect("the file");
        assert!(write_into(folder.path(), panicking(2)).is_err());
    }
}
