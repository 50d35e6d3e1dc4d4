//! Each source file opens with one to six lines that say what it owns.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A head may be longer in a file that stands for a whole folder or crate.
const MAX_HEAD_LINES: usize = 40;

pub(super) fn check(root: &Path, sources: &[PathBuf]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    // The subject of a file of unit tests is the file beside it.
    for path in sources.iter().filter(|path| !path.ends_with("tests.rs")) {
        let text = fs::read_to_string(root.join(path)).with_context(|| path.display().to_string())?;
        let mut lines = text.lines().skip_while(|line| line.starts_with("#!"));
        let head = lines.by_ref().take_while(|line| line.starts_with("//!")).count();
        if head == 0 {
            faults.push(format!("{}: does not open with //! lines", path.display()));
        } else if head > MAX_HEAD_LINES {
            faults.push(format!("{}: its head has {head} lines, of {MAX_HEAD_LINES}", path.display()));
        }
    }
    Ok(faults)
}
