//! A kill at any moment loses no acknowledged write. The child is this test binary again: it writes from many tasks at
//! a time and prints each acknowledgement; the parent kills it in the middle.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::*;

const FOLDER_VARIABLE: &str = "ROWHOUSE_CRASH_TEST_FOLDER";
const TASKS: usize = 16;
/// Acknowledged writes before each kill.
const ACKNOWLEDGED: [usize; 3] = [5, 150, 400];

#[test]
fn a_kill_loses_no_acknowledged_write() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged = Vec::new();
    for (round, wanted) in ACKNOWLEDGED.into_iter().enumerate() {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::tests::crash::child", "--nocapture"])
            .env(FOLDER_VARIABLE, folder.path())
            .env("ROWHOUSE_CRASH_TEST_ROUND", round.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let keys = BufReader::new(child.stdout.take().unwrap()).lines().map_while(std::io::Result::ok);
        let mut seen = 0;
        for line in keys {
            let Some(key) = line.strip_prefix("acknowledged ") else { continue };
            acknowledged.push(key.to_owned());
            seen += 1;
            if seen == wanted {
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        assert!(seen >= wanted, "the child ended after {seen} writes");

        let store = open(folder.path());
        for key in &acknowledged {
            assert!(get(&store, key).is_some(), "{key} was acknowledged and is lost");
        }
        let ok: String = store
            .read(|connection| connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)))
            .unwrap();
        assert_eq!(ok, "ok");
    }
}

/// Not a separate test: does nothing unless the test above starts it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn child() {
    let Some(folder) = std::env::var_os(FOLDER_VARIABLE) else { return };
    let round = std::env::var("ROWHOUSE_CRASH_TEST_ROUND").unwrap();
    let store = open(Path::new(&folder));
    let tasks = (0..TASKS).map(|task| {
        let (store, round) = (Arc::clone(&store), round.clone());
        tokio::spawn(async move {
            for number in 0_u64.. {
                let key = format!("{round}-{task}-{number}");
                let written = key.clone();
                store.write(move |transaction| settings::set(transaction, &written, "x")).await.unwrap();
                // The harness captures the output of `println`, but not this.
                let line = format!("acknowledged {key}\n");
                std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
}
