//! Plans every statement of the corpus with and without the passes; both plans must have the same output columns.

use super::{PassSet, catalog, run, verify};

#[test]
fn all_statements_are_planned() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sql/corpus.sql");
    let text = std::fs::read_to_string(path).expect("the corpus");
    let catalog = catalog();
    let mut refused = Vec::new();
    for statement in text.lines().filter(|line| !line.starts_with("--")) {
        let outputs: Vec<_> = [PassSet::none(), PassSet::default()]
            .iter()
            .filter_map(|passes| match run(statement, &catalog, passes) {
                Ok(analyzed) => {
                    assert!(analyzed.plan.free_columns().is_empty(), "{statement}\n{}", analyzed.plan);
                    verify(&analyzed.plan, statement);
                    analyzed.shared.iter().for_each(|plan| verify(plan, statement));
                    let given = analyzed.plan.column_ids();
                    assert!(
                        analyzed.output.iter().all(|field| given.contains(&field.id)),
                        "{statement}\n{}",
                        analyzed.plan
                    );
                    Some(analyzed.columns())
                }
                Err(failure) => {
                    refused.push(format!("{statement}\n    {}", failure.message));
                    None
                }
            })
            .collect();
        assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{statement}");
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
