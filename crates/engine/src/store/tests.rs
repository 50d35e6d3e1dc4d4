#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

mod crash;
mod migrations;
mod query_records;

pub(super) fn open(folder: &Path) -> Arc<Store> {
    Store::open(&folder.join(DATABASE_FILE)).unwrap()
}

fn get(store: &Store, key: &str) -> Option<String> {
    store.read(|connection| settings::get(connection, key)).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_failed_write_does_not_fail_others_of_its_group() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let writes = (0..200).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let written = store.write(move |transaction| {
                settings::set(transaction, &format!("key{number}"), "value")?;
                if number % 3 == 0 {
                    // A write that fails half-way must be rolled back.
                    transaction.execute("INSERT INTO no_such_table VALUES (1)", [])?;
                }
                assert!(number % 7 != 1, "planned panic");
                Ok(number)
            });
            (number, written.await)
        })
    });
    let writes: Vec<_> = writes.collect();
    for write in writes {
        let (number, outcome) = write.await.unwrap();
        let is_good = number % 3 != 0 && number % 7 != 1;
        assert_eq!(outcome.as_ref().ok(), is_good.then_some(&number));
        assert_eq!(get(&store, &format!("key{number}")).is_some(), is_good, "{number}");
    }
}

/// Begins to write a setting.
async fn begin(store: &Store, commit: CommitTime, key: &'static str) -> BegunWrite<()> {
    let set =
        move |transaction: &rusqlite::Transaction<'_>| settings::set(transaction, key, "value").map(drop);
    store.begin_write(commit, Rollback::Group, set, |()| ()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deferred_write_is_committed_with_the_next_or_after_a_delay() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut shared_commits = 0;
    // On a busy machine the delay may be over before the next write begins.
    for _ in 0..100 {
        let commits = store.metrics().commits;
        let deferred = begin(&store, CommitTime::WithNext, "deferred").await;
        begin(&store, CommitTime::Now, "next").await.committed().await.unwrap();
        deferred.committed().await.unwrap();
        shared_commits += usize::from(store.metrics().commits == commits + 1);
    }
    assert!(shared_commits > 0);
    begin(&store, CommitTime::WithNext, "alone").await.committed().await.unwrap();
    assert!(get(&store, "alone").is_some());
    // Closing does not wait for the delay.
    let last = begin(&store, CommitTime::WithNext, "last").await;
    tokio::task::block_in_place(|| store.close());
    last.committed().await.unwrap();
    assert!(get(&open(folder.path()), "last").is_some());
}

#[tokio::test]
async fn writes_are_behind_one_long_text_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let order = Arc::new(Mutex::new(Vec::new()));
    // Occupies the writer until all others have been begun.
    let (release, released) = std::sync::mpsc::channel::<()>();
    let first = {
        let store = Arc::clone(&store);
        let wait = move |_: &rusqlite::Transaction<'_>| {
            released.recv().unwrap();
            Ok(())
        };
        tokio::spawn(async move { store.write(wait).await })
    };
    let mut writes = Vec::new();
    for (name, bytes) in [("long 1", 1 << 20), ("long 2", 1 << 20), ("long 3", 1 << 20), ("short", 10)] {
        let (store, order) = (Arc::clone(&store), Arc::clone(&order));
        writes.push(tokio::spawn(async move {
            let note = move |()| order.lock().unwrap().push(name);
            store.write_text_then(bytes, |_| Ok(()), note).await
        }));
        // On this runtime of one thread it is begun in the meantime.
        tokio::task::yield_now().await;
    }
    release.send(()).unwrap();
    first.await.unwrap().unwrap();
    for write in writes {
        write.await.unwrap().unwrap();
    }
    assert_eq!(*order.lock().unwrap(), ["long 1", "short", "long 2", "long 3"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_failed_write_without_a_savepoint_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let writes = (0..200).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let set = move |transaction: &rusqlite::Transaction<'_>| {
                settings::set(transaction, &format!("key{number}"), "value")
            };
            let fail = |transaction: &rusqlite::Transaction<'_>| {
                transaction.execute("INSERT INTO no_such_table VALUES (1)", []).map(drop)
            };
            let written = match number % 5 {
                0 => store.write_with(Rollback::Group, fail, |()| ()).await,
                1 => {
                    store
                        .write_with(Rollback::Group, move |on| set(on).and_then(|()| fail(on)), |()| ())
                        .await
                }
                2 => store.write_with(Rollback::Group, |_| panic!("planned panic"), |()| ()).await,
                _ => store.write_with(Rollback::Group, set, |()| ()).await,
            };
            (number, written.is_ok())
        })
    });
    let writes: Vec<_> = writes.collect();
    for write in writes {
        let (number, is_good) = write.await.unwrap();
        // Writes in a group with one that failed half-way may have failed with it.
        assert!(!is_good || number % 5 > 2, "{number}");
        assert_eq!(get(&store, &format!("key{number}")).is_some(), is_good, "{number}");
    }
    // A write that is alone in its group succeeds.
    store.write_with(Rollback::Group, |on| settings::set(on, "last", "value"), |()| ()).await.unwrap();
    assert!(get(&store, "last").is_some());
}

/// On a full disk SQLite rolls the whole transaction back, including writes that had succeeded.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_full_disk_loses_no_acknowledged_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let limit =
        |pages: u32| store.write(move |transaction| transaction.pragma_update(None, "max_page_count", pages));
    limit(120).await.unwrap();
    let writes = (0..64).map(|number: usize| {
        let store = Arc::clone(&store);
        let (key, value) =
            (format!("key{number}"), "x".repeat(if number.is_multiple_of(2) { 20_000 } else { 10 }));
        tokio::spawn(async move {
            let written = key.clone();
            let outcome = store.write(move |transaction| settings::set(transaction, &written, &value)).await;
            (key, outcome)
        })
    });
    let mut refused = 0;
    for write in writes.collect::<Vec<_>>() {
        let (key, outcome) = write.await.unwrap();
        let is_acknowledged = outcome.is_ok();
        // Also of those that were in a group with one for which there was no room.
        assert_eq!(
            outcome.err().map_or(ErrorKind::StorageFull, |error| error.kind()),
            ErrorKind::StorageFull,
            "{key}"
        );
        refused += usize::from(!is_acknowledged);
        assert_eq!(get(&store, &key).is_some(), is_acknowledged, "{key}");
    }
    assert!(refused > 0, "the limit was met");
    limit(10_000).await.unwrap();
    store.write(|transaction| settings::set(transaction, "after", "x")).await.unwrap();
}

#[tokio::test]
async fn a_uniqueness_violation_is_distinguished_from_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let insert =
        "INSERT INTO workspaces (id, sql_name, title, engine, created_at) VALUES (?1, 'a', '', '', 0)";
    store.write(move |transaction| transaction.execute(insert, ["1"])).await.unwrap();
    let taken = store.write(move |transaction| transaction.execute(insert, ["2"])).await.unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
    let fault = store.write(|transaction| transaction.execute("nonsense", [])).await.unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::Internal);
}

#[tokio::test]
async fn state_in_memory_follows_a_write_whose_caller_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let followed = Arc::new(AtomicUsize::new(0));
    // The next write is queued behind this one, so it cannot be done when its caller is dropped.
    let (release, held) = std::sync::mpsc::channel::<()>();
    let first = store.write(move |_| {
        let _ = held.recv();
        Ok(())
    });
    let counter = Arc::clone(&followed);
    let second = store.write_then(
        |transaction| settings::set(transaction, "key", "value"),
        move |()| counter.fetch_add(1, Ordering::SeqCst),
    );
    let mut first = Box::pin(first);
    let mut second = Box::pin(second);
    for _ in 0..3 {
        let is_done = tokio::time::timeout(std::time::Duration::from_millis(5), async {
            tokio::select! { _ = &mut first => (), _ = &mut second => () }
        });
        assert!(is_done.await.is_err());
    }
    drop(second);
    release.send(()).unwrap();
    first.await.unwrap();
    store.close();
    assert_eq!(followed.load(Ordering::SeqCst), 1);
    drop(store);
    assert_eq!(get(&open(folder.path()), "key").as_deref(), Some("value"));
}

#[tokio::test]
async fn a_closed_store_refuses_writes_and_reads() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.close();
    store.close();
    let write = store.write(|_| Ok(())).await.unwrap_err();
    let blocking = store.write_blocking(|_| Ok(())).unwrap_err();
    let read = store.read(|_| Ok(())).unwrap_err();
    for error in [write, blocking, read] {
        assert_eq!(error.to_string(), "the store is closed");
    }
}

#[tokio::test]
async fn a_blocking_write_works_on_a_runtime_thread() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.write_blocking(|transaction| settings::set(transaction, "key", "value")).unwrap();
    assert_eq!(get(&store, "key").as_deref(), Some("value"));
    let read = store.read_async(|connection| settings::get(connection, "other")).await.unwrap();
    assert_eq!(read, None);
}

#[test]
fn more_readers_than_connections_wait_for_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    std::thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| {
                let read = store.read(|connection| {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                    connection.query_row("SELECT 1", [], |row| row.get::<_, i64>(0))
                });
                assert_eq!(read.unwrap(), 1);
            });
        }
    });
    let refused = store.read(|connection| connection.execute("DELETE FROM settings", []));
    assert!(refused.is_err(), "a read connection does not write");
}

#[test]
fn a_data_directory_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("made/on/the/way");
    let store = open(&folder);
    let error = Store::open(&folder.join(DATABASE_FILE)).unwrap_err();
    let message = error.to_string();
    assert!(message.contains(&format!("is in use by process {}", std::process::id())), "{message}");
    drop(store);
    open(&folder);
    use std::os::unix::fs::PermissionsExt;
    for (path, mode) in [(folder.clone(), 0o700), (folder.join(DATABASE_FILE), 0o600)] {
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
    }
}
