//! A clock that jumps, for one server: a preloaded library shifts the time of day that the server reads.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::{path_in_tests, skip};

/// The difference between a server's time of day and the machine's.
#[derive(Debug)]
pub struct ClockShift {
    folder: TempDir,
    millis: File,
}

impl ClockShift {
    /// Builds the library; none, with a message, if there is no C compiler or no Linux.
    ///
    /// # Panics
    /// As [`skip()`]; if the compiler refuses the library.
    pub fn new() -> Option<Self> {
        if !cfg!(target_os = "linux") {
            skip("LD_PRELOAD", "this is no Linux");
            return None;
        }
        let folder = TempDir::new().expect("a temporary folder");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(folder.path().join("shift.so"))
            .arg(path_in_tests("data/clock_shift.c"))
            .status();
        match built {
            Ok(status) => assert!(status.success(), "cc refused the library"),
            Err(error) => {
                skip("cc", error);
                return None;
            }
        }
        let millis = File::create(folder.path().join("millis")).expect("a file");
        let shift = Self { folder, millis };
        shift.set(0);
        Some(shift)
    }

    /// The environment of a server with this clock.
    pub fn environment(&self) -> [(&'static str, String); 2] {
        let path = |name: &str| -> PathBuf { self.folder.path().join(name) };
        [
            ("LD_PRELOAD", path("shift.so").display().to_string()),
            ("CLOCK_SHIFT_FILE", path("millis").display().to_string()),
        ]
    }

    /// Sets the clock this many milliseconds ahead of the machine's, at once.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn set(&self, millis: i64) {
        self.millis.write_all_at(&millis.to_ne_bytes(), 0).expect("the file can be written");
    }
}
