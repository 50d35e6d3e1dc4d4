use std::panic::catch_unwind;

use arrow_array::Array;
use arrow_schema::DataType;
use proptest::prelude::*;

use super::*;
use crate::ErrorKind;
use crate::tests::stored;
use rowhouse_random_tables::{Dice, every_type, random_table};

/// Reads everything, as a reader would.
fn read_all(path: &Path) -> Result<u64> {
    let file = ArrowFile::open(path)?;
    let mut rows = 0;
    for index in 0..file.num_batches() {
        rows += file.batch(index)?.num_rows() as u64;
    }
    Ok(rows)
}

#[test]
fn rows_are_found_in_their_batches() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), &random_table(1, &[DataType::Int64], 25), 10);
    assert_eq!(file.num_batches(), 3);
    let check = |row, expected| assert_eq!(file.locate(row), expected);
    check(0, Some((0, 0)));
    check(9, Some((0, 9)));
    check(10, Some((1, 0)));
    check(24, Some((2, 4)));
    check(25, None);
    check(u64::MAX, None);
    assert_eq!(file.rows_of_batch(2), 20..25);
    assert_eq!(file.rows_of_batch(3), 25..25);
    assert_eq!(file.batch(3).expect_err("no batch").kind(), ErrorKind::Damaged);
}

#[test]
fn a_batch_is_decoded_once_and_its_values_stay_in_the_mapping() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), &random_table(2, &every_type(), 100), 50);
    let batch = file.batch(1).expect("a batch");
    assert!(Arc::ptr_eq(&batch, &file.batch(1).expect("a batch")));
    assert_eq!(file.mapping.bytes_outside(batch.stored()), 0);
    assert!(file.is_zero_copy().expect("decoded"));
}

/// Decimals as Polars writes them: aligned to 8 bytes.
#[test]
fn misaligned_decimals_stay_in_the_mapping() {
    use arrow_array::{ArrayRef, Decimal128Array, Int64Array};
    use arrow_ipc::MetadataVersion;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions};

    let folder = tempfile::tempdir().expect("a folder");
    let decimals = Decimal128Array::from(vec![Some(1), None, Some(-12_345)]);
    let decimals: ArrayRef = Arc::new(decimals.with_precision_and_scale(15, 2).expect("a decimal"));
    // Three numbers of 8 bytes in between: one of the two columns of decimals is misaligned, wherever they begin.
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
    let table = RecordBatch::try_from_iter([("a", Arc::clone(&decimals)), ("n", numbers), ("b", decimals)]);
    let table = table.expect("a table");
    let path = folder.path().join("eight.arrow");
    let options = IpcWriteOptions::try_new(8, false, MetadataVersion::V5).expect("options");
    let file = std::fs::File::create(&path).expect("created");
    let mut writer = FileWriter::try_new_with_options(file, &table.schema(), options).expect("begun");
    writer.write(&table).expect("written");
    writer.finish().expect("finished");

    let file = ArrowFile::open(&path).expect("opened");
    assert!(file.is_zero_copy().expect("decoded"));
    let batch = file.batch(0).expect("decoded");
    assert_eq!(batch.record_batch().expect("restored").columns(), table.columns());
    let is_aligned = |column: usize| {
        let place = batch.stored().column(column).to_data().buffers()[0].as_ptr();
        (place as usize).is_multiple_of(16)
    };
    assert!(!is_aligned(0) || !is_aligned(2));
}

#[test]
fn values_outlive_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), &random_table(3, &[DataType::Int64], 5), 10);
    let batch = file.batch(0).expect("a batch");
    let before = format!("{:?}", batch.record_batch().expect("restored"));
    drop(folder);
    file.forget_batch(0);
    drop(file);
    assert_eq!(format!("{:?}", batch.record_batch().expect("restored")), before);
}

#[test]
fn a_file_without_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), &random_table(4, &every_type(), 0), 10);
    assert_eq!((file.num_rows(), file.num_batches()), (0, 0));
    assert_eq!(file.locate(0), None);
}

#[test]
fn invalid_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let check = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        assert_eq!(ArrowFile::open(&path).expect_err("refused").kind(), ErrorKind::Damaged);
    };
    check(b"");
    check(b"ARROW1\0\0ARROW1");
    check(&[0; 100]);
    check(b"ARROW1\0\0\xff\xff\xff\x7fARROW1");
    assert!(ArrowFile::open(folder.path()).is_err());
    assert!(ArrowFile::open(&folder.path().join("missing")).is_err());
}

/// One wrong byte anywhere is detected, or changes no value: it is one of the few bytes that mark the presence of
/// checksums.
#[test]
fn a_corrupted_byte_is_detected() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = stored(folder.path(), &random_table(7, &every_type(), 30), 16);
    let rows = |file: &ArrowFile| -> Result<String, crate::Error> {
        let batches = (0..file.num_batches()).map(|batch| file.decode_batch(batch)?.record_batch());
        Ok(format!("{:?}", batches.collect::<Result<Vec<_>, _>>()?))
    };
    let expected = rows(&whole).expect("as it was written");
    let bytes = std::fs::read(whole.path()).expect("read");
    let path = folder.path().join("wrong.arrow");
    let mut silent = 0;
    for place in (0..bytes.len() - 300).step_by(23).chain(bytes.len() - 300..bytes.len()) {
        let mut wrong = bytes.clone();
        wrong[place] ^= 0x10;
        std::fs::write(&path, &wrong).expect("written");
        match ArrowFile::open(&path).and_then(|file| file.verify_all().and_then(|_| rows(&file))) {
            Ok(found) => {
                silent += 1;
                assert_eq!(found, expected, "byte {place} of {}", bytes.len());
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Damaged, "byte {place}: {error}"),
        }
        std::fs::remove_file(&path).expect("removed");
    }
    assert!(silent <= 16, "{silent} of {}", bytes.len());
}

#[test]
fn truncating_an_open_file_is_an_error_and_not_a_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), &random_table(8, &every_type(), 200), 16);
    assert!(file.verify_all().expect("as it was written"));
    let file = ArrowFile::open(file.path()).expect("opened");
    std::fs::File::options()
        .write(true)
        .open(file.path())
        .and_then(|file| file.set_len(100))
        .expect("cut off");
    assert_eq!(file.decode_batch(3).expect_err("cut off").kind(), ErrorKind::Damaged);
    assert!(file.is_damaged());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A file that is truncated or corrupted at any place gives an error or other values, never a panic.
    #[test]
    fn corrupt_files_do_not_panic(seed: u64, cut: bool) {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = stored(folder.path(), &random_table(seed, &every_type(), 30), 16);
        let mut bytes = std::fs::read(whole.path()).expect("read");
        let path = folder.path().join("corrupt.arrow");
        let mut dice = Dice(seed);
        if cut {
            bytes.truncate(dice.below(bytes.len()));
        } else {
            for _ in 0..=dice.below(8) {
                // Half of them in the footer, which is dense with positions and lengths.
                let from = if dice.below(2) == 0 { 0 } else { bytes.len() - bytes.len() / 8 };
                let at = from + dice.below(bytes.len() - from);
                bytes[at] = dice.pick(&[0, 1, 0x7f, 0x80, 0xff, dice.0 as u8]);
            }
        }
        std::fs::write(&path, &bytes).expect("written");
        let outcome = catch_unwind(|| read_all(&path)).expect("no panic");
        prop_assert!(!cut || outcome.is_err());
    }
}

/// What a small result in memory costs is known before it is decoded, unless it is compressed.
#[test]
fn small_batches_in_memory_are_at_hand_unless_one_is_compressed() {
    use arrow_ipc::CompressionType;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions};

    use crate::RowSelection;

    let table = random_table(3, &every_type(), 30);
    let is_at_hand = |compression: Option<CompressionType>| {
        let options = IpcWriteOptions::default().try_with_compression(compression).expect("options");
        let mut writer =
            FileWriter::try_new_with_options(Vec::new(), &table.schema(), options).expect("a writer");
        for start in [0, 10, 20] {
            writer.write(&table.slice(start, 10)).expect("written");
        }
        let bytes = writer.into_inner().expect("finished");
        let file = ArrowFile::of_bytes(Path::new("a"), bytes.into()).expect("a file");
        RowSelection::ALL.is_at_hand(&file)
    };
    assert!(is_at_hand(None));
    assert!(!is_at_hand(Some(CompressionType::LZ4_FRAME)));
}
