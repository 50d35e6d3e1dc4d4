//! Speed of the row encoder, in MB/s: each type separately, and rows like those of TPC-H `orders` in each format,
//! compared with copying the finished bytes. `cargo bench -p rowhouse-rows --bench encode`.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int32Array, Int64Array,
    LargeBinaryArray, LargeStringArray, RecordBatch, TimestampMillisecondArray,
};
use arrow_schema::{Field, Schema};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rowhouse_rows::{
    ArrowFile, ArrowFileWriter, ChunkSource, ProjectedColumn, RowFormat, RowSelection, RowShape, encode,
};

/// Eight batches: more than a core's cache holds, as in an export.
const ROWS: u64 = 8 * 8192;

criterion_group!(benches, by_type, orders, pages);
criterion_main!(benches);

fn by_type(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = criterion.benchmark_group("type");
    for (name, array) in columns_of_each_type() {
        let file = stored(folder.path(), vec![(name, array)]);
        group.throughput(Throughput::Bytes(encoded_bytes(&file, RowShape::Arrays, RowFormat::Json)));
        group.bench_function(name, |bencher| {
            bencher.iter(|| encoded_bytes(&file, RowShape::Arrays, RowFormat::Json));
        });
    }
}

fn orders(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), orders_columns());
    let mut group = criterion.benchmark_group("orders");
    for (name, shape, format) in [
        ("objects", RowShape::Objects, RowFormat::Json),
        ("arrays", RowShape::Arrays, RowFormat::Json),
        ("ndjson", RowShape::Objects, RowFormat::Ndjson),
        ("csv", RowShape::Arrays, RowFormat::Csv),
        ("arrow", RowShape::Arrays, RowFormat::ArrowStream),
    ] {
        let bytes = encoded_bytes(&file, shape, format);
        group.throughput(Throughput::Bytes(bytes));
        group.bench_function(name, |bencher| bencher.iter(|| encoded_bytes(&file, shape, format)));
        if name == "objects" {
            let finished = vec![b'x'; bytes as usize];
            group.bench_function("copy of finished bytes", |bencher| {
                let mut target = vec![0; 128 << 10];
                bencher.iter(|| {
                    for chunk in finished.chunks(target.len()) {
                        target[..chunk.len()].copy_from_slice(black_box(chunk));
                        black_box(&mut target);
                    }
                });
            });
        }
    }
}

/// The cost of a page besides its rows.
fn pages(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), orders_columns());
    let columns = all_columns(&file);
    let mut group = criterion.benchmark_group("page");
    for rows in [1, 100] {
        group.bench_with_input(BenchmarkId::from_parameter(rows), &rows, |bencher, rows| {
            let mut offset = 0;
            bencher.iter(|| {
                offset = (offset + 7919) % (ROWS - rows);
                let selection = RowSelection::Range { offset, limit: *rows };
                drained(encode(Arc::clone(&file), &columns, selection, RowShape::Objects, RowFormat::Json))
            });
        });
    }
}

fn encoded_bytes(file: &Arc<ArrowFile>, shape: RowShape, format: RowFormat) -> u64 {
    drained(encode(Arc::clone(file), all_columns(file), RowSelection::ALL, shape, format))
}

fn drained(source: rowhouse_rows::Result<Box<dyn ChunkSource>>) -> u64 {
    let mut source = source.expect("a file that was just written");
    let mut bytes = 0;
    while let Some(chunk) = source.next_chunk().expect("a file that was just written") {
        bytes += black_box(chunk).len() as u64;
    }
    bytes
}

fn all_columns(file: &ArrowFile) -> Vec<ProjectedColumn> {
    let fields = file.schema().fields().iter().enumerate();
    fields.map(|(index, field)| ProjectedColumn { name: field.name().clone(), index }).collect()
}

fn stored(folder: &Path, columns: Vec<(&str, ArrayRef)>) -> Arc<ArrowFile> {
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let table = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).expect("arrays of one length");
    // A unique name: a file that is open may not change.
    let path = folder.join(format!("{}.arrow", table.schema().field(0).name()));
    let mut writer = ArrowFileWriter::create(&path, table.schema()).expect("a folder that can be written");
    writer.write(&table).expect("room on the disk");
    writer.finish().expect("room on the disk");
    ArrowFile::open(&path).expect("a file that was just written")
}

/// A fixed pseudorandom sequence.
fn mixed(row: u64) -> u64 {
    let mixed = (row ^ (row >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 7
}

fn orders_columns() -> Vec<(&'static str, ArrayRef)> {
    let comments = [
        "carefully. quickly ironic foxes. blithely regular deposits across the slyly bold theodolites",
        "ep furiously. special, final deposits",
        " foxes. pending accounts at the pending, silent asymptot",
        "sts. slyly regular warthogs cajole. regular, regular theodolites acro",
    ];
    let priorities = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"];
    let text = |value: &dyn Fn(u64) -> String| -> ArrayRef {
        Arc::new(LargeStringArray::from_iter_values((0..ROWS).map(value)))
    };
    let price = Decimal128Array::from_iter_values((0..ROWS).map(|row| (mixed(row) % 50_000_000) as i128));
    vec![
        ("o_orderkey", Arc::new(Int64Array::from_iter_values((0..ROWS).map(|row| row as i64 * 4)))),
        (
            "o_custkey",
            Arc::new(Int64Array::from_iter_values((0..ROWS).map(|row| (mixed(row) % 150_000) as i64))),
        ),
        ("o_orderstatus", text(&|row| ["F", "O", "P"][(mixed(row) % 3) as usize].to_owned())),
        ("o_totalprice", Arc::new(price.with_precision_and_scale(15, 2).expect("a decimal"))),
        (
            "o_orderdate",
            Arc::new(Date32Array::from_iter_values((0..ROWS).map(|row| 8035 + (mixed(row) % 2400) as i32))),
        ),
        ("o_orderpriority", text(&|row| priorities[(mixed(row) % 5) as usize].to_owned())),
        ("o_clerk", text(&|row| format!("Clerk#{:09}", mixed(row) % 1000))),
        ("o_shippriority", Arc::new(Int32Array::from_iter_values((0..ROWS).map(|_| 0)))),
        ("o_comment", text(&|row| comments[(mixed(row) % 4) as usize].to_owned())),
    ]
}

fn columns_of_each_type() -> Vec<(&'static str, ArrayRef)> {
    let rows = || (0..ROWS).map(mixed);
    let decimal = Decimal128Array::from_iter_values(rows().map(|value| (value % 100_000_000) as i128));
    vec![
        (
            "bigint",
            Arc::new(Int64Array::from_iter_values(rows().map(|value| (value >> (value % 50)) as i64))),
        ),
        ("integer", Arc::new(Int32Array::from_iter_values(rows().map(|value| value as i32)))),
        (
            "bigint, half NULL",
            Arc::new(Int64Array::from_iter(rows().map(|value| (value % 2 == 0).then_some(7)))),
        ),
        ("double", Arc::new(Float64Array::from_iter_values(rows().map(|value| value as f64 / 1e4)))),
        ("decimal(15,2)", Arc::new(decimal.with_precision_and_scale(15, 2).expect("a decimal"))),
        ("boolean", Arc::new(BooleanArray::from_iter(rows().map(|value| Some(value % 2 == 0))))),
        ("date", Arc::new(Date32Array::from_iter_values(rows().map(|value| (value % 20_000) as i32)))),
        (
            "timestamp(3)",
            Arc::new(TimestampMillisecondArray::from_iter_values(
                rows().map(|value| (value % (1 << 40)) as i64),
            )),
        ),
        (
            "varchar, 15 bytes",
            Arc::new(LargeStringArray::from_iter_values(
                rows().map(|value| format!("Clerk#{:09}", value % 1000)),
            )),
        ),
        (
            "varchar, 200 bytes",
            Arc::new(LargeStringArray::from_iter_values(
                rows().map(|value| "carefully ".repeat(15 + value as usize % 10)),
            )),
        ),
        (
            "varchar, escapes",
            Arc::new(LargeStringArray::from_iter_values(
                rows().map(|value| "say \"hi\"\n".repeat(value as usize % 10)),
            )),
        ),
        (
            "varbinary",
            Arc::new(LargeBinaryArray::from_iter_values(rows().map(|value| value.to_le_bytes().repeat(4)))),
        ),
    ]
}
