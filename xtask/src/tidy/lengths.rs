//! Maximum length of source files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const MAX_LINES: usize = 500;

pub(super) fn check(root: &Path, sources: &[PathBuf]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in sources {
        let text = fs::read_to_string(root.join(path)).with_context(|| path.display().to_string())?;
        let lines = text.lines().count();
        if lines > MAX_LINES {
            faults
                .push(format!("{}: {lines} lines, of {MAX_LINES}: split by responsibility", path.display()));
        }
    }
    Ok(faults)
}
