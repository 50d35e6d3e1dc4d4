//! Checks what a server needs, before one is started or beside a running one: the data directory, and whether a worker
//! can run a statement. It changes nothing; advice on the findings is elsewhere.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rowhouse_model::{QueryError, StatementId, Timestamp};
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{FlockOperation, flock};

use crate::backup::{STAGING_PREFIX, STAGING_SUFFIX};
use crate::config::EngineConfig;
use crate::error::{Error, Result};
use crate::pool::{Pool, PoolConfig};
use crate::set_aside::{self, SetAsideFolder};
use crate::store::{self, DATABASE_FILE, DatabaseTraces, LOCK_FILE, SCHEMA_VERSION, presence};
use rowhouse_executor::catalog::{CatalogSnapshot, OWN_CATALOG};
use rowhouse_executor::{Executor as _, Statement};

mod verify;

pub use verify::{DamagedFile, VerifyReport, verify};

/// Time limit of the probe statement.
const PROBE_TIMEOUT: Duration = Duration::from_secs(60);
/// Suffix of incomplete files.
const PARTIAL: &str = ".partial";

/// Contents of a data directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataDirReport {
    /// The process that holds its lock.
    pub held_by: Option<String>,
    /// Version of the database's schema; none if there is no database yet.
    pub schema_version: Option<usize>,
    /// The schema version that this build writes.
    pub known_schema_version: usize,
    /// SQLite's report on the database if it is damaged.
    pub damage: Option<String>,
    /// Results that records name and that do not exist.
    pub missing_results: u64,
    /// Served generations whose files do not exist.
    pub missing_generations: u64,
    /// Incomplete files; while a server runs they may be in progress.
    pub unfinished_files: u64,
    /// Folders left by backups.
    pub backup_leftovers: Vec<String>,
    /// Traces of a database that is missing.
    pub lost_database: Option<DatabaseTraces>,
    /// Files that were set aside because the database did not know them.
    pub set_aside: Vec<SetAsideFolder>,
}

/// Inspects an existing data directory. Blocking.
///
/// # Errors
/// The directory or its database cannot be read; the database is not Rowhouse's, or a newer version's.
pub fn inspect(data_dir: &Path) -> Result<DataDirReport> {
    let fault = |error: io::Error| Error::internal(format!("reading {}: {error}", data_dir.display()), error);
    let mut report = DataDirReport { known_schema_version: SCHEMA_VERSION, ..DataDirReport::default() };
    report.held_by = holder(&data_dir.join(LOCK_FILE)).map_err(fault)?;
    for entry in fs::read_dir(data_dir).map_err(fault)? {
        let name = entry.map_err(fault)?.file_name().to_string_lossy().into_owned();
        if name.starts_with(STAGING_PREFIX) && name.ends_with(STAGING_SUFFIX) {
            report.backup_leftovers.push(name);
        }
    }
    report.unfinished_files = unfinished(&data_dir.join("results")).map_err(fault)?;
    report.set_aside = set_aside::folders(data_dir).map_err(fault)?;
    let database = data_dir.join(DATABASE_FILE);
    if presence::is_missing(&database) {
        report.lost_database =
            Some(DatabaseTraces::of(data_dir).map_err(fault)?).filter(|traces| !traces.is_empty());
        return Ok(report);
    }
    let connection = Connection::open_with_flags(&database, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|error| Error::internal(format!("opening {}: {error}", database.display()), error))?;
    let version = store::check_version(&connection, &database)?;
    if version == 0 {
        report.lost_database =
            Some(DatabaseTraces::of(data_dir).map_err(fault)?).filter(|traces| !traces.is_empty());
        return Ok(report);
    }
    report.schema_version = Some(version);
    let read =
        |error: rusqlite::Error| Error::internal(format!("reading {}: {error}", database.display()), error);
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(read)?;
    report.damage = (found != "ok").then_some(found);
    if report.schema_version == Some(SCHEMA_VERSION) {
        let kept = store::small_results::locations(&connection).map_err(read)?;
        for location in store::query_records::result_files(&connection).map_err(read)? {
            let is_there = kept.contains(&location) || data_dir.join(location).is_file();
            report.missing_results += u64::from(!is_there);
        }
        for generation in store::generations::load(&connection).map_err(read)? {
            let folder = data_dir.join("views").join(generation.view_id.as_str());
            let file = crate::Generation::path(&folder, generation.number);
            report.missing_generations += u64::from(!file.is_file());
        }
    }
    Ok(report)
}

/// The holder of the lock.
fn holder(lock: &Path) -> io::Result<Option<String>> {
    let mut file = match File::open(lock) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        // The lock is released with the file.
        Ok(()) => Ok(None),
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            Ok(Some(text.trim().to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

fn unfinished(results: &Path) -> io::Result<u64> {
    let mut count = 0;
    let folders = match fs::read_dir(results) {
        Ok(folders) => folders,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    for folder in folders {
        let folder = folder?;
        if folder.file_type()?.is_dir() {
            for file in fs::read_dir(folder.path())? {
                count += u64::from(file?.file_name().to_string_lossy().ends_with(PARTIAL));
            }
        }
    }
    Ok(count)
}

/// Starts a worker like a server does, and runs a statement in it; returns the time. Must be called inside a runtime.
///
/// # Errors
/// The worker does not start, or the statement fails.
pub async fn probe(config: &EngineConfig) -> Result<Duration, QueryError> {
    let internal =
        |message: String| QueryError::new(rowhouse_model::ErrorCode::GenericInternalError, message);
    let folder = ProbeFolder::make().map_err(|error| internal(format!("no temporary folder: {error}")))?;
    let program =
        config.worker_program.clone().ok_or_else(|| internal("no program of workers is set".to_owned()))?;
    let of_its_own = PoolConfig {
        warm_workers: 1,
        work_dir: folder.0.join("workers"),
        // Beside a running server, or before one has created it.
        ..config.pool(&program)
    };
    let pool = Pool::new(of_its_own);
    let pool = pool.map_err(|error| internal(error.to_string()))?;
    let statement = Statement {
        id: StatementId::new("doctor"),
        engine: rowhouse_model::EngineKind::Polars,
        sql: "SELECT sum(x) FROM (VALUES (40), (2)) AS t (x)".to_owned(),
        parameters: rowhouse_model::StatementParameters::default(),
        catalog: CatalogSnapshot {
            default_catalog: OWN_CATALOG.to_owned(),
            default_schema: "doctor".to_owned(),
            own_schema: "doctor".to_owned(),
            other_schemas: Vec::new(),
            queries: Vec::new(),
            session_properties: Vec::new(),
            tables: Vec::new(),
            tpch_dir: None,
        },
        session: rowhouse_executor::StatementSession::default(),
        user: "doctor".to_owned(),
        now: Timestamp::from_millis(0),
        output: folder.0.join("result.arrow.partial"),
        output_limit: None,
    };
    let started = Instant::now();
    let executed = tokio::time::timeout(PROBE_TIMEOUT, async {
        pool.wake().await?;
        pool.execute(statement, Box::new(|_| {})).await
    });
    let outcome = executed.await;
    let took = started.elapsed();
    pool.rest().await;
    match outcome {
        Ok(Ok(execution)) if execution.row_count == 1 => Ok(took),
        Ok(Ok(execution)) => Err(internal(format!("a statement of one row gave {}", execution.row_count))),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(internal(format!("no answer within {} seconds", PROBE_TIMEOUT.as_secs()))),
    }
}

/// Removed on drop.
struct ProbeFolder(PathBuf);

impl ProbeFolder {
    fn make() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("rowhouse-doctor-{}", std::process::id()));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }
}

impl Drop for ProbeFolder {
    fn drop(&mut self) {
        // OK to ignore: it is in the temporary folder, which the system cleans up.
        let _ = fs::remove_dir_all(&self.0);
    }
}
