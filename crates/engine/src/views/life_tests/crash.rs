//! A kill at any moment loses no generation whose refresh was seen to end, and leaves every view readable. The child is
//! this test binary again: it refreshes views as fast as it can and prints each one.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::*;
use crate::store::{DATABASE_FILE, Store};

const CHILD_VARIABLE: &str = "ROWHOUSE_VIEW_CRASH_TEST_CHILD";
const VIEWS: usize = 3;
/// Number of refreshes that end before the kill.
const ENDED: [usize; 3] = [1, 20, 50];

#[tokio::test]
async fn a_kill_loses_no_visible_generation() {
    for wanted in ENDED {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "views::life_tests::crash::child", "--nocapture"])
            .env(CHILD_VARIABLE, "1")
            // The child's data directory is the one folder that it creates there.
            .env("TMPDIR", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut seen = std::collections::HashMap::new();
        let mut ended = 0;
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(std::io::Result::ok) {
            let Some((view, number)) = line.strip_prefix("ended ").and_then(|line| line.split_once(' '))
            else {
                continue;
            };
            seen.insert(ViewId::new(view), number.parse::<u64>().unwrap());
            ended += 1;
            if ended == wanted {
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        assert!(ended >= wanted, "the child ended after {ended} refreshes");

        let data_dir = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let store = Store::open(&data_dir.join(DATABASE_FILE)).unwrap();
        let clock = Arc::new(rowhouse_executor::clock::SystemClock::new());
        let state = ViewState::open(store, clock, &data_dir).unwrap();
        for (id, number) in seen {
            let served = state.get(&id).unwrap().live().served.expect("its refresh was seen to end");
            assert!(served.number >= number, "generation {number} of {id} is lost");
            let generation = served.open().await.unwrap();
            assert_eq!(generation.row_count(), served.number, "the rows are those of the generation");
        }
    }
}

/// Not a separate test: does nothing unless the test above starts it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child() {
    if std::env::var_os(CHILD_VARIABLE).is_none() {
        return;
    }
    let bench = Bench::new().await;
    let mut views = Vec::new();
    for number in 0..VIEWS {
        let created = bench.create(&format!("view{number}")).await;
        views.push((created.view.id, created.refresh_query_id.unwrap()));
    }
    for number in 1_u64.. {
        for (view, query) in &mut views {
            // As many rows as the generation's number.
            bench.finish(query, usize::try_from(number).unwrap()).await.unwrap();
            std::io::stdout().lock().write_all(format!("ended {view} {number}\n").as_bytes()).unwrap();
            *query = bench.views.refresh(&bench.access, view).await.unwrap().id;
        }
    }
}
