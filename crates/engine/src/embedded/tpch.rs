//! Makes the sample catalog's files on first use, with the `tpchgen` crate: one Parquet file a table,
//! written beside its place and renamed, so that a crash leaves no half file and readers never see one.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use polars::prelude::{
    Column, DataFrame, DataType, IntoSeries, NamedFrom, ParquetCompression, ParquetWriter, PolarsResult,
    Schema, Series, StatisticsOptions,
};
use rowhouse_model::QueryError;

use super::failure;
use crate::catalog::tpch::{TpchSchema, TpchTable, TpchType};

mod rows;

/// Rows of one row group: large enough to scan at full speed, small enough to be skipped by its statistics.
const ROWS_PER_GROUP: usize = 128 * 1024;

/// The table's file, made now if there is none. Processes that want the same one wait for each other.
pub(crate) fn file(tpch_dir: &Path, schema: TpchSchema, table: &TpchTable) -> Result<PathBuf, QueryError> {
    let path = table.file(tpch_dir, schema);
    if !path.exists() {
        make(&path, schema, table).map_err(|error| {
            failure::internal("TpchGenerator", &format!("making {}: {error}", path.display()))
        })?;
    }
    Ok(path)
}

fn make(path: &Path, schema: TpchSchema, table: &TpchTable) -> PolarsResult<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // The lock lives as long as the file handle: a killed worker leaves it free.
    let lock = File::create(folder.join(format!(".{}.lock", table.name)))?;
    lock.lock()?;
    if path.exists() {
        return Ok(());
    }
    let partial = folder.join(format!(".{}.partial", table.name));
    let mut group = RowGroup::new(table);
    {
        let file = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
        let statistics = StatisticsOptions { distinct_count: false, ..StatisticsOptions::default() };
        let mut writer = ParquetWriter::new(file)
            .with_compression(ParquetCompression::Snappy)
            .with_statistics(statistics)
            .with_row_group_size(Some(ROWS_PER_GROUP))
            .batched(&group.schema())?;
        rows::generate(table.name, schema.scale_factor, &mut |push| {
            group.next = 0;
            push(&mut group);
            group.rows += 1;
            if group.rows == ROWS_PER_GROUP {
                writer.write_batch(&group.take()?)?;
            }
            Ok(())
        })?;
        if group.rows > 0 {
            writer.write_batch(&group.take()?)?;
        }
        writer.finish()?;
    }
    File::open(&partial)?.sync_all()?;
    fs::rename(&partial, path)?;
    File::open(folder)?.sync_all()?;
    tracing::info!(file = %path.display(), "sample table made");
    Ok(())
}

/// Rows on their way to one row group, column by column.
#[derive(Debug)]
struct RowGroup {
    columns: Vec<(&'static str, Values)>,
    /// The column that the next value of a row goes to.
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
            TpchType::Varchar => Values::Varchar(Vec::new()),
        };
        let columns = table.columns.iter().map(|&(name, data_type)| (name, values(data_type))).collect();
        Self { columns, next: 0, rows: 0 }
    }

    fn schema(&self) -> Schema {
        self.columns.iter().map(|(name, values)| ((*name).into(), values.data_type())).collect()
    }

    /// The row's next value: a number, days since the epoch, or cents where the column is a decimal.
    fn number(&mut self, value: i64) -> &mut Self {
        match &mut self.columns[self.next].1 {
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

    /// The row's next value: text.
    fn text(&mut self, value: impl ToString) -> &mut Self {
        if let Values::Varchar(values) = &mut self.columns[self.next].1 {
            values.push(value.to_string());
        }
        self.next += 1;
        self
    }

    /// The rows so far; the group is empty afterwards.
    fn take(&mut self) -> PolarsResult<DataFrame> {
        let columns = self
            .columns
            .iter_mut()
            .map(|(name, values)| values.take(name).map(Column::from))
            .collect::<PolarsResult<Vec<_>>>()?;
        DataFrame::new(std::mem::take(&mut self.rows), columns)
    }
}

impl Values {
    fn data_type(&self) -> DataType {
        match self {
            Self::Bigint(_) => DataType::Int64,
            Self::Integer(_) => DataType::Int32,
            Self::Decimal(_) => DataType::Decimal(15, 2),
            Self::Date(_) => DataType::Date,
            Self::Varchar(_) => DataType::String,
        }
    }

    fn take(&mut self, name: &str) -> PolarsResult<Series> {
        let name = name.into();
        Ok(match self {
            Self::Bigint(values) => Series::new(name, std::mem::take(values)),
            Self::Integer(values) => Series::new(name, std::mem::take(values)),
            Self::Date(values) => Series::new(name, std::mem::take(values)).cast(&DataType::Date)?,
            Self::Decimal(values) => {
                let values = polars::prelude::Int128Chunked::from_vec(name, std::mem::take(values));
                values.into_decimal_unchecked(15, 2).into_series()
            }
            Self::Varchar(values) => Series::new(name, std::mem::take(values)),
        })
    }
}
