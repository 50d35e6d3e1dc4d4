//! `docs/decisions.md` has each decision once, in the order of the numbers within a section and of the sections, lists
//! the unused numbers, and has every decision that the tree cites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const DOCUMENT: &str = "docs/decisions.md";

pub(super) fn check(root: &Path, citing: &[PathBuf]) -> Result<Vec<String>> {
    let text = fs::read_to_string(root.join(DOCUMENT)).context(DOCUMENT)?;
    let mut faults = faults(&text);
    let decided: BTreeSet<u32> = decisions(&text).into_iter().map(|(_, number)| number).collect();
    for path in citing.iter().filter(|path| !path.ends_with("decisions.md")) {
        let text = fs::read_to_string(root.join(path)).with_context(|| path.display().to_string())?;
        for number in cited(&text).difference(&decided) {
            faults.push(format!("{}: cites D{number}, which {DOCUMENT} does not have", path.display()));
        }
    }
    Ok(faults)
}

fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let decisions = decisions(text);
    let mut seen = BTreeMap::new();
    for (section, number) in &decisions {
        if let Some(other) = seen.insert(*number, *section) {
            faults.push(format!("{DOCUMENT}: D{number} is there twice, in '{other}' and '{section}'"));
        }
    }
    for pair in decisions.windows(2) {
        let [(section, number), (next_section, next)] = pair else { continue };
        if section == next_section && next < number {
            faults.push(format!("{DOCUMENT}: D{next} stands behind D{number} in '{section}'"));
        }
    }
    let firsts: Vec<_> = decisions.chunk_by(|a, b| a.0 == b.0).map(|section| section[0]).collect();
    for pair in firsts.windows(2) {
        let [(section, number), (next_section, next)] = pair else { continue };
        if next < number {
            faults.push(format!(
                "{DOCUMENT}: '{next_section}' (D{next}) stands behind '{section}' (D{number})"
            ));
        }
    }
    let void = void(text);
    let last = decisions.iter().map(|(_, number)| *number).max().unwrap_or(0);
    for number in 1..=last {
        match (seen.contains_key(&number), void.contains(&number)) {
            (false, false) => {
                faults.push(format!("{DOCUMENT}: D{number} is neither there nor said to stand for nothing"))
            }
            (true, true) => faults.push(format!("{DOCUMENT}: D{number} is said to stand for nothing")),
            _ => {}
        }
    }
    faults
}

/// Section and number of each decision, in order of appearance.
fn decisions(text: &str) -> Vec<(&str, u32)> {
    let mut section = "";
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        } else if let Some(rest) = line.strip_prefix("**D") {
            let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
            found.extend(digits.parse().map(|number| (section, number)));
        }
    }
    found
}

/// The numbers of the line that begins with "Numbers that stand for nothing:".
fn void(text: &str) -> BTreeSet<u32> {
    let line = text.lines().find_map(|line| line.strip_prefix("Numbers that stand for nothing:"));
    let number = |text: &str| text.trim().trim_start_matches('D').parse::<u32>().ok();
    let ranges = line.unwrap_or_default().trim_end_matches('.').split(',').filter_map(|range| {
        let (first, last) = range.split_once(" to ").unwrap_or((range, range));
        number(first).zip(number(last))
    });
    ranges.flat_map(|(first, last)| first..=last).collect()
}

/// Numbers that follow a `D` and stand alone: `D7`, not `3D7` and not `D7A`.
fn cited(text: &str) -> BTreeSet<u32> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices('D') {
        let rest = &text[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_word = !text[..at].ends_with(is_part) && !rest[digits..].starts_with(is_part);
        if is_word && (1..=3).contains(&digits) {
            found.extend(rest[..digits].parse::<u32>());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDERED: &str =
        "Numbers that stand for nothing: D2, D4 to D5.\n## A\n**D1 a**\n**D6 b**\n## B\n**D3 c**\n";

    #[test]
    fn an_ordered_and_complete_list_has_no_fault() {
        assert_eq!(faults(ORDERED), Vec::<String>::new());
    }

    #[test]
    fn each_fault_is_reported() {
        for (text, count) in [
            (ORDERED.replace("**D6 b**", "**D1 b**"), 1),
            (ORDERED.replace("D2, ", ""), 1),
            (ORDERED.replace("D2, ", "D2, D3, "), 1),
            (ORDERED.replace("**D1 a**\n**D6 b**", "**D6 b**\n**D1 a**"), 2),
        ] {
            assert_eq!(faults(&text).len(), count, "{text}\n{:?}", faults(&text));
        }
    }

    #[test]
    fn only_whole_words_are_citations() {
        assert_eq!(cited("(D7) D12, x D7A 3D4 D1234 MD5 D40."), BTreeSet::from([7, 12, 40]));
    }
}
