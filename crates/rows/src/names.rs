//! Names of an object's keys, made unique (D18).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The names with `_1`, `_2`, … appended to the second and later occurrences of a name, so that all are unique. A
/// suffix whose result another name has is skipped.
pub fn unique_names<'a>(names: &[&'a str]) -> Vec<Cow<'a, str>> {
    let mut given = HashSet::with_capacity(names.len());
    if names.iter().all(|name| given.insert(*name)) {
        return names.iter().copied().map(Cow::Borrowed).collect();
    }
    let mut taken: HashSet<String> = HashSet::with_capacity(names.len());
    let mut unique = Vec::with_capacity(names.len());
    let given: HashSet<&str> = names.iter().copied().collect();
    // The suffix after the last one of a name: those before it are taken.
    let mut next: HashMap<&str, usize> = HashMap::new();
    for name in names {
        let mut suffix = next.get(name).copied().unwrap_or(0);
        let mut candidate = if suffix == 0 { (*name).to_owned() } else { format!("{name}_{suffix}") };
        while taken.contains(&candidate) || (suffix > 0 && given.contains(candidate.as_str())) {
            suffix += 1;
            candidate = format!("{name}_{suffix}");
        }
        next.insert(name, suffix + 1);
        taken.insert(candidate.clone());
        unique.push(Cow::Owned(candidate));
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_are_numbered() {
        let check = |names: &[&str], expected: &[&str]| {
            assert_eq!(unique_names(names), expected);
        };
        check(&["a", "b"], &["a", "b"]);
        check(&["a", "a", "a"], &["a", "a_1", "a_2"]);
        check(&["a", "a_1", "a"], &["a", "a_1", "a_2"]);
        check(&["a", "a", "a_1"], &["a", "a_2", "a_1"]);
        check(&["_col0", "A", "a"], &["_col0", "A", "a"]);
        check(&["", ""], &["", "_1"]);
        check(&["a", "a_1", "a_1", "a"], &["a", "a_1", "a_1_1", "a_2"]);
        check(&["a", "a_2", "a", "a", "a"], &["a", "a_2", "a_1", "a_3", "a_4"]);
    }

    /// Regression: each occurrence tried all suffixes from the first one on, half a minute for these.
    #[test]
    fn many_equal_names_take_linear_time() {
        let names = vec!["x"; 200_000];
        assert_eq!(unique_names(&names).last().map(AsRef::as_ref), Some("x_199999"));
    }
}
