//! What a worker is confined to from its first job on: the files that it may read and the one folder that it may write.
//! The server specifies it, the worker drops all other rights, and the kernel enforces it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use rowhouse_model::TableFormat;
use serde::{Deserialize, Serialize};

/// What a worker may open. All other access is dropped permanently, so a worker serves one workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// What it may read.
    pub grants: Vec<Grant>,
    /// The folder that it may write, absolute.
    pub work_dir: PathBuf,
    /// Folders that may contain tables, without symbolic links; empty: anywhere outside [`data_dir`](Self::data_dir).
    pub table_roots: Vec<PathBuf>,
    /// Folder in which it may read only what [`Grant::Folder`] names, and tables in [`files_dir`](Self::files_dir).
    pub data_dir: PathBuf,
    /// Folder inside [`data_dir`](Self::data_dir) with a folder of files for each workspace. A table may be in the
    /// folder that its location begins with.
    pub files_dir: PathBuf,
}

/// Read access for a worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Grant {
    /// The files of a table.
    Table {
        /// File, glob or folder, absolute.
        location: String,
        /// Format of the files.
        format: TableFormat,
    },
    /// A folder with everything below it: a view's folder, or the sample catalog's.
    Folder(PathBuf),
}

/// Whether a worker may run where the kernel cannot enforce the whole sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SandboxMode {
    /// It does not start.
    Require,
    /// It drops the rights that it can.
    #[default]
    BestEffort,
}

impl SandboxMode {
    /// Its text in the configuration and on a worker's command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Require => "require",
            Self::BestEffort => "best-effort",
        }
    }
}

impl FromStr for SandboxMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = [Self::Require, Self::BestEffort].into_iter().find(|mode| mode.as_str() == text);
        found.ok_or_else(|| format!("'{text}' is no mode of the sandbox: require or best-effort"))
    }
}

/// The parts of the sandbox that this kernel enforces on a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxReport {
    /// Version of Landlock's interface that was used; 0 where the kernel has none.
    pub landlock_abi: u32,
    /// Whether system calls are filtered.
    pub seccomp: bool,
}

/// The Landlock ABI version that also restricts signals and abstract sockets: Linux 6.12.
pub const WANTED_LANDLOCK_ABI: u32 = 6;

impl SandboxReport {
    /// Whether the sandbox is complete.
    pub const fn is_whole(self) -> bool {
        self.landlock_abi >= WANTED_LANDLOCK_ABI && self.seccomp
    }

    /// The parts that are not enforced, in words; empty if complete.
    pub fn missing(self) -> Vec<&'static str> {
        let Self { landlock_abi, seccomp } = self;
        [
            (landlock_abi < 1, "files are not confined (Landlock, Linux 5.13)"),
            (landlock_abi < 3, "files can be truncated (Landlock 3, Linux 6.2)"),
            (landlock_abi < 4 && !seccomp, "TCP is open (Landlock 4, Linux 6.7)"),
            (
                landlock_abi < WANTED_LANDLOCK_ABI,
                "signals are held back by seccomp alone (Landlock 6, Linux 6.12)",
            ),
            (!seccomp, "system calls are not filtered (seccomp)"),
        ]
        .into_iter()
        .filter_map(|(is_missing, what)| is_missing.then_some(what))
        .collect()
    }
}

impl fmt::Display for SandboxReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { landlock_abi, seccomp } = self;
        let seccomp = if *seccomp { "seccomp" } else { "no seccomp" };
        match landlock_abi {
            0 => write!(f, "no Landlock, {seccomp}"),
            abi => write!(f, "Landlock {abi}, {seccomp}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_lists_what_is_not_enforced() {
        let check = |landlock_abi, seccomp, missing: usize| {
            let report = SandboxReport { landlock_abi, seccomp };
            assert_eq!(report.missing().len(), missing, "{report}");
            assert_eq!(report.is_whole(), missing == 0, "{report}");
        };
        check(7, true, 0);
        check(6, true, 0);
        check(6, false, 1);
        check(5, true, 1);
        check(2, true, 2);
        check(0, true, 3);
        check(0, false, 5);
    }

    #[test]
    fn sandbox_modes_round_trip() {
        for mode in [SandboxMode::Require, SandboxMode::BestEffort] {
            assert_eq!(mode.as_str().parse(), Ok(mode));
        }
        assert!("besteffort".parse::<SandboxMode>().is_err());
    }
}
