//! A statement over one table that a test writes as a Parquet file.

use polars::prelude::ParquetWriter;

use super::*;

/// The table `t`.
pub(super) struct OneTable {
    folder: tempfile::TempDir,
}

impl OneTable {
    /// Writes the columns in row groups of this many rows.
    pub(super) fn new(columns: Vec<polars::prelude::Column>, rows_per_group: usize) -> Self {
        let table = Self { folder: tempfile::tempdir().expect("a folder") };
        let rows = columns.first().map_or(0, polars::prelude::Column::len);
        let mut frame = polars::prelude::DataFrame::new(rows, columns).expect("a frame");
        let file = File::create(table.folder.path().join("t.parquet")).expect("a file");
        ParquetWriter::new(file).with_row_group_size(Some(rows_per_group)).finish(&mut frame).expect("rows");
        table
    }

    fn statement(&self, sql: &str) -> Statement {
        let mut submitted = statement(sql, self.folder.path());
        let location = self.folder.path().join("t.parquet").display().to_string();
        let source = TableSource::Files { location, format: TableFormat::Parquet };
        submitted.catalog.tables[0] =
            TableEntry { name: "t".to_owned(), source, ..submitted.catalog.tables[0].clone() };
        submitted
    }

    pub(super) fn rows(&self, sql: &str) -> Vec<Vec<Value>> {
        self.run(sql).expect("rows")
    }

    pub(super) fn error(&self, sql: &str) -> QueryError {
        self.run(sql).expect_err("an error")
    }

    fn run(&self, sql: &str) -> Result<Vec<Vec<Value>>, QueryError> {
        let options = ExecutionOptions {
            passes: &PassSet::default(),
            attempts: &Attempt::ALL,
            spill: None,
            samples: Samples::Create,
            uses_plan_cache: false,
        };
        rows_of(&options, &self.statement(sql))
    }

    /// The plan that Polars runs.
    pub(super) fn optimized_plan(&self, sql: &str) -> String {
        let statement = self.statement(sql);
        let mut tables = Tables::of(&statement, Samples::Create);
        let analyzed = plan(&statement, &PassSet::default(), &mut tables).expect("a plan");
        let scans = tables.scans(&analyzed.tables).expect("files");
        let frame = lower(&analyzed, &scans, DecimalSums::Quick, None).expect("a frame");
        frame.describe_optimized_plan().expect("an optimized plan")
    }
}
