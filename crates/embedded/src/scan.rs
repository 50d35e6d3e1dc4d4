//! Tables as lazy frames: their files, their columns in SQL, their row counts as far as the files determine them. A
//! file that is replaced between two statements is read again by the second one.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use polars::io::HiveOptions;
use polars::lazy::dsl::ScanSources;
use polars::lazy::prelude::{
    LazyCsvReader, LazyFileListReader, LazyFrame, LazyJsonLineReader, ScanArgsParquet,
};
use polars::prelude::{
    DataType, Expr, IntoColumn, IpcScanOptions, PlRefPath, PolarsError, PolarsResult, Schema,
    UnifiedScanArgs, col,
};
use polars::series::IsSorted;
use rowhouse_model::{ErrorCode, QueryError, TableFormat};

pub(crate) use self::column_cache::clear as clear_column_cache;
use self::stamp::{FilesVersion, InspectionCache};
use self::statistics::Facts;
use super::data_type::{sql_type, storage};
use super::datum::{Argument, Nulls, row_by_row};
use super::failure;
use super::numeric::kernel;
use super::order_key::is_nested;
use rowhouse_executor::catalog::files::list_files;
use rowhouse_executor::mark_denied_file;
use rowhouse_sql::statistics::{RequestedColumn, TableStatistics};
use rowhouse_sql::types::Type;

mod column_cache;
mod dictionary;
mod footer;
mod mappings;
mod ndjson;
mod sample;
mod schema_size;
mod stamp;
mod statistics;

/// How often files are looked at again that were replaced meanwhile.
const MAX_ATTEMPTS: usize = 16;

/// A table that is ready to be read.
#[derive(Clone)]
pub(crate) struct TableScan {
    /// All columns, in SQL's types and under their own names, read from the files.
    pub(crate) frame: LazyFrame,
    /// Names and types of the columns.
    pub(crate) columns: Vec<(String, Type)>,
    /// Its files.
    pub(crate) files: Vec<PathBuf>,
    /// The number of rows from the footers, or as counted when text files were inspected.
    pub(crate) row_count: Option<u64>,
    /// Columns that contain no NULL according to the footers.
    pub(crate) not_null_columns: HashSet<String>,
    /// Columns that probably have few values in a part of each file, according to the footers.
    pub(crate) few_valued_columns: HashSet<String>,
    facts: Facts,
    /// The total size of its files.
    pub(crate) bytes: u64,
    /// The size of its values before compression, where that is known and the values are not read in place.
    uncompressed_bytes: Option<u64>,
    /// The offset from UTC of all zoned timestamps of a column, where the files of results say so.
    pub(crate) column_offsets: HashMap<String, String>,
    version: Arc<FilesVersion>,
}

/// The files at a location as a table.
pub(crate) fn scan_files(location: &str, format: TableFormat) -> Result<TableScan, QueryError> {
    scan_paths(list_files(location, format)?, format)
}

/// Files of one format, in that order, as a table.
pub(crate) fn scan_paths(files: Vec<PathBuf>, format: TableFormat) -> Result<TableScan, QueryError> {
    let in_file = |error: &PolarsError| unreadable(&files, format, error);
    let mut attempts = 0..MAX_ATTEMPTS;
    let (version, frame, found) = loop {
        let version = FilesVersion::of(&files, format).map_err(|error| in_file(&error.into()))?;
        let version = Arc::new(version);
        let read = read_version(&files, format, &version).map_err(|error| in_file(&error))?;
        match (read, attempts.next()) {
            (Some((frame, found)), _) => break (version, frame, found),
            (None, Some(_)) => {}
            (None, None) => {
                let what = "it is replaced again and again while it is read";
                return Err(in_file(&PolarsError::ComputeError(what.into())));
            }
        }
    };
    let columns = sql_columns(&found)?;
    let frame = with_sql_types(frame, &found, &columns);
    let bytes = files.iter().map(|file| file.metadata().map_or(0, |metadata| metadata.len())).sum();
    let Found {
        schema,
        row_count,
        mut not_null_columns,
        few_valued_columns,
        facts,
        uncompressed_bytes,
        whole_columns: _,
        map_columns: _,
        column_offsets,
    } = found;
    // A cast may replace values by NULL.
    let is_as_found =
        |name: &str, data_type| schema.get(name).is_some_and(|found| *found == storage(data_type));
    not_null_columns
        .retain(|full| columns.iter().any(|(name, found)| name == full && is_as_found(name, found)));
    Ok(TableScan {
        frame,
        columns,
        row_count,
        not_null_columns,
        few_valued_columns,
        facts,
        bytes,
        files,
        uncompressed_bytes,
        column_offsets,
        version,
    })
}

/// The frame of a version's files, and what inspecting them gives; `None` if one was replaced meanwhile. Files that stay mapped
/// (D161) are read as they were inspected, others as they are when the statement opens them.
fn read_version(
    files: &[PathBuf],
    format: TableFormat,
    version: &Arc<FilesVersion>,
) -> PolarsResult<Option<(LazyFrame, Found)>> {
    let mapped = match format {
        TableFormat::Parquet => mappings::frame(version, parquet_frame),
        TableFormat::Arrow => mappings::frame(version, arrow_frame),
        TableFormat::Csv | TableFormat::Ndjson => None,
    };
    let Some(found) = InspectionCache::inspect(version, || footer::inspect(files, format))? else {
        return Ok(None);
    };
    let frame = match mapped {
        Some(frame) => frame?,
        None if version.is_present() => lazy_frame(files, format, &found.schema)?,
        None => return Ok(None),
    };
    Ok(Some((frame, found)))
}

impl TableScan {
    /// The statistics of columns by name.
    pub(crate) fn statistics(&self, columns: &[RequestedColumn<'_>]) -> TableStatistics {
        self.facts.statistics(&self.files, columns)
    }

    /// The least and the greatest value of a column of integers or dates, according to the footers of its files.
    pub(crate) fn integer_range(&self, name: &str) -> Option<(i64, i64)> {
        self.facts.integer_range(name)
    }

    /// Whether it is read from Parquet files whose columns are decoded one by one, and not from the column cache.
    pub(crate) fn is_decoded_by_column(&self) -> bool {
        !self.facts.is_empty() && self.row_count.is_some_and(|rows| rows > column_cache::MAX_ROWS)
    }

    /// Whether a column's values in each row group are at least as great as those in the row groups before it.
    pub(crate) fn has_increasing_row_groups(&self, name: &str) -> bool {
        self.facts.has_increasing_row_groups(name)
    }

    /// Whether the row groups of its files have different ranges of a column, so that some of them can be skipped.
    pub(crate) fn has_ordered_row_groups(&self, name: &str) -> bool {
        self.facts.has_ordered_row_groups(name)
    }

    /// The same table, read from its files each time.
    #[cfg(test)]
    pub(crate) fn uncached(self) -> Self {
        Self { uncompressed_bytes: None, ..self }
    }

    /// A frame that has these columns: their cached values, or the table's files.
    pub(crate) fn frame_of(&self, names: &[&str]) -> LazyFrame {
        let is_flat = |name: &str| {
            self.columns.iter().any(|(column, data_type)| column == name && !is_nested(data_type))
        };
        let cached =
            if names.iter().all(|name| is_flat(name)) { column_cache::columns(self, names) } else { None };
        cached.unwrap_or_else(|| self.frame.clone())
    }
}

fn lazy_frame(files: &[PathBuf], format: TableFormat, schema: &Schema) -> PolarsResult<LazyFrame> {
    let paths = paths(files)?;
    match format {
        TableFormat::Parquet => parquet_frame(ScanSources::Paths(paths.into())),
        TableFormat::Arrow => arrow_frame(ScanSources::Paths(paths.into())),
        TableFormat::Csv => {
            csv_reader(paths).with_schema(Some(schema.clone().into())).with_glob(false).finish()
        }
        TableFormat::Ndjson => {
            LazyJsonLineReader::new_paths(paths.into()).with_schema(Some(schema.clone().into())).finish()
        }
    }
}

fn parquet_frame(files: ScanSources) -> PolarsResult<LazyFrame> {
    let arguments = ScanArgsParquet {
        hive_options: HiveOptions::new_disabled(),
        glob: false,
        cache: false,
        ..ScanArgsParquet::default()
    };
    LazyFrame::scan_parquet_sources(files, arguments)
}

/// Arrow files with the same columns, in order.
pub(super) fn arrow_frame(files: ScanSources) -> PolarsResult<LazyFrame> {
    let arguments = UnifiedScanArgs {
        hive_options: HiveOptions::new_disabled(),
        glob: false,
        cache: false,
        ..UnifiedScanArgs::default()
    };
    LazyFrame::scan_ipc_sources(files, IpcScanOptions::default(), arguments)
}

/// A CSV file has a header line. Its types are those that hold every value of every line: the whole file is read once
/// per version of the file, so that no later line can fail a statement. An empty field is NULL.
fn csv_reader(paths: Vec<PlRefPath>) -> LazyCsvReader {
    LazyCsvReader::new_paths(paths.into())
        .with_has_header(true)
        .with_infer_schema_length(None)
        .with_infer_schema_files(NonZeroUsize::MAX)
        .with_try_parse_dates(true)
        .with_cache(false)
}

fn paths(files: &[PathBuf]) -> PolarsResult<Vec<PlRefPath>> {
    files.iter().map(|file| PlRefPath::try_from_path(file)).collect()
}

fn sql_columns(found: &Found) -> Result<Vec<(String, Type)>, QueryError> {
    let schema = &found.schema;
    schema
        .iter()
        .map(|(name, stored)| {
            let of_maps = found.map_columns.get(name.as_str()).cloned();
            let data_type = of_maps.or_else(|| sql_type(stored)).ok_or_else(|| {
                let what = format!("column '{name}' has type {stored}, which SQL has no type for");
                QueryError::new(ErrorCode::NotSupported, what)
            })?;
            match data_type.storage_fault() {
                Some(fault) => {
                    Err(QueryError::new(ErrorCode::NotSupported, format!("column '{name}' has {fault}")))
                }
                None => Ok((name.to_string(), data_type)),
            }
        })
        .collect()
}

/// Casts the columns whose storage differs. Other columns are left unchanged, so that Polars can still push predicates
/// and projections into the files, unless their values must be read first.
fn with_sql_types(frame: LazyFrame, found: &Found, columns: &[(String, Type)]) -> LazyFrame {
    let changed: Vec<Expr> = found
        .schema
        .iter()
        .zip(columns)
        .filter_map(|((name, stored), (_, data_type))| {
            let is_whole = found.whole_columns.contains(name.as_str());
            let column = if is_whole { read_whole(col(name.clone()), stored) } else { col(name.clone()) };
            if found.map_columns.contains_key(name.as_str()) {
                return Some(maps(col(name.clone()), data_type));
            }
            let wanted = storage(data_type);
            let is_cast = *stored != wanted;
            (is_cast || is_whole).then(|| if is_cast { cast(column, stored, &wanted) } else { column })
        })
        .collect();
    if changed.is_empty() { frame } else { frame.with_columns(changed) }
}

/// Maps in their storage here: entries are ordered by key. Fields of entries are read by index, not by name.
fn maps(column: Expr, data_type: &Type) -> Expr {
    let argument = Argument { value: column, data_type: data_type.clone() };
    row_by_row(vec![argument], data_type.clone(), Nulls::Propagate, |row| Ok(row[0].clone().into_owned()))
}

/// The values, in an unknown order. Polars does not inspect functions, so it evaluates predicates on the result.
fn read_whole(column: Expr, stored: &DataType) -> Expr {
    kernel(column, &[], stored.clone(), |columns| {
        let mut values = columns[0].as_materialized_series().clone();
        values.set_sorted_flag(IsSorted::Not);
        Ok(values.into_column())
    })
}

fn cast(column: Expr, found: &DataType, wanted: &DataType) -> Expr {
    match found {
        // Polars casts no 128-bit integer to a decimal of full precision in one step without a check of its digits; the
        // strict cast is that check.
        DataType::Int128 | DataType::UInt128 => column.strict_cast(wanted.clone()),
        _ => column.cast(wanted.clone()),
    }
}

fn unreadable(files: &[PathBuf], format: TableFormat, error: &PolarsError) -> QueryError {
    let place = match files {
        [file] => file.display().to_string(),
        [first, .., last] => format!("{} … {}", first.display(), last.display()),
        [] => String::new(),
    };
    let what = error.to_string();
    if let Some(exceeded) = failure::of_no_memory(error) {
        let message = format!("cannot read {format:?} file {place}: {}", exceeded.message);
        return QueryError { message, ..exceeded };
    }
    let what = what.lines().next().unwrap_or_default();
    let unreadable =
        QueryError::new(ErrorCode::External, format!("cannot read {format:?} file {place}: {what}"));
    if failure::is_denied(error) { mark_denied_file(unreadable) } else { unreadable }
}

/// The result of inspecting files.
#[derive(Clone, Debug)]
struct Found {
    schema: Schema,
    row_count: Option<u64>,
    /// As in [`TableScan`].
    uncompressed_bytes: Option<u64>,
    not_null_columns: HashSet<String>,
    few_valued_columns: HashSet<String>,
    /// Columns whose values must be read before predicates are evaluated.
    whole_columns: HashSet<String>,
    facts: Facts,
    /// Columns that are or contain maps, with their types: Polars reads a map as a list.
    map_columns: HashMap<String, Type>,
    /// As in [`TableScan`].
    column_offsets: HashMap<String, String>,
}

impl Found {
    /// The result for files without metadata about the values of their columns.
    fn of_unknown_values(schema: Schema) -> Self {
        Self {
            schema,
            row_count: None,
            uncompressed_bytes: None,
            not_null_columns: HashSet::new(),
            few_valued_columns: HashSet::new(),
            whole_columns: HashSet::new(),
            facts: Facts::default(),
            map_columns: HashMap::new(),
            column_offsets: HashMap::new(),
        }
    }
}

impl std::fmt::Debug for TableScan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableScan")
            .field("columns", &self.columns)
            .field("files", &self.files)
            .field("row_count", &self.row_count)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
