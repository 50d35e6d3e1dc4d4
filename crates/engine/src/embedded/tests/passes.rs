//! Each rewriting pass switched off by itself, and all of them: the answers stay what they are.

use std::fs;

use serde_json::Value;

use super::{NULL_TABLES, fault};
use crate::sql::{Pass, PassSet};

#[test]
fn no_pass_changes_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = fs::read_to_string(format!("{NULL_TABLES}/answers.jsonl")).expect("the answers");
    let cases: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    let one_less = Pass::ALL.iter().map(|pass| (format!("{pass:?}"), PassSet::default().without(*pass)));
    for (name, passes) in one_less.chain([("every pass".to_owned(), PassSet::none())]) {
        let faults: Vec<String> =
            cases.iter().filter_map(|case| fault(case, &passes, folder.path())).collect();
        assert!(faults.is_empty(), "without {name} {} are wrong:\n{}", faults.len(), faults.join("\n"));
    }
}
