//! Generates the sample catalog's files on first use, with the `tpchgen` crate: one Parquet file per table, written
//! under a temporary name and renamed, so that a crash leaves no partial file and readers never see one.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Decimal128Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use rowhouse_model::QueryError;

use super::failure;
use rowhouse_executor::catalog::tpch::{TpchSchema, TpchTable, TpchType};

mod rows;

/// Rows of a row group: large enough to scan at full speed, small enough to be skipped by its statistics.
const ROWS_PER_GROUP: usize = 128 * 1024;

/// Size in bytes of a dictionary beyond which values are stored themselves: a dictionary with nearly as many values as
/// rows does not make a column smaller, but slower to read.
const MAX_DICTIONARY_BYTES: usize = 128 * 1024;

/// Precision and scale of a decimal column.
const DECIMAL: (u8, i8) = (15, 2);

/// The table's file, which is created if it is missing. Processes that need the same file wait for each other.
pub(crate) fn file(tpch_dir: &Path, schema: TpchSchema, table: &TpchTable) -> Result<PathBuf, QueryError> {
    let path = table.file(tpch_dir, schema);
    if !path.exists() {
        make(&path, schema, table).map_err(|error| {
            failure::internal("TpchGenerator", &format!("making {}: {error}", path.display()))
        })?;
    }
    Ok(path)
}

fn make(path: &Path, schema: TpchSchema, table: &TpchTable) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // The lock ends with the file handle, so a killed worker releases it.
    let lock = File::create(folder.join(format!(".{}.lock", table.name)))?;
    lock.lock()?;
    if path.exists() {
        return Ok(());
    }
    let partial = folder.join(format!(".{}.partial", table.name));
    let mut group = RowGroup::new(table);
    {
        let file = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
        let mut writer = ArrowWriter::try_new(file, Arc::clone(&group.schema), Some(properties()))?;
        rows::generate(table.name, schema.scale_factor, &mut |push| {
            group.next = 0;
            push(&mut group);
            group.rows += 1;
            if group.rows == ROWS_PER_GROUP {
                group.write(&mut writer)?;
            }
            Ok(())
        })?;
        if group.rows > 0 {
            group.write(&mut writer)?;
        }
        writer.close()?;
    }
    File::open(&partial)?.sync_all()?;
    fs::rename(&partial, path)?;
    File::open(folder)?.sync_all()?;
    tracing::info!(file = %path.display(), "sample table made");
    Ok(())
}

/// Common settings of Parquet writers, with row groups whose columns are small enough to be decoded by one thread each.
fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_page_size_limit(MAX_DICTIONARY_BYTES)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
        .build()
}

/// Rows that are collected for one row group, column by column.
#[derive(Debug)]
struct RowGroup {
    schema: Arc<Schema>,
    columns: Vec<Values>,
    /// The column of the next value of a row.
    next: usize,
    rows: usize,
}

#[derive(Debug)]
enum Values {
    Bigint(Vec<i64>),
    Integer(Vec<i32>),
    Decimal(Vec<i128>),
    Date(Vec<i32>),
    Varchar(Vec<String>),
}

impl RowGroup {
    fn new(table: &TpchTable) -> Self {
        let values = |data_type: TpchType| match data_type {
            TpchType::Bigint => Values::Bigint(Vec::new()),
            TpchType::Integer => Values::Integer(Vec::new()),
            TpchType::Decimal => Values::Decimal(Vec::new()),
            TpchType::Date => Values::Date(Vec::new()),
            TpchType::Varchar(_) => Values::Varchar(Vec::new()),
        };
        let columns: Vec<Values> = table.columns.iter().map(|&(_, data_type)| values(data_type)).collect();
        let fields = table.columns.iter().zip(&columns);
        let fields: Vec<Field> =
            fields.map(|(&(name, _), values)| Field::new(name, values.data_type(), false)).collect();
        Self { schema: Arc::new(Schema::new(fields)), columns, next: 0, rows: 0 }
    }

    /// Adds the row's next value: a number, days since the epoch, or cents for a decimal column.
    fn number(&mut self, value: i64) -> &mut Self {
        match &mut self.columns[self.next] {
            Values::Bigint(values) => values.push(value),
            Values::Decimal(values) => values.push(i128::from(value)),
            // OK because TPC-H's 32-bit columns hold sizes, line numbers and days, which fit.
            Values::Integer(values) | Values::Date(values) => {
                values.push(i32::try_from(value).unwrap_or(i32::MAX));
            }
            Values::Varchar(values) => values.push(value.to_string()),
        }
        self.next += 1;
        self
    }

    /// Adds the row's next value: text.
    fn text(&mut self, value: impl ToString) -> &mut Self {
        if let Values::Varchar(values) = &mut self.columns[self.next] {
            values.push(value.to_string());
        }
        self.next += 1;
        self
    }

    /// Writes the rows as a row group and clears them.
    fn write(&mut self, writer: &mut ArrowWriter<BufWriter<File>>) -> io::Result<()> {
        self.rows = 0;
        let columns = self.columns.iter_mut().map(Values::take).collect::<Result<_, _>>();
        let batch = columns.and_then(|columns| RecordBatch::try_new(Arc::clone(&self.schema), columns));
        writer.write(&batch.map_err(io::Error::other)?)?;
        Ok(writer.flush()?)
    }
}

impl Values {
    const fn data_type(&self) -> DataType {
        match self {
            Self::Bigint(_) => DataType::Int64,
            Self::Integer(_) => DataType::Int32,
            Self::Decimal(_) => DataType::Decimal128(DECIMAL.0, DECIMAL.1),
            Self::Date(_) => DataType::Date32,
            Self::Varchar(_) => DataType::Utf8,
        }
    }

    /// Returns the values and clears them.
    fn take(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Bigint(values) => Arc::new(Int64Array::from(std::mem::take(values))),
            Self::Integer(values) => Arc::new(Int32Array::from(std::mem::take(values))),
            Self::Date(values) => Arc::new(Date32Array::from(std::mem::take(values))),
            Self::Decimal(values) => Arc::new(
                Decimal128Array::from(std::mem::take(values))
                    .with_precision_and_scale(DECIMAL.0, DECIMAL.1)?,
            ),
            Self::Varchar(values) => Arc::new(StringArray::from(std::mem::take(values))),
        })
    }
}
