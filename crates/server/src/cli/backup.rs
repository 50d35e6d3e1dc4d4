//! `rowhouse backup FOLDER`: copies a data directory, with or without a running server.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

/// `rowhouse backup`
#[derive(Debug, Args)]
pub(super) struct BackupCommand {
    /// Folder to create for the backup; it must not exist
    target: PathBuf,
    /// Data directory to back up; its server may be running
    #[arg(long, value_name = "FOLDER", env = "ROWHOUSE_DATA_DIR", default_value = "rowhouse-data")]
    data_dir: PathBuf,
    /// Copy files even if hard links are possible
    #[arg(long)]
    copy: bool,
}

impl BackupCommand {
    pub(super) fn run(self) -> ExitCode {
        let Self { target, data_dir, copy } = self;
        match rowhouse_engine::backup(&data_dir, &target, copy) {
            Ok(report) => {
                println!(
                    "{}: {} files with {} bytes {}, database with {} bytes",
                    target.display(),
                    report.files,
                    report.file_bytes,
                    if report.is_linked { "by hard links" } else { "copied" },
                    report.database_bytes,
                );
                if report.incomplete.is_empty() {
                    return ExitCode::SUCCESS;
                }
                for file in &report.incomplete {
                    eprintln!(
                        "rowhouse: {} is not complete, neither in the data directory nor here",
                        file.display()
                    );
                }
                eprintln!(
                    "rowhouse: the backup has everything else; refresh the views of files in views/, delete the results of \
                     files in results/, and make another"
                );
                ExitCode::FAILURE
            }
            Err(error) => {
                let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
                eprintln!("rowhouse: {error}{}", cause.unwrap_or_default());
                ExitCode::FAILURE
            }
        }
    }
}
