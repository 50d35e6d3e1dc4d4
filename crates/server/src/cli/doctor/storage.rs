//! The data directory: its owner, its lock, its contents and missing files.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rowhouse_engine::{DamagedFile, DataDirReport, EngineConfig, SetAsideFolder, VerifyReport, inspect};
use rustix::fs::Access;

use super::findings::Findings;

const SUBJECT: &str = "data directory";
/// Less free space than this is too little for a day of results.
const LITTLE_SPACE_BYTES: u64 = 1 << 30;
/// With less free space than this the database cannot be written soon.
const NO_SPACE_BYTES: u64 = 64 << 20;

/// Whether a server is running on it.
pub(super) fn check(findings: &mut Findings, config: &EngineConfig) -> bool {
    for root in &config.table_roots {
        if !root.is_dir() {
            findings.doubtful(
                "table_roots",
                format!("{} is no folder", root.display()),
                "make it or take it out of table_roots; tables in it are not there for statements",
            );
        }
    }
    let data_dir = &config.data_dir;
    let Ok(metadata) = std::fs::metadata(data_dir) else {
        check_absent(findings, data_dir);
        return false;
    };
    if !metadata.is_dir() {
        findings.bad(SUBJECT, format!("{} is no folder", data_dir.display()), "name a folder as data_dir");
        return false;
    }
    if rustix::fs::access(data_dir, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).is_err() {
        findings.bad(
            SUBJECT,
            format!("{} belongs to user {} and cannot be written", data_dir.display(), metadata.uid()),
            "run as that user, or give the folder to the server's user: chown -R USER FOLDER",
        );
        return false;
    }
    if metadata.mode() & 0o077 != 0 {
        findings.doubtful(
            SUBJECT,
            format!("{} is open to other users (mode {:o})", data_dir.display(), metadata.mode() & 0o777),
            "chmod 700 FOLDER: it holds what people have queried",
        );
    }
    check_space(findings, data_dir);
    match inspect(data_dir) {
        Ok(report) => report_contents(findings, config, &report),
        Err(error) => {
            findings.bad(SUBJECT, error.to_string(), "restore a backup, or start the version that wrote it");
            false
        }
    }
}

/// Verifies all stored rows.
pub(super) fn verify(findings: &mut Findings, config: &EngineConfig) {
    const SUBJECT: &str = "stored rows";
    let VerifyReport { files, bytes, without_checksums, damaged } =
        match rowhouse_engine::verify(&config.data_dir) {
            Ok(report) => report,
            Err(error) => {
                return findings.bad(SUBJECT, error.to_string(), "see to what is said of the data directory");
            }
        };
    for DamagedFile { place, reason, is_view } in &damaged {
        findings.bad(
            SUBJECT,
            format!("{} is damaged: {reason}", place.display()),
            if *is_view {
                "its first reader has the view refreshed, or refresh it now; look at the disk"
            } else {
                "run its statement again, or restore a backup; look at the disk"
            },
        );
    }
    let read = format!("{files} files ({} MiB) were read, {} are damaged", bytes >> 20, damaged.len());
    if damaged.is_empty() {
        findings.good(SUBJECT, read);
    } else {
        findings.bad(SUBJECT, read, "see above");
    }
    if without_checksums > 0 {
        findings.good(
            SUBJECT,
            format!("{without_checksums} of them were written by an earlier version and have no checksums"),
        );
    }
}

fn check_absent(findings: &mut Findings, data_dir: &Path) {
    let absolute = std::path::absolute(data_dir).unwrap_or_else(|_| data_dir.to_owned());
    let parent = absolute.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    if rustix::fs::access(parent, Access::WRITE_OK | Access::EXEC_OK).is_ok() {
        findings.good(SUBJECT, format!("{} is not there; the first start makes it", data_dir.display()));
        check_space(findings, parent);
    } else {
        findings.bad(
            SUBJECT,
            format!("{} is not there and cannot be made in {}", data_dir.display(), parent.display()),
            "make it and give it to the server's user, or set data_dir",
        );
    }
}

fn check_space(findings: &mut Findings, folder: &Path) {
    let Ok(space) = rustix::fs::statvfs(folder) else { return };
    let free_bytes = space.f_bavail.saturating_mul(space.f_frsize);
    let line = format!("{} MiB are free", free_bytes >> 20);
    let advice =
        "free some, or shorten results.retention: statements fail when their results cannot be stored";
    if free_bytes < NO_SPACE_BYTES {
        findings.bad(SUBJECT, line, advice);
    } else if free_bytes < LITTLE_SPACE_BYTES {
        findings.doubtful(SUBJECT, line, advice);
    } else {
        findings.good(SUBJECT, line);
    }
}

fn report_contents(findings: &mut Findings, config: &EngineConfig, report: &DataDirReport) -> bool {
    let data_dir = &config.data_dir;
    let DataDirReport {
        held_by,
        schema_version,
        known_schema_version,
        damage,
        missing_results,
        missing_generations,
        unfinished_files,
        backup_leftovers,
        lost_database,
        set_aside,
    } = report;
    match held_by {
        Some(process) => {
            findings.good(
                SUBJECT,
                format!("the server with process id {process} runs on {}", data_dir.display()),
            );
        }
        None => findings.good(SUBJECT, format!("no server runs on {}", data_dir.display())),
    }
    match (schema_version, lost_database) {
        (None, Some(traces)) if config.new_database => findings.doubtful(
            SUBJECT,
            format!("the database is missing or empty; there are {traces}"),
            "nothing, if that is meant: the next start makes a new one and sets these aside",
        ),
        (None, Some(traces)) => findings.bad(
            SUBJECT,
            format!("the database rowhouse.db is missing or empty; there are {traces}"),
            "put it back, from where it is or from a backup; serve --new-database begins with a new one",
        ),
        (None, None) => findings.good(SUBJECT, "no database yet; the first start makes it".to_owned()),
        (Some(version), _) if version == known_schema_version => {
            findings.good(SUBJECT, format!("the database has schema {version}, which is this version's"));
        }
        (Some(version), _) => findings.doubtful(
            SUBJECT,
            format!("the database has schema {version}; the next start brings it to {known_schema_version}"),
            "rowhouse backup FOLDER first: a migration is not undone",
        ),
    }
    if let Some(damage) = damage {
        findings.bad(SUBJECT, format!("the database is damaged: {damage}"), "restore a backup");
    }
    if *missing_results > 0 {
        findings.doubtful(
            SUBJECT,
            format!("{missing_results} results that records name are not there; they read as expired"),
            "restore a backup if they are needed; nothing in results/ is to be removed by hand",
        );
    }
    if *missing_generations > 0 {
        findings.doubtful(
            SUBJECT,
            format!("the rows of {missing_generations} views are not there"),
            "the next start refreshes those views; nothing in views/ is to be removed by hand",
        );
    }
    if *unfinished_files > 0 && held_by.is_none() {
        findings.doubtful(
            SUBJECT,
            format!("{unfinished_files} unfinished results were left by a server that was killed"),
            "nothing: the next start removes them",
        );
    }
    for SetAsideFolder { place, files, bytes } in set_aside {
        findings.doubtful(
            SUBJECT,
            format!(
                "{files} files ({} MiB) that the database did not know lie in {}",
                bytes >> 20,
                place.display()
            ),
            "put the database back that knows them, and the next start takes them back; or remove the folder",
        );
    }
    if !backup_leftovers.is_empty() {
        findings.doubtful(
            SUBJECT,
            format!("a backup is under way, or was killed: {}", backup_leftovers.join(", ")),
            "if none is under way: the next rowhouse backup removes it",
        );
    }
    held_by.is_some()
}
