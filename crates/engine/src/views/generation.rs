//! One generation of a materialized view: its Arrow file, statistics of its batches and indexes of the columns that
//! reads must filter on. Built once beside the served one, then immutable. Serving and removing generations is decided
//! elsewhere.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rowhouse_model::{Column, Timestamp};

use super::demand::Demand;
use super::index::{self, Index};
use super::statistics::{Statistics, StatisticsBuilder};
use crate::{Error, Result};
use rowhouse_rows::arrow_file::{ArrowFile, ArrowFileWriter, Loss, ROWS_PER_BATCH};
use rowhouse_rows::{ProjectedColumn, Projection};

/// A generation that can be read.
#[derive(Debug)]
pub struct Generation {
    number: u64,
    columns: Arc<[Column]>,
    projection: Projection,
    refreshed_at: Timestamp,
    file: Arc<ArrowFile>,
    /// Damage to any of its files: each is useful only together with all others.
    loss: Loss,
    statistics: Arc<Statistics>,
    /// By the column's position.
    indexes: Vec<IndexPlace>,
    demand: Arc<Demand>,
}

/// The index of a column, or the place for one.
#[derive(Debug, Default)]
struct IndexPlace {
    index: OnceLock<Index>,
    /// Whether a read has used it since the generation was opened.
    is_used: AtomicBool,
}

impl Generation {
    /// Makes a finished result file a generation in the folder of a view: a hard link if the file has the required
    /// layout, else a rewritten copy; then statistics, and an index for each of `indexed_columns` (positions in
    /// `columns`; those without order get none). Everything is synced when this returns. Blocking; reads the file once,
    /// and once or twice more for each index, in bounded memory.
    ///
    /// # Errors
    /// `Internal`: the result file is corrupt, or the disk is full. Written files are removed.
    pub fn build(
        folder: &Path,
        number: u64,
        result_file: &Path,
        columns: Arc<[Column]>,
        indexed_columns: &[usize],
        refreshed_at: Timestamp,
    ) -> Result<Self> {
        let built = Self::build_files(folder, number, result_file, indexed_columns)
            .and_then(|()| Self::open(folder, number, columns, refreshed_at));
        if built.is_err() {
            Self::remove(folder, number);
        }
        built
    }

    /// Opens an existing generation. Reads neither rows nor keys, only heads and footers.
    ///
    /// # Errors
    /// `Damaged`: a file is not what was written; `Internal`: one is missing, or does not have the columns.
    pub fn open(folder: &Path, number: u64, columns: Arc<[Column]>, refreshed_at: Timestamp) -> Result<Self> {
        let loss = Loss::default();
        let statistics = Arc::new(Statistics::open(&statistics_path(folder, number), loss.clone())?);
        let file =
            ArrowFile::open_with_starts(&file_path(folder, number), statistics.starts(), loss.clone())?;
        let field_count = file.schema().fields().len();
        if field_count != columns.len() || statistics.column_count() != columns.len() {
            return Err(Error::internal(
                format!("cannot open generation {number} in {}", folder.display()),
                format!("its file has {field_count} columns, the view has {}", columns.len()),
            ));
        }
        let indexes = (0..columns.len()).map(|column| -> Result<IndexPlace> {
            let path = index_path(folder, number, column);
            let place = IndexPlace::default();
            if path.exists() {
                // OK to ignore: the place was made a moment ago and is empty.
                let _ = place.index.set(Index::open(&path, file.num_rows(), loss.clone())?);
            }
            Ok(place)
        });
        let indexes = indexes.collect::<Result<Vec<_>>>()?;
        let index_count = indexes.iter().filter(|place| place.index.get().is_some()).count();
        let demand = Arc::new(Demand::new(file.num_rows(), columns.len(), index_count));
        let names = columns.iter().map(|column| column.name.clone()).enumerate();
        let projection = names.map(|(index, name)| ProjectedColumn { name, index }).collect();
        let projection = Projection::with_encoded_rows(projection, &file);
        Ok(Self { number, columns, projection, refreshed_at, file, loss, statistics, indexes, demand })
    }

    /// Removes the files of a generation. Readers that have it open continue.
    pub fn remove(folder: &Path, number: u64) {
        let prefix = format!("{number}.");
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in
            entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
        {
            if let Err(error) = std::fs::remove_file(entry.path()) {
                tracing::warn!(%error, path = %entry.path().display(), "a file of an old generation stays");
            }
        }
    }

    /// Bytes of the files of a generation; missing files count as 0. Blocking.
    pub fn bytes(folder: &Path, number: u64) -> u64 {
        let prefix = format!("{number}.");
        let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
        entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
            .filter_map(|entry| entry.metadata().ok())
            .map(|metadata| metadata.len())
            .sum()
    }

    /// Path of the rows of a generation.
    pub fn path(folder: &Path, number: u64) -> PathBuf {
        file_path(folder, number)
    }

    /// Its number among the generations of its view, from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The view's columns, in the order of the file's.
    pub fn columns(&self) -> &Arc<[Column]> {
        &self.columns
    }

    /// All columns, for reads without `columnNames`.
    pub const fn projection(&self) -> &Projection {
        &self.projection
    }

    /// When its statement finished.
    pub const fn refreshed_at(&self) -> Timestamp {
        self.refreshed_at
    }

    /// The file of its rows.
    pub fn file(&self) -> &Arc<ArrowFile> {
        &self.file
    }

    /// Its row count.
    pub fn row_count(&self) -> u64 {
        self.file.num_rows()
    }

    /// Runs work over its files; its output is valid only if all of them could be read.
    ///
    /// # Errors
    /// Errors of the work; `Damaged`: a file was cut off, or cannot be read.
    pub(super) fn guarded<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.file.guarded(work)
    }

    pub(super) fn statistics(&self) -> &Arc<Statistics> {
        &self.statistics
    }

    pub(super) fn index(&self, column: usize) -> Option<&Index> {
        let place = self.indexes.get(column)?;
        let index = place.index.get()?;
        if !place.is_used.load(Ordering::Relaxed) {
            place.is_used.store(true, Ordering::Relaxed);
        }
        Some(index)
    }

    pub(super) fn demand(&self) -> &Arc<Demand> {
        &self.demand
    }

    /// A column whose scans have paid for an index; each is returned once.
    pub(super) fn take_earned_index(&self) -> Option<usize> {
        self.demand.take(|column| self.indexes[column].index.get().is_some())
    }

    /// Builds the index of a column and uses it for later reads. Blocking. A failure is logged: reads continue without
    /// the index.
    pub(super) fn build_earned_index(&self, column: usize) {
        let Some(folder) = self.file.path().parent() else { return };
        let path = index_path(folder, self.number, column);
        let built = self.guarded(|| index::build(&self.file, column, &path)).and_then(|is_built| {
            let open = || Index::open(&path, self.file.num_rows(), self.loss.clone());
            is_built.then(open).transpose()
        });
        let name = &self.columns[column].name;
        match built {
            Ok(Some(index)) => {
                tracing::info!(column = %name, path = %path.display(), "an index was built for its filters");
                // OK to ignore: another one of the same rows is equivalent.
                let _ = self.indexes[column].index.set(index);
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, column = %name, "an index could not be built"),
        }
    }

    /// Names of the columns whose index reads have used: the next generation gets them as well.
    pub(super) fn used_indexes(&self) -> Vec<String> {
        let used = |place: &IndexPlace| place.index.get().is_some() && place.is_used.load(Ordering::Relaxed);
        let columns = self.columns.iter().zip(&self.indexes).filter(|(_, place)| used(place));
        columns.map(|(column, _)| column.name.clone()).collect()
    }

    fn build_files(folder: &Path, number: u64, result_file: &Path, indexed_columns: &[usize]) -> Result<()> {
        let disk = |error: io::Error| {
            Error::internal(format!("cannot build generation {number} in {}", folder.display()), error)
        };
        std::fs::create_dir_all(folder).map_err(disk)?;
        // Remains of a killed build of this number.
        Self::remove(folder, number);
        let path = file_path(folder, number);
        let result = ArrowFile::open(result_file)?;
        if is_readable_directly(&result)? {
            std::fs::hard_link(result_file, &path)
                .or_else(|_| std::fs::copy(result_file, &path).and_then(|_| File::open(&path)?.sync_all()))
                .map_err(disk)?;
        } else {
            rewrite(&result, &path)?;
        }
        drop(result);
        let file = ArrowFile::open(&path)?;
        file.guarded(|| {
            let mut statistics = StatisticsBuilder::new(&file);
            for batch in 0..file.num_batches() {
                statistics.add(&file.decode_batch(batch)?);
                file.forget_batch(batch);
            }
            statistics.write(&statistics_path(folder, number))?;
            indexed_columns.iter().try_for_each(|column| {
                index::build(&file, *column, &index_path(folder, number, *column)).map(drop)
            })
        })?;
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(disk)
    }
}

/// Maximum number of small batches: a scan of this many still costs little.
const SMALL_BATCHES: u64 = 8;

/// Whether readers can use the file without rewriting: values are uncompressed in place, and batches have a size at
/// which a page does not read many unneeded rows, nor a scan many batches.
fn is_readable_directly(file: &ArrowFile) -> Result<bool> {
    let rows_per_batch = ROWS_PER_BATCH as u64;
    let mut lengths =
        (0..file.num_batches()).map(|batch| file.rows_of_batch(batch)).map(|rows| rows.end - rows.start);
    let none_is_large = lengths.all(|length| length <= rows_per_batch * 4);
    let few_are_small = file.num_batches() as u64 <= file.num_rows() / (rows_per_batch / 4) + SMALL_BATCHES;
    Ok(none_is_large && few_are_small && file.is_zero_copy()?)
}

fn rewrite(source: &ArrowFile, path: &Path) -> Result<()> {
    let partial = path.with_added_extension("partial");
    let mut writer = ArrowFileWriter::create(&partial, Arc::clone(source.schema()))?;
    for batch in 0..source.num_batches() {
        source.guarded(|| writer.write(&source.decode_batch(batch)?.record_batch()?))?;
        source.forget_batch(batch);
    }
    writer.finish()?;
    std::fs::rename(&partial, path)
        .map_err(|error| Error::internal(format!("cannot write {}", path.display()), error))
}

fn file_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number}.arrow"))
}

fn statistics_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number}.stats"))
}

fn index_path(folder: &Path, number: u64, column: usize) -> PathBuf {
    folder.join(format!("{number}.{column}.index"))
}
