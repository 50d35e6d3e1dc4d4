//! The schema's versions: each migration is a file under `migrations/`, run once, in order, in a transaction that also
//! increments `user_version`. A released migration is never changed; a new one is appended.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::failed;
use crate::error::{Error, ErrorKind, Result};

/// Migration N is at index N-1 and migrates from version N-1 to version N.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_initial.sql"),
    include_str!("migrations/0002_generation_log.sql"),
    include_str!("migrations/0003_record_texts.sql"),
    include_str!("migrations/0004_small_results.sql"),
    include_str!("migrations/0005_workspace_limits.sql"),
    include_str!("migrations/0006_token_parents.sql"),
    include_str!("migrations/0007_cache_sources.sql"),
    include_str!("migrations/0008_endpoints.sql"),
    include_str!("migrations/0009_token_grants.sql"),
    include_str!("migrations/0010_idempotency_keys.sql"),
    include_str!("migrations/0011_saved_sql_versions.sql"),
    include_str!("migrations/0012_endpoint_calls.sql"),
    include_str!("migrations/0013_kept_results.sql"),
    include_str!("migrations/0014_saved_sql_sizes.sql"),
];

/// `application_id` of the database file: "RowH".
const APPLICATION_ID: i32 = 0x526f_7748;

/// Migrates the database to the newest version.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<()> {
    let version = check(connection, path)?;
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(version) {
        let number = index + 1;
        run(connection, migration, number).map_err(|error| {
            Error::internal(format!("migrating {} to schema {number}", path.display()), error)
        })?;
        if version > 0 {
            tracing::info!(schema = number, "the database's schema was brought forward");
        }
    }
    Ok(())
}

/// The version of a database that this build can use.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<usize> {
    let known = MIGRATIONS.len();
    // The doctor shows this to the operator, so it names the file and the reason.
    let version = version(connection).map_err(|error| {
        Error::internal(format!("reading the version of {}: {error}", path.display()), error)
    })?;
    if version > known {
        return Err(Error::new(
            ErrorKind::NotSupported,
            format!(
                "{} was written by a newer version of Rowhouse (schema {version}, this one knows {known}): \
                 start that version, or restore a backup made before the upgrade",
                path.display()
            ),
        ));
    }
    check_ownership(connection, path, version)?;
    Ok(version)
}

/// Runs one migration and sets its number, atomically.
pub(super) fn run(connection: &mut Connection, migration: &str, number: usize) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(migration)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", i64::try_from(number).unwrap_or(i64::MAX))?;
    transaction.commit()
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

/// A database of another program is not touched.
fn check_ownership(connection: &Connection, path: &Path, version: usize) -> Result<()> {
    let look = || -> rusqlite::Result<bool> {
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        Ok((version == 0 && tables == 0) || id == APPLICATION_ID)
    };
    match look() {
        Ok(true) => Ok(()),
        Ok(false) => Err(Error::new(
            ErrorKind::NotSupported,
            format!("{} is not a database of Rowhouse", path.display()),
        )),
        Err(error) => Err(failed("looking at the database", error)),
    }
}
