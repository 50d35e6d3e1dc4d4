//! `unsafe` is used in the files that `docs/architecture.md` names, and in no other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const DOCUMENT: &str = "docs/architecture.md";
/// The sentence of the document, and where it ends.
const SENTENCE: [&str; 2] = ["`unsafe` is in", "\n- "];

pub(super) fn check(root: &Path, sources: &[PathBuf]) -> Result<Vec<String>> {
    let document = fs::read_to_string(root.join(DOCUMENT)).context(DOCUMENT)?;
    let [start, end] = SENTENCE;
    let sentence =
        document.split_once(start).context("docs/architecture.md does not say where `unsafe` is")?.1;
    let sentence = sentence.split(end).next().unwrap_or_default();
    let named: BTreeSet<&str> = sentence.split('`').filter(|text| text.ends_with(".rs")).collect();
    let mut found = BTreeSet::new();
    for path in sources {
        let text = fs::read_to_string(root.join(path)).with_context(|| path.display().to_string())?;
        if text.lines().any(has_unsafe) {
            found.insert(path.to_str().context("a path is not UTF-8")?.to_owned());
        }
    }
    let mut faults = Vec::new();
    for path in found.iter().filter(|path| !named.contains(path.as_str())) {
        faults.push(format!("{path}: has `unsafe`, which {DOCUMENT} does not say"));
    }
    for path in named.iter().filter(|path| !found.contains(**path)) {
        faults.push(format!("{DOCUMENT}: says that {path} has `unsafe`"));
    }
    Ok(faults)
}

/// Whether the code of the line uses `unsafe`; comments and strings do not count.
fn has_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"]
        .iter()
        .any(|form| code.find(form).is_some_and(|at| !code[..at].contains('"')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_not_code() {
        for (line, expected) in [
            ("let map = unsafe { map() };", true),
            ("unsafe impl Send for A {}", true),
            ("// unsafe { }", false),
            ("let text = \"unsafe { }\";", false),
            ("#![forbid(unsafe_code)]", false),
        ] {
            assert_eq!(has_unsafe(line), expected, "{line}");
        }
    }
}
