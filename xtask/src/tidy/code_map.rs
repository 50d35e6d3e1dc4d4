//! The code map of `docs/architecture.md` names every crate, and in crates with many subjects every file that has a
//! folder of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const DOCUMENT: &str = "docs/architecture.md";
/// Crates whose parts the map must name.
const OF_MANY_SUBJECTS: [&str; 2] = ["engine", "server"];

pub(super) fn check(root: &Path, sources: &[PathBuf]) -> Result<Vec<String>> {
    let document = fs::read_to_string(root.join(DOCUMENT)).context(DOCUMENT)?;
    let map = document.split_once("## Code map").context("docs/architecture.md has no code map")?.1;
    let map = map.split("\n## ").next().unwrap_or_default();
    let named: BTreeSet<&str> = map.split('`').collect();
    let missing = wanted(sources).into_iter().filter(|path| !named.contains(path.as_str()));
    Ok(missing.map(|path| format!("{DOCUMENT}: its code map lacks {path}")).collect())
}

/// The entries that the map must have.
fn wanted(sources: &[PathBuf]) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    for path in sources {
        let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
        match parts.as_slice() {
            ["crates", name, "src", module, _, ..] if OF_MANY_SUBJECTS.contains(name) => {
                wanted.insert(format!("crates/{name}/src/{module}.rs"));
            }
            ["crates", name, ..] if !OF_MANY_SUBJECTS.contains(name) => {
                wanted.insert(format!("crates/{name}"));
            }
            _ => {}
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_must_name_crates_and_folders() {
        let sources =
            ["crates/model/src/id.rs", "crates/engine/src/views/scan.rs", "crates/engine/src/clock.rs"];
        let wanted = wanted(&sources.map(PathBuf::from));
        assert_eq!(wanted.into_iter().collect::<Vec<_>>(), ["crates/engine/src/views.rs", "crates/model"]);
    }
}
