//! Prints an Arrow IPC file as JSON to standard output, in bounded memory; without a path, it writes a small file
//! first: `cargo run --release -p rowhouse-rows --example to_json -- FILE.arrow`

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, LargeStringArray, RecordBatch};
use rowhouse_rows::{ArrowFile, ArrowFileWriter, ProjectedColumn, RowFormat, RowSelection, RowShape, encode};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = match std::env::args_os().nth(1) {
        Some(path) => PathBuf::from(path),
        None => {
            let path = folder.path().join("sample.arrow");
            write_sample(&path)?;
            path
        }
    };
    let file = ArrowFile::open(&path)?;
    let fields = file.schema().fields().iter().enumerate();
    let columns: Vec<ProjectedColumn> =
        fields.map(|(index, field)| ProjectedColumn { name: field.name().clone(), index }).collect();
    let mut rows = encode(file, &columns, RowSelection::ALL, RowShape::Objects, RowFormat::Json)?;
    let mut output = std::io::stdout().lock();
    while let Some(chunk) = rows.next_chunk()? {
        output.write_all(&chunk)?;
    }
    writeln!(output)?;
    Ok(())
}

fn write_sample(path: &std::path::Path) -> Result<(), Box<dyn Error>> {
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(2), None]));
    let names: ArrayRef = Arc::new(LargeStringArray::from(vec!["Ada", "\"Grace\"", "Zoë"]));
    let batch = RecordBatch::try_from_iter([("id", ids), ("name", names)])?;
    let mut writer = ArrowFileWriter::create(path, batch.schema())?;
    writer.write(&batch)?;
    writer.finish()?;
    Ok(())
}
