//! The tables of a statement's catalog, inspected when they are used, and those of the sample catalog.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use polars::prelude::{NULL, col, lit, when};
use rowhouse_model::{Column, QueryError, TableFormat};

use crate::data_type::storage;
use crate::expression::{cast_value, constant_value};
use crate::scan::{TableScan, scan_files, scan_paths};
use crate::{failure, tpch};
use rowhouse_executor::catalog::files::list_files;
use rowhouse_executor::catalog::{TableEntry, TableSource, tpch as tpch_catalog};
use rowhouse_executor::protocol::SampleTable;
use rowhouse_executor::{SourceTable, Sources, Statement, TableDescription, TableVersion};
use rowhouse_rows::arrow_file::column::{OFFSET_FIELD, TIMESTAMP_FIELD};
use rowhouse_sql::expr::{Expr, Value};
use rowhouse_sql::omitted::omitted_columns;
use rowhouse_sql::statistics::{RequestedColumn, TableStatistics};
use rowhouse_sql::types::{RowField, Type, Zone, parse_type};
use rowhouse_sql::{Inputs, TableRef, TableSchema, TableSchemas};

/// Inspects the files of a table.
///
/// # Errors
///
/// Files are missing or not in the format, or a column has a type that SQL does not have.
pub fn describe(location: &str, format: TableFormat) -> Result<TableDescription, QueryError> {
    let scan = scan_files(location, format)?;
    Ok(TableDescription {
        columns: scan.columns.iter().map(|(name, data_type)| data_type.to_column(name.as_str())).collect(),
        row_count: scan.row_count,
    })
}

/// Creates files of the sample catalog.
pub(crate) fn make_samples(folder: &Path, tables: &[SampleTable]) -> Result<(), QueryError> {
    for SampleTable { schema, table } in tables {
        let found = tpch_catalog::schema(schema).zip(tpch_catalog::table(table));
        let (schema, table) =
            found.ok_or_else(|| failure::internal("Tpch", "there is no such sample table"))?;
        tpch::file(folder, schema, table)?;
    }
    Ok(())
}

/// The tables of a statement's catalog, inspected when they are named.
pub(crate) struct Tables<'a> {
    statement: &'a Statement,
    samples: Samples<'a>,
    inspected: HashMap<usize, TableScan>,
    /// The versions of these tables, determined before they were inspected.
    versions: Vec<SourceTable>,
}

/// The action for missing files of the sample catalog.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Samples<'a> {
    /// They are created.
    Create,
    /// They are added to this list, because this process must not write them.
    Report(&'a Mutex<Vec<SampleTable>>),
}

impl<'a> Tables<'a> {
    pub(crate) fn of(statement: &'a Statement, samples: Samples<'a>) -> Self {
        Self { statement, samples, inspected: HashMap::new(), versions: Vec::new() }
    }

    /// The scans of a plan's tables. Missing files of the sample catalog are created here, if this process may.
    pub(crate) fn scans(&mut self, tables: &[TableRef]) -> Result<Vec<TableScan>, QueryError> {
        self.report_missing_samples(tables)?;
        tables
            .iter()
            .map(|table| match table {
                TableRef::Entry(index) => self.entry(*index).cloned(),
                TableRef::Tpch { schema, table } => self.tpch(schema, table),
            })
            .collect()
    }

    /// Lists the missing files of the sample catalog, if this process must not create them.
    fn report_missing_samples(&self, tables: &[TableRef]) -> Result<(), QueryError> {
        let (Samples::Report(missing), Some(folder)) = (self.samples, &self.statement.catalog.tpch_dir)
        else {
            return Ok(());
        };
        let mut missing = missing.lock().unwrap_or_else(PoisonError::into_inner);
        for table in tables {
            if let TableRef::Tpch { schema, table } = table
                && let Some((known, file)) = tpch_catalog::schema(schema).zip(tpch_catalog::table(table))
                && !file.file(folder, known).exists()
            {
                missing.push(SampleTable { schema: schema.clone(), table: table.clone() });
            }
        }
        if missing.is_empty() { Ok(()) } else { Err(failure::internal("Tpch", "sample tables are missing")) }
    }

    fn entry(&mut self, index: usize) -> Result<&TableScan, QueryError> {
        if !self.inspected.contains_key(&index) {
            let entry = &self.statement.catalog.tables[index];
            let (scan, version) = scan_entry(entry)?;
            self.versions.push(SourceTable { name: entry.name.clone(), version });
            self.inspected.insert(index, scan);
        }
        Ok(&self.inspected[&index])
    }

    fn tpch(&self, schema: &str, table: &str) -> Result<TableScan, QueryError> {
        let found = tpch_catalog::schema(schema).zip(tpch_catalog::table(table));
        let Some(((schema, table), folder)) = found.zip(self.statement.catalog.tpch_dir.as_deref()) else {
            return Err(failure::internal("Tpch", "a plan names a sample table that does not exist"));
        };
        scan_paths(vec![tpch::file(folder, schema, table)?], TableFormat::Parquet)
    }
}

impl Tables<'_> {
    /// The versions of the inspected tables, in the order of inspection.
    pub(crate) fn versions(&self) -> &[SourceTable] {
        &self.versions
    }

    /// The data on which the statement's rows depend; complete once the statement is planned.
    pub(crate) fn sources(&self, inputs: Inputs, today: i32) -> Sources {
        Sources {
            tables: self.versions.clone(),
            volatile: inputs.volatile.map(str::to_owned),
            date: inputs.date.then_some(today),
        }
    }
}

impl TableSchemas for Tables<'_> {
    fn constant(&self, expr: &Expr) -> Option<Value> {
        constant_value(expr)
    }

    fn statistics(&mut self, table: &TableRef, columns: &[RequestedColumn<'_>]) -> TableStatistics {
        let nothing = TableStatistics::new;
        match table {
            TableRef::Entry(index) => {
                self.inspected.get(index).map_or_else(nothing, |scan| scan.statistics(columns))
            }
            TableRef::Tpch { schema, table } => {
                let found = tpch_catalog::schema(schema).zip(tpch_catalog::table(table));
                let folder = self.statement.catalog.tpch_dir.as_deref();
                let file = found.zip(folder).map(|((schema, table), folder)| table.file(folder, schema));
                let file = file.filter(|file| file.exists());
                let scan = file.and_then(|file| scan_paths(vec![file], TableFormat::Parquet).ok());
                scan.map_or_else(nothing, |scan| scan.statistics(columns))
            }
        }
    }

    fn schema(&mut self, table: &TableRef) -> Result<TableSchema, QueryError> {
        match table {
            TableRef::Entry(index) => {
                let scan = self.entry(*index)?;
                Ok(TableSchema { columns: scan.columns.clone(), row_count: scan.row_count })
            }
            TableRef::Tpch { schema, table } => tpch_catalog::schema(schema)
                .zip(tpch_catalog::table(table))
                .map(|(schema, table)| TableSchema {
                    columns: table
                        .columns
                        .iter()
                        .map(|(name, data_type)| ((*name).to_owned(), tpch_type(*data_type)))
                        .collect(),
                    row_count: Some(table.row_count(schema.scale_factor)),
                })
                .ok_or_else(|| failure::internal("Tpch", "a sample table that does not exist was asked for")),
        }
    }
}

/// The table, and its version or, if it is replaced meanwhile, an older one.
fn scan_entry(entry: &TableEntry) -> Result<(TableScan, TableVersion), QueryError> {
    let scan = match &entry.source {
        TableSource::Files { location, format } => list_files(location, *format).and_then(|files| {
            let version = TableVersion::of_files(&files, *format);
            Ok((scan_paths(files, *format)?, version))
        }),
        TableSource::View { columns: None, .. } => return Err(omitted_columns(&entry.name)),
        TableSource::View { file: Some(file), columns: Some(columns), definition: _ } => {
            let scan = scan_paths(vec![file.clone()], TableFormat::Arrow);
            scan.map(|scan| (of_declared_types(scan, columns), TableVersion::View(file.clone())))
        }
        TableSource::View { file: None, columns: Some(_), definition: _ } => {
            let what = format!("materialized view '{}' has not been filled yet", entry.name);
            return Err(QueryError::new(rowhouse_model::ErrorCode::ViewNotReady, what));
        }
    };
    scan.map_err(|error| {
        let message = format!("table '{}': {}", entry.name, error.message);
        QueryError { message, ..error }
    })
}

/// The table of a view. Its file has less information than the declared types of its columns, which are used if the
/// storage matches.
fn of_declared_types(mut scan: TableScan, columns: &[Column]) -> TableScan {
    let mut converted = Vec::new();
    for (name, data_type) in &mut scan.columns {
        let declared = columns.iter().find(|column| column.name == *name);
        let Some(declared) = declared.and_then(|column| parse_type(&column.type_name)) else { continue };
        if storage(&declared) == storage(data_type) {
            *data_type = declared;
        } else if declared.in_files() != declared && storage(&declared.in_files()) == storage(data_type) {
            // A uuid and an ipaddress are stored as texts in files.
            let value = cast_value(col(name.as_str()), &declared.in_files(), &declared, false, &None);
            converted.push(value.alias(name.as_str()));
            *data_type = declared;
        } else if let Type::TimestampWithTimeZone { precision, .. } = declared
            && is_with_offset(data_type)
        {
            // In SQL a column has a single zone: without a common offset the instants are in UTC.
            let zone = scan.column_offsets.get(name).map_or(Zone::utc(), |offset| Zone::new(offset.as_str()));
            let declared = Type::TimestampWithTimeZone { precision, zone };
            let value = col(name.as_str());
            let moment = value.clone().struct_().field_by_name(TIMESTAMP_FIELD);
            let null = lit(NULL).cast(storage(&declared));
            converted.push(when(value.is_null()).then(null).otherwise(moment).alias(name.as_str()));
            *data_type = declared;
        } else if let (
            Type::TimestampWithTimeZone { precision, .. },
            Type::TimestampWithTimeZone { zone, .. },
        ) = (&declared, &*data_type)
        {
            // The file has the zone, the declared type the number of digits.
            let declared = Type::TimestampWithTimeZone { precision: *precision, zone: zone.clone() };
            if storage(&declared) == storage(data_type) {
                *data_type = declared;
            }
        }
    }
    if !converted.is_empty() {
        scan.frame = scan.frame.with_columns(converted);
    }
    scan
}

/// Whether this is the stored form of zoned timestamps with an offset.
fn is_with_offset(data_type: &Type) -> bool {
    let Type::Row(fields) = data_type else { return false };
    matches!(
        fields.as_slice(),
        [
            RowField { name: Some(moment), data_type: Type::TimestampWithTimeZone { .. } },
            RowField { name: Some(offset), data_type: Type::SmallInt },
        ] if moment == TIMESTAMP_FIELD && offset == OFFSET_FIELD
    )
}

pub(crate) const fn tpch_type(data_type: tpch_catalog::TpchType) -> Type {
    match data_type {
        tpch_catalog::TpchType::Bigint => Type::BigInt,
        tpch_catalog::TpchType::Integer => Type::Integer,
        tpch_catalog::TpchType::Decimal => Type::decimal(15, 2),
        tpch_catalog::TpchType::Date => Type::Date,
        tpch_catalog::TpchType::Varchar(length) => Type::Varchar { length: Some(length) },
    }
}
