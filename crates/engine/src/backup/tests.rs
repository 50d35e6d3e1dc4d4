#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rowhouse_model::{Timestamp, ViewId};
use tempfile::TempDir;

use super::*;
use crate::store::generations::{self, StoredGeneration};
use crate::store::{Store, small_results};

/// A data directory whose files are replaced as a server replaces them: complete before they are named, removed after
/// they are no longer named.
struct Churn {
    folder: TempDir,
    store: Arc<Store>,
}

impl Churn {
    fn open() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("data").join(DATABASE_FILE)).unwrap();
        let filled = store.write_blocking(|transaction| {
            transaction.execute_batch(
                "INSERT INTO accounts (id, username, is_admin, created_at) VALUES ('a', 'anna', 1, 0);
                 INSERT INTO workspaces (id, sql_name, title, engine, created_at)
                 VALUES ('w', 'demo', 'Demo', 'polars', 0);
                 INSERT INTO views (id, workspace_id, sql_name, sql, account_id, created_at, revision, columns)
                 VALUES ('v', 'w', 'view', 'SELECT 1', 'a', 0, 1, '[]');",
            )
        });
        filled.unwrap();
        fs::create_dir_all(folder.path().join("data/results/w")).unwrap();
        fs::create_dir_all(folder.path().join("data/views/v")).unwrap();
        let churn = Self { folder, store };
        churn.step(1);
        churn
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Adds result and generation `number` and removes the previous ones.
    fn step(&self, number: u64) {
        let data_dir = self.data_dir();
        let result = format!("results/w/{number}.arrow");
        fs::write(data_dir.join(&result), number.to_string()).unwrap();
        for ending in ["arrow", "statistics", "0.index"] {
            fs::write(data_dir.join(format!("views/v/{number}.{ending}")), number.to_string()).unwrap();
        }
        let written = self.store.write_blocking(move |transaction| {
            transaction.execute("UPDATE query_records SET result_file = NULL", [])?;
            transaction.execute(
                "INSERT INTO query_records (id, workspace_id, is_final, started_at, fingerprint, result_file, record)
                 VALUES (?1, 'w', 1, 0, '', ?2, '{}')",
                rusqlite::params![number.to_string(), result],
            )?;
            let generation = StoredGeneration {
                view_id: ViewId::new("v"),
                number,
                revision: 1,
                columns: Vec::new().into(),
                row_count: 0,
                refreshed_at: Timestamp::from_millis(0),
            };
            generations::replace(transaction, &generation)
        });
        assert!(written.unwrap());
        if number > 1 {
            let old = number - 1;
            fs::remove_file(data_dir.join(format!("results/w/{old}.arrow"))).unwrap();
            crate::Generation::remove(&data_dir.join("views/v"), old);
        }
    }
}

/// Checks that everything that the copied database names exists with its content.
fn check(target: &Path) -> u64 {
    let connection = open(&target.join(DATABASE_FILE), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let results = store::query_records::result_files(&connection).unwrap();
    let generations = generations::load(&connection).unwrap();
    assert_eq!((results.len(), generations.len()), (1, 1));
    let number = generations[0].number;
    let read = |location: &str| fs::read_to_string(target.join(location)).unwrap();
    for result in &results {
        assert_eq!(*result, format!("results/w/{number}.arrow"));
        assert_eq!(read(result), number.to_string());
    }
    for ending in ["arrow", "statistics", "0.index"] {
        assert_eq!(read(&format!("views/v/{number}.{ending}")), number.to_string());
    }
    let count = |folder: &str| names_in(&target.join(folder)).unwrap().len();
    assert_eq!((count("results/w"), count("views/v")), (1, 3), "what is named and nothing else");
    number
}

#[test]
fn a_backup_has_every_named_file_however_fast_they_are_replaced() {
    let churn = Arc::new(Churn::open());
    let is_over = Arc::new(AtomicBool::new(false));
    // A hundred refreshes a second are more than any server has; fewer on a slow machine, so that each snapshot has a
    // chance.
    let begun = std::time::Instant::now();
    backup(&churn.data_dir(), &churn.folder.path().join("undisturbed"), true).unwrap();
    let pause = begun.elapsed().mul_f64(3.0).max(std::time::Duration::from_millis(10));
    let steps = {
        let (churn, is_over) = (Arc::clone(&churn), Arc::clone(&is_over));
        std::thread::spawn(move || {
            let step = |&step: &u64| {
                churn.step(step);
                std::thread::sleep(pause);
            };
            (2..).take_while(|_| !is_over.load(Ordering::Relaxed)).inspect(step).count()
        })
    };
    let mut last = 0;
    for number in 0..8 {
        let target = churn.folder.path().join(format!("backup{number}"));
        let report = backup(&churn.data_dir(), &target, number % 2 == 1).unwrap();
        assert_eq!((report.files, report.is_linked), (4, number % 2 == 0));
        let taken = check(&target);
        assert!(taken >= last, "a later backup is not older");
        last = taken;
    }
    is_over.store(true, Ordering::Relaxed);
    assert!(steps.join().unwrap() > 0);
    for name in names_in(&churn.data_dir()).unwrap() {
        assert!(!name.ends_with(STAGING_SUFFIX), "{name}");
    }
    // Files that were created after a backup are not in it.
    check(&churn.folder.path().join("backup0"));
}

#[test]
fn a_file_missing_before_the_backup_does_not_fail_it() {
    let churn = Churn::open();
    fs::remove_file(churn.data_dir().join("results/w/1.arrow")).unwrap();
    let target = churn.folder.path().join("backup");
    let report = backup(&churn.data_dir(), &target, false).unwrap();
    assert_eq!(report.files, 3);
}

/// Regression: a truncated generation was copied without a word.
#[test]
fn a_file_without_its_end_is_reported() {
    let churn = Churn::open();
    let column = Arc::new(arrow_array::Int64Array::from_iter_values(0..1000)) as _;
    let batch = arrow_array::RecordBatch::try_from_iter([("n", column)]).unwrap();
    let paths = ["results/w/1.arrow", "views/v/1.arrow"];
    for path in paths {
        let path = churn.data_dir().join(path);
        fs::remove_file(&path).unwrap();
        let mut writer = rowhouse_rows::arrow_file::ArrowFileWriter::create(&path, batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    }
    let backup = |name: &str| backup(&churn.data_dir(), &churn.folder.path().join(name), false).unwrap();
    let whole = backup("whole");
    assert_eq!((whole.files, whole.incomplete), (4, Vec::new()));
    for path in paths {
        let file = File::options().write(true).open(churn.data_dir().join(path)).unwrap();
        file.set_len(file.metadata().unwrap().len() - 10).unwrap();
    }
    let cut = backup("cut");
    assert_eq!((cut.files, cut.incomplete), (4, paths.map(PathBuf::from).to_vec()));
}

/// A small result is in the database and has no file.
#[test]
fn small_results_are_in_the_copied_database() {
    let churn = Churn::open();
    fs::remove_file(churn.data_dir().join("results/w/1.arrow")).unwrap();
    let kept = "results/w/1.arrow";
    churn.store.write_blocking(move |transaction| small_results::insert(transaction, kept, b"rows")).unwrap();
    let target = churn.folder.path().join("backup");
    assert_eq!(backup(&churn.data_dir(), &target, false).unwrap().files, 3);
    let copy = open(&target.join(DATABASE_FILE), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    assert_eq!(small_results::get(&copy, kept).unwrap().as_deref(), Some(b"rows".as_slice()));
}

/// As if a server of an earlier version were running.
#[test]
fn a_database_of_an_earlier_version_is_copied() {
    let churn = Churn::open();
    churn.store.close();
    let database = rusqlite::Connection::open(churn.data_dir().join(DATABASE_FILE)).unwrap();
    database.execute_batch("DROP TABLE kept_results; PRAGMA user_version = 12").unwrap();
    drop(database);
    assert_eq!(backup(&churn.data_dir(), &churn.folder.path().join("backup"), false).unwrap().files, 4);
}

#[test]
fn invalid_targets_and_sources_are_refused() {
    let churn = Churn::open();
    let folder = churn.folder.path();
    let refused = |data_dir: &Path, target: &Path| backup(data_dir, target, false).unwrap_err().to_string();
    let data_dir = churn.data_dir();
    assert!(refused(&data_dir, folder).contains("exists already"));
    assert!(refused(&data_dir, &data_dir.join("results/backup")).contains("inside the data directory"));
    assert!(refused(&data_dir, &folder.join("no/such")).contains("is not there"));
    assert!(refused(folder, &folder.join("backup")).contains("there is no database"));
    // A database of a later version.
    churn.store.close();
    let connection = open(&data_dir.join(DATABASE_FILE), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    assert!(refused(&data_dir, &folder.join("backup")).contains("newer version"));
    assert!(!folder.join("backup").exists());
}
