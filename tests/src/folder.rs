//! Where the tests' own files are.

use std::path::PathBuf;

/// A file or folder of the package `tests` by its path in it.
///
/// Cargo says at run time which package it tests. The path of the time of compiling may be another clone's, whose
/// programs lie in the same target directory; it is for those who start a test's program by hand.
pub fn path_in_tests(path: &str) -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(folder).join(path)
}
