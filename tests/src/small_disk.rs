//! A disk that can be filled: a small file system in memory. Only root can mount one.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::skip;

/// Name of the file that fills the disk.
const FILLER: &str = "filler";

/// A mounted file system; unmounted when this is dropped.
#[derive(Debug)]
pub struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// Mounts one of a size in the notation of `mount`; none, with a message, if that is not allowed.
    ///
    /// # Panics
    /// As [`skip()`].
    pub fn mount(size: &str) -> Option<Self> {
        let folder = TempDir::new().expect("a temporary folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(folder.path())
            .output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self { folder }),
            Ok(output) => {
                skip("mount", String::from_utf8_lossy(&output.stderr));
                None
            }
            Err(error) => {
                skip("mount", error);
                None
            }
        }
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes until the disk is full.
    ///
    /// # Panics
    /// If the disk is gone.
    pub fn fill(&self) {
        for block in [1 << 20, 4096] {
            let path = self.path().join(FILLER);
            let mut file = File::options().append(true).create(true).open(path).expect("a file");
            while file.write_all(&vec![7; block]).is_ok() {}
        }
    }

    /// Removes what [`fill`](Self::fill) has written.
    pub fn make_room(&self) {
        // OK to ignore: then the file does not exist.
        let _ = std::fs::remove_file(self.path().join(FILLER));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // OK to ignore: a folder that stays mounted shows when the temporary folder is removed.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}
