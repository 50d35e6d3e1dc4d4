//! Reads all stored rows that the records name, and verifies their checksums.

use std::io;
use std::path::{Path, PathBuf};

use rowhouse_rows::arrow_file::{self, ArrowFile};
use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result};
use crate::store::{self, DATABASE_FILE, SCHEMA_VERSION};

/// Result of the verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Number of files read, including those stored in the database.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files of earlier versions without checksums, of which only the format is verified.
    pub without_checksums: u64,
    /// Damaged files.
    pub damaged: Vec<DamagedFile>,
}

/// A file whose rows differ from what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedFile {
    /// Its path; below the database's path if it is stored in the database.
    pub place: PathBuf,
    /// The damaged bytes, or another reason.
    pub reason: String,
    /// Whether a view serves it, which can be refreshed; otherwise it is a result.
    pub is_view: bool,
}

/// Reads the results that records name, the small ones in the database, and the generations that views serve. May run
/// beside a server, whose database is read in short pieces. Blocking, for as long as the disk takes to read all of it.
///
/// # Errors
/// The database cannot be read, or has another schema version.
pub fn verify(data_dir: &Path) -> Result<VerifyReport> {
    let database = data_dir.join(DATABASE_FILE);
    let fault =
        |error: rusqlite::Error| Error::internal(format!("reading {}: {error}", database.display()), error);
    let connection =
        Connection::open_with_flags(&database, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(fault)?;
    let version = store::check_version(&connection, &database)?;
    if version != SCHEMA_VERSION {
        let reason = format!(
            "the database has schema {version}, not {SCHEMA_VERSION}: start this version's server once"
        );
        return Err(Error::internal(reason.clone(), reason));
    }
    let mut report = VerifyReport::default();
    store::small_results::for_each(&connection, |location, bytes| {
        let verified = arrow_file::verify_bytes(bytes);
        report.note(database.join(location), bytes.len() as u64, false, verified);
    })
    .map_err(fault)?;
    for location in store::query_records::result_files(&connection).map_err(fault)? {
        report.read(data_dir.join(location), false);
    }
    for generation in store::generations::load(&connection).map_err(fault)? {
        let folder = data_dir.join("views").join(generation.view_id.as_str());
        report.read(crate::Generation::path(&folder, generation.number), true);
    }
    Ok(report)
}

impl VerifyReport {
    fn read(&mut self, place: PathBuf, is_view: bool) {
        let bytes = match std::fs::metadata(&place) {
            Ok(file) => file.len(),
            // Missing files are reported elsewhere; beside a running server files may disappear at any moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(_) => 0,
        };
        let verified = read_all(&place);
        if verified.is_ok() || place.exists() {
            self.note(place, bytes, is_view, verified);
        }
    }

    fn note(&mut self, place: PathBuf, bytes: u64, is_view: bool, verified: rowhouse_rows::Result<bool>) {
        self.files += 1;
        self.bytes += bytes;
        match verified {
            Ok(true) => {}
            Ok(false) => self.without_checksums += 1,
            Err(error) => {
                let message = error.to_string();
                let reason = error.into_source().map_or(message, |source| source.to_string());
                self.damaged.push(DamagedFile { place, reason, is_view });
            }
        }
    }
}

/// Whether the file has checksums; if not, its batches are decoded, which proves less.
fn read_all(place: &Path) -> rowhouse_rows::Result<bool> {
    let file = ArrowFile::open(place)?;
    if file.verify_all()? {
        return Ok(true);
    }
    for batch in 0..file.num_batches() {
        file.decode_batch(batch)?;
        file.forget_batch(batch);
    }
    Ok(false)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::os::unix::fs::FileExt as _;
    use std::sync::Arc;

    use arrow_array::{Int64Array, RecordBatch};
    use rowhouse_rows::arrow_file::ArrowFileWriter;

    use super::*;

    #[test]
    fn a_damaged_file_is_reported_and_a_missing_one_is_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.arrow");
        let column = Arc::new(Int64Array::from_iter_values(0..100_000)) as _;
        let batch = RecordBatch::try_from_iter([("n", column)]).unwrap();
        let mut writer = ArrowFileWriter::create(&path, batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        let mut report = VerifyReport::default();
        report.read(path.clone(), false);
        report.read(folder.path().join("gone.arrow"), true);
        let bytes = std::fs::metadata(&path).unwrap().len();
        assert_eq!(report, VerifyReport { files: 1, bytes, ..VerifyReport::default() });
        // One bit of a number in the middle: the file opens, its batches are well-formed, and the number is different.
        let file = std::fs::File::options().read(true).write(true).open(&path).unwrap();
        let mut byte = [0];
        file.read_exact_at(&mut byte, 300_000).unwrap();
        file.write_all_at(&[byte[0] ^ 1], 300_000).unwrap();
        report.read(path.clone(), true);
        let [damaged] = &report.damaged[..] else { panic!("{report:?}") };
        assert_eq!((&damaged.place, damaged.is_view), (&path, true));
        assert!(damaged.reason.starts_with("bytes 262144 to 327679"), "{}", damaged.reason);
    }
}
