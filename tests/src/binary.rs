//! Location of the binary under test, and of the sample data that all test runs share.

use std::path::PathBuf;

/// The `rowhouse` binary that `cargo test --workspace` built beside the tests.
///
/// # Panics
/// If it is not there: `cargo build --release` builds it.
pub fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("ROWHOUSE_BINARY") {
        return path.into();
    }
    let path = profile_dir().join("rowhouse");
    assert!(path.is_file(), "{} is not there: cargo build --release", path.display());
    path
}

/// A folder for the sample catalog that outlives a test run: generating scale 1 takes a while.
pub fn sample_dir() -> PathBuf {
    profile_dir().join("rowhouse-samples")
}

/// `target/<profile>`: a test's program is in its `deps`, others are in the folder itself.
fn profile_dir() -> PathBuf {
    let program = std::env::current_exe().expect("a running program has a path");
    let folder = program.parent().expect("a program lies in a folder");
    let is_test = folder.file_name().is_some_and(|name| name == "deps");
    folder.ancestors().nth(usize::from(is_test)).expect("target/<profile>/deps").to_owned()
}
