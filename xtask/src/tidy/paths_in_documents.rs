//! Every path that a document has in backticks or links to exists.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A path in backticks counts if it begins with one of these folders of the root.
const FOLDERS: &[&str] = &["crates/", "xtask/", "tests/", "docs/", ".ci/"];

pub(super) fn check(root: &Path, documents: &[PathBuf]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for document in documents {
        let text = fs::read_to_string(root.join(document)).with_context(|| document.display().to_string())?;
        let folder = document.parent().unwrap_or(Path::new(""));
        for (number, line) in text.lines().enumerate() {
            let missing = quoted_paths(line)
                .filter(|path| !root.join(path).exists())
                .chain(linked_paths(line).filter(|path| !root.join(folder).join(path).exists()));
            faults.extend(missing.map(|path| {
                format!("{}:{}: names {path}, which is not there", document.display(), number + 1)
            }));
        }
    }
    Ok(faults)
}

/// The texts in backticks that look like paths of this repository; a pattern with `*`, `{` or `<` does not count.
fn quoted_paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|text| {
        FOLDERS.iter().any(|folder| text.starts_with(folder)) && !text.contains(['*', '{', '<', ' ', '…'])
    })
}

/// The targets of links to files, without their anchors.
fn linked_paths(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let targets = targets.filter_map(|target| target.split('#').next());
    targets.filter(|target| !target.is_empty() && !target.contains("://") && !target.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_line(line: &str, quoted: &[&str], linked: &[&str]) {
        assert_eq!(quoted_paths(line).collect::<Vec<_>>(), quoted);
        assert_eq!(linked_paths(line).collect::<Vec<_>>(), linked);
    }

    #[test]
    fn paths_are_found_in_backticks_and_links() {
        check_line("see `crates/model` and `serde`, `tests/*.rs`", &["crates/model"], &[]);
        check_line("[a](docs/api.md#x) [b](https://example.org/c) [c](#d)", &[], &["docs/api.md"]);
    }
}
