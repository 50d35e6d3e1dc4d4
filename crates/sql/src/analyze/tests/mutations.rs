//! Mutated statements of the corpus: words are removed, duplicated, swapped and moved. Each result is planned or
//! refused with a location. A panic in the analyzer would appear as an internal error.

use proptest::prelude::*;
use proptest::sample::Index;

use super::{PassSet, catalog, run};

fn statements() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sql/corpus.sql");
    let text = std::fs::read_to_string(path).expect("the corpus");
    text.lines()
        .filter(|line| !line.starts_with("--"))
        .map(|line| line.trim_end_matches(';').to_owned())
        .collect()
}

fn words(statement: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for character in statement.chars() {
        match words.last_mut() {
            Some(word) if character.is_alphanumeric() && word.ends_with(char::is_alphanumeric) => {
                word.push(character)
            }
            _ => words.push(character.to_string()),
        }
    }
    words
}

proptest! {
    #![proptest_config(ProptestConfig { cases: mutation_cases(), ..ProptestConfig::default() })]

    #[test]
    fn mutated_statements_do_not_panic(
        first in any::<Index>(),
        second in any::<Index>(),
        changes in proptest::collection::vec((0_u8..4, any::<Index>(), any::<Index>()), 1..5),
    ) {
        let all = statements();
        let mut mutated = words(&all[first.index(all.len())]);
        let other = words(&all[second.index(all.len())]);
        for (kind, at, from) in changes {
            if mutated.is_empty() {
                break;
            }
            let at = at.index(mutated.len());
            match kind {
                0 => { mutated.remove(at); }
                1 => { let word = mutated[at].clone(); mutated.insert(at, word); }
                2 => { mutated[at] = other[from.index(other.len())].clone(); }
                _ => {
                    let start = from.index(other.len());
                    let piece: Vec<String> = other[start..(start + 6).min(other.len())].to_vec();
                    mutated.splice(at..at, piece);
                }
            }
        }
        let sql = mutated.concat();
        if let Err(failure) = run(&sql, &catalog(), &PassSet::default()) {
            prop_assert_ne!(failure.error_name.as_str(), "GENERIC_INTERNAL_ERROR", "{}", sql);
            prop_assert!(failure.error_location.is_some(), "{}: {}", sql, failure.message);
        }
    }
}

/// The number of cases; `ROWHOUSE_MUTATIONS=50000` sets another one.
fn mutation_cases() -> u32 {
    std::env::var("ROWHOUSE_MUTATIONS").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1000)
}
