//! Files that are truncated while they are mapped and read. Before their pages were replaced with zeros, each of these
//! ended the process (SIGBUS).

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::arrow_file::Loss;

const FORMATS: [RowFormat; 5] =
    [RowFormat::Json, RowFormat::Ndjson, RowFormat::Csv, RowFormat::ArrowStream, RowFormat::Parquet];

fn cut_off(file: &ArrowFile, bytes: u64) {
    let opened = std::fs::File::options().write(true).open(file.path());
    opened.and_then(|opened| opened.set_len(bytes)).expect("cut off");
}

fn decode_all(file: &ArrowFile) {
    (0..file.num_batches()).for_each(|batch| drop(file.batch(batch).expect("as it was written")));
}

/// All encoded bytes, or the error that ends them.
fn read(file: &Arc<ArrowFile>, selection: RowSelection, format: RowFormat) -> Result<Vec<u8>> {
    let mut source = encode(Arc::clone(file), all_columns(file), selection, RowShape::Arrays, format)?;
    let mut bytes = Vec::new();
    while let Some(chunk) = source.next_chunk()? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

#[test]
fn truncating_a_mapped_file_is_an_error_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = random_table(11, &every_type(), 3000);
    for format in FORMATS {
        for part in [0, 3, 5] {
            let file = stored(folder.path(), &table, 500);
            decode_all(&file);
            let whole = read(&file, RowSelection::ALL, format).expect("as it was written");
            cut_off(&file, file.size_bytes() * part / 8);
            let error = read(&file, RowSelection::ALL, format).expect_err("cut off");
            assert_eq!(error.kind(), ErrorKind::Damaged, "{format:?}: {error}");
            assert!(file.is_damaged());
            // Later reads fail too, also of rows that still exist.
            let first = RowSelection::Range { offset: 0, limit: 1 };
            assert_eq!(read(&file, first, format).expect_err("damaged").kind(), ErrorKind::Damaged);
            assert_eq!(file.decode_batch(5).expect_err("cut off").kind(), ErrorKind::Damaged);
            let again = stored(folder.path(), &table, 500);
            assert!(read(&again, RowSelection::ALL, format).expect("another file") == whole);
        }
    }
}

#[test]
fn truncation_is_an_error_for_scattered_rows_and_pages_by_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = random_table(12, &every_type(), 2000);
    let open = || {
        let file = stored(folder.path(), &table, 400);
        decode_all(&file);
        cut_off(&file, 8);
        file
    };
    let rows: Arc<[u32]> = (0..2000).step_by(7).collect();
    for format in FORMATS {
        for selection in [RowSelection::Rows(Arc::clone(&rows)), RowSelection::Ordered(Arc::clone(&rows))] {
            let error = read(&open(), selection, format).expect_err("cut off");
            assert_eq!(error.kind(), ErrorKind::Damaged, "{format:?}: {error}");
        }
    }
    let file = open();
    let columns = all_columns(&file);
    let error = rows_within(&file, &columns, 0, 1 << 20, &mut Budget::unlimited()).expect_err("cut off");
    assert_eq!(error.kind(), ErrorKind::Damaged);
}

/// Many readers read while the file is truncated: each gets what was written, or an error.
#[test]
fn concurrent_readers_get_an_error_if_a_file_is_truncated() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = random_table(13, &[DataType::Int64, DataType::LargeUtf8], 20_000);
    for round in 0..8_u64 {
        let file = stored(folder.path(), &table, 1000);
        decode_all(&file);
        let whole = read(&file, RowSelection::ALL, RowFormat::Json).expect("as it was written");
        let is_cut = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        let was_cut = is_cut.load(Ordering::SeqCst);
                        match read(&file, RowSelection::ALL, RowFormat::Json) {
                            Ok(bytes) => assert!(!was_cut && bytes == whole),
                            Err(error) => return assert_eq!(error.kind(), ErrorKind::Damaged),
                        }
                    }
                });
            }
            std::thread::sleep(std::time::Duration::from_millis(3 * round));
            cut_off(&file, file.size_bytes() * round / 8);
            is_cut.store(true, Ordering::SeqCst);
        });
    }
}

/// A panic over zeros is reported as a loss; a panic over sound values is not.
#[test]
fn a_panic_over_lost_pages_is_reported_as_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), &random_table(14, &[DataType::Int64], 5000), 5000);
    let loss = Loss::default();
    let beside = folder.path().join("beside");
    std::fs::write(&beside, vec![7; 100_000]).expect("written");
    let mapping = crate::arrow_file::Mapping::open(&beside, loss.clone()).expect("mapped");
    let starts = vec![0, 5000].into();
    let with_it = ArrowFile::open_with_starts(file.path(), starts, loss).expect("opened");
    let panics = || with_it.guarded(|| -> Result<()> { panic!("planned") });
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
    std::fs::File::options().write(true).open(&beside).and_then(|file| file.set_len(0)).expect("cut off");
    let summed =
        with_it.guarded(|| Ok::<_, Error>(mapping.buffer().iter().map(|byte| u64::from(*byte)).sum::<u64>()));
    assert_eq!(summed.expect_err("cut off").kind(), ErrorKind::Damaged);
    assert_eq!(panics().expect_err("cut off").kind(), ErrorKind::Damaged);
    assert!(with_it.is_damaged() && !file.is_damaged());
    read(&file, RowSelection::ALL, RowFormat::Csv).expect("a file by itself");
}
