//! In any order of events: no record goes backwards, every record ends, a shared run runs once, and the counts are
//! right.

use std::collections::HashMap;
use std::time::Duration;

use proptest::prelude::*;
use rowhouse_model::{Query, QueryId, QueryStatus};

use super::bench::{Bench, access};

#[derive(Clone, Debug)]
enum Step {
    Submit { text: usize, is_cached: bool },
    Cancel { which: usize },
    Open { text: usize },
    Look { which: usize },
    Pause,
}

const TEXTS: &[&str] = &["'gate 1'", "'gate 2'", "'error'", "1", "'panic'"];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..TEXTS.len(), any::<bool>()).prop_map(|(text, is_cached)| Step::Submit { text, is_cached }),
        2 => (0..64usize).prop_map(|which| Step::Cancel { which }),
        2 => (0..2usize).prop_map(|text| Step::Open { text }),
        2 => (0..64usize).prop_map(|which| Step::Look { which }),
        1 => Just(Step::Pause),
    ]
}

/// The furthest state seen of each record.
#[derive(Default)]
struct Seen {
    status: HashMap<QueryId, Query>,
}

impl Seen {
    fn note(&mut self, query: Query) {
        if let Some(before) = self.status.get(&query.id) {
            assert!(before.duration <= query.duration, "{:?} fell to {:?}", before.duration, query.duration);
            assert!(before.status <= query.status, "{:?} went back to {:?}", before.status, query.status);
            if before.status.unwrap().is_final() {
                assert_eq!(*before, query, "a final record changed");
            }
        }
        self.status.insert(query.id.clone(), query);
    }
}

async fn play(steps: Vec<Step>) {
    let bench = Bench::new();
    let one = access("one");
    let mut submitted: Vec<Query> = Vec::new();
    let mut seen = Seen::default();
    for step in steps {
        match step {
            Step::Submit { text, is_cached: true } => {
                submitted.push(bench.submit_cached(TEXTS[text], 60, false).await);
                seen.note(submitted.last().unwrap().clone());
            }
            Step::Submit { text, is_cached: false } => {
                submitted.push(bench.submit(TEXTS[text]).await);
                seen.note(submitted.last().unwrap().clone());
            }
            Step::Cancel { which } if !submitted.is_empty() => {
                let id = submitted[which % submitted.len()].id.clone();
                let canceled = bench.queries.cancel(&one, &id).await.unwrap();
                assert!(canceled.status.unwrap().is_final());
                seen.note(canceled);
            }
            Step::Open { text } => bench.executor.open(TEXTS[text].trim_matches('\'')),
            Step::Look { which } if !submitted.is_empty() => {
                let id = submitted[which % submitted.len()].id.clone();
                seen.note(bench.queries.get(&one, &id).await.unwrap());
                for query in bench.listed(&one, 3, 0).result {
                    seen.note(query);
                }
            }
            Step::Pause => {
                bench.clock.advance(Duration::from_millis(7));
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
            Step::Cancel { .. } | Step::Look { .. } => {}
        }
    }
    let mut runs: HashMap<String, usize> = HashMap::new();
    for query in &submitted {
        let ended = loop {
            bench.executor.open("gate 1");
            bench.executor.open("gate 2");
            bench.clock.advance(Duration::from_millis(1));
            let now = bench.queries.wait(&one, &query.id, Duration::from_millis(5)).await.unwrap();
            seen.note(now.clone());
            if now.status.unwrap().is_final() {
                break now;
            }
        };
        match (ended.status, ended.from_cache) {
            (Some(QueryStatus::Finished), Some(false)) => {
                *runs.entry(ended.statement_id.unwrap().as_str().to_owned()).or_default() += 1;
            }
            (Some(QueryStatus::Finished), _) => assert_eq!(ended.from_cache, Some(true)),
            _ => assert!(ended.error.is_some()),
        }
    }
    assert!(runs.values().all(|&records| records == 1), "one record a run is not from the cache: {runs:?}");
    let list = bench.listed(&one, 1000, 0);
    assert_eq!(list.total_count, submitted.len() as u64);
    let newest_first: Vec<_> = list.result.into_iter().map(|query| query.id).collect();
    assert_eq!(newest_first, submitted.iter().rev().map(|query| query.id.clone()).collect::<Vec<_>>());
    bench
        .until("free slots", |bench| {
            let state = format!("{:?}", bench.queries);
            state.contains("live: 0") && state.contains("runs: 0") && state.contains("slots_taken: 0")
        })
        .await;
    // The task that discards the file of a canceled run may outlive its slot.
    let is_complete = |bench: &Bench| bench.result_files().iter().all(|name| !name.ends_with(".partial"));
    bench.until("removal of incomplete files", is_complete).await;
    let files = bench.result_files();
    let mut locations: Vec<_> = seen.status.values().filter_map(|query| query.location.as_ref()).collect();
    locations.sort();
    locations.dedup();
    assert_eq!(files.len(), locations.len(), "every file is a record's, and every record has its file");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn no_record_goes_backwards_and_every_record_ends(steps in prop::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(play(steps));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_identical_concurrent_statements_one_runs() {
    let bench = std::sync::Arc::new(Bench::new());
    let mut tasks = Vec::new();
    for _ in 0..40 {
        let bench = std::sync::Arc::clone(&bench);
        tasks.push(tokio::spawn(async move {
            let query = bench.submit_cached("1", 60, false).await;
            bench.ended(&query).await
        }));
    }
    let mut not_from_cache = 0;
    for task in tasks {
        let ended = task.await.unwrap();
        assert_eq!(ended.status, Some(QueryStatus::Finished));
        not_from_cache += usize::from(ended.from_cache == Some(false));
    }
    assert_eq!(not_from_cache, 1);
    assert_eq!(bench.executor.began.lock().unwrap().len(), 1);
}
