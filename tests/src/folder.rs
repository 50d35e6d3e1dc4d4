//! Paths of the tests' own files.

use std::path::PathBuf;

/// A file or folder of the package `tests` by its path in it.
///
/// At run time cargo names the package that it tests. The path at compile time may belong to another clone that shares
/// the target directory; it is used when a test's program is started by hand.
pub fn path_in_tests(path: &str) -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(folder).join(path)
}
