//! Rules that the compiler does not check. Each check returns the faults that it found; none changes a file.

mod code_map;
mod decisions;
mod dependencies;
mod edges;
mod heads;
mod import_circles;
mod lengths;
mod outside_crates;
mod paths_in_documents;
mod unsafe_code;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::root;

pub(crate) fn run() -> Result<()> {
    let faults = faults(&root())?;
    if faults.is_empty() {
        println!("tidy: no fault");
        return Ok(());
    }
    bail!("tidy: {} faults\n{}", faults.len(), faults.join("\n"))
}

fn faults(root: &Path) -> Result<Vec<String>> {
    let sources = tracked(root, "*.rs")?;
    let mut faults = edges::check(root)?;
    faults.extend(dependencies::check(root)?);
    faults.extend(outside_crates::check(root)?);
    faults.extend(heads::check(root, &sources)?);
    faults.extend(lengths::check(root, &sources)?);
    faults.extend(import_circles::check(root, &sources)?);
    let documents = tracked(root, "*.md")?;
    faults.extend(paths_in_documents::check(root, &documents)?);
    faults.extend(unsafe_code::check(root, &sources)?);
    faults.extend(code_map::check(root, &sources)?);
    faults.extend(decisions::check(root, &[sources, documents].concat())?);
    Ok(faults)
}

/// Files that git tracks or would track, relative to the root.
fn tracked(root: &Path, pattern: &str) -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", pattern])
        .current_dir(root)
        .output()
        .context("git ls-files did not start")?;
    if !output.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    }
    let listing = String::from_utf8(output.stdout).context("a tracked path is not UTF-8")?;
    let paths = listing.lines().map(PathBuf::from).filter(|path| root.join(path).is_file());
    Ok(paths.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_tidy() {
        let faults = faults(&root()).expect("tidy can read the workspace");
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
