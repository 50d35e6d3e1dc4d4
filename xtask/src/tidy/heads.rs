//! Each source file begins with a head of one to six lines that describe what it owns. Diagrams and lists in it do not
//! count.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const MAX_PROSE_LINES: usize = 6;

pub(super) fn check(root: &Path, sources: &[PathBuf]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for path in sources {
        let text = fs::read_to_string(root.join(path)).with_context(|| path.display().to_string())?;
        let head = head(&text);
        // The subject of a file of unit tests is the file beside it; the root of a crate is its introduction.
        let is_unit_tests = path.ends_with("tests.rs");
        let is_root = path.ends_with("lib.rs");
        if head.is_empty() && !is_unit_tests {
            faults.push(format!("{}: does not open with //! lines", path.display()));
        }
        let prose = prose_lines(&head);
        if prose > MAX_PROSE_LINES && !is_root {
            faults.push(format!(
                "{}: its head has {prose} lines of prose, of {MAX_PROSE_LINES}",
                path.display()
            ));
        }
    }
    Ok(faults)
}

fn head(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| line.starts_with("#!"));
    lines.map_while(|line| line.strip_prefix("//!")).map(str::trim).collect()
}

/// Lines that are neither empty, nor in a fenced block, nor of a list.
fn prose_lines(head: &[&str]) -> usize {
    let mut is_fenced = false;
    let is_prose = |line: &&&str| {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
            return false;
        }
        let is_item = line.starts_with(['-', '|']) || line.starts_with(|first: char| first.is_ascii_digit());
        !is_fenced && !line.is_empty() && !is_item
    };
    head.iter().filter(is_prose).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_and_lists_do_not_count() {
        let text = "//! One.\n//!\n//! ```text\n//! a\n//! b\n//! ```\n//! - an item\n//! 1. another\n//! Two.\nuse a;\n//! no";
        assert_eq!(prose_lines(&head(text)), 2);
    }
}
