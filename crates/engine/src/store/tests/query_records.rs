//! Query records: writing, listing, counting, expiring.

use rowhouse_model::{Column, Query, QueryId, QueryStatus, Timestamp, WorkspaceId};

use super::super::query_records::{self, StoredQuery, UsedResult};
use super::super::small_results;
use super::*;

fn stored(workspace: &str, number: i64, status: QueryStatus) -> StoredQuery {
    let query = serde_json::json!({
        "id": format!("q{number}"), "statementId": null, "workspaceId": workspace, "status": status,
        "startedAt": Timestamp::from_millis(number), "sql": "SELECT 1",
    });
    let query: Query = serde_json::from_value(query).unwrap();
    StoredQuery {
        query,
        saved_sql: None,
        fingerprint: "SELECT 1".to_owned(),
        result_file: Some(format!("results/{number}.arrow")),
        result_expires_at: Some(Timestamp::from_millis(number + 1000)),
    }
}

async fn store_with(folder: &Path, records: Vec<StoredQuery>) -> Arc<Store> {
    let store = open(folder);
    let written = store.write(move |transaction| {
        for workspace in ["a", "b"] {
            transaction.execute(
                "INSERT INTO workspaces (id, sql_name, title, engine, created_at) VALUES (?1, ?1, '', 'polars', 0)",
                [workspace],
            )?;
        }
        records.iter().try_for_each(|record| query_records::insert(transaction, record))
    });
    written.await.unwrap();
    store
}

fn ids(records: &[StoredQuery]) -> Vec<&str> {
    records.iter().map(|record| record.query.id.as_str()).collect()
}

#[tokio::test]
async fn a_record_is_read_back_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = stored("a", 1, QueryStatus::Running);
    let store = store_with(folder.path(), vec![record.clone()]).await;
    let (a, b, id) = (WorkspaceId::new("a"), WorkspaceId::new("b"), QueryId::new("q1"));
    assert_eq!(store.read(|c| query_records::get(c, &a, &id)).unwrap().as_ref(), Some(&record));
    assert_eq!(store.read(|c| query_records::get(c, &b, &id)).unwrap(), None, "another workspace's");
    assert_eq!(ids(&store.read(query_records::non_final).unwrap()), ["q1"]);

    record.query.status = Some(QueryStatus::Finished);
    record.query.row_count = Some(7);
    let changed = record.clone();
    store.write(move |transaction| query_records::update(transaction, &changed)).await.unwrap();
    assert_eq!(store.read(|c| query_records::get(c, &a, &id)).unwrap(), Some(record));
    assert!(store.read(query_records::non_final).unwrap().is_empty());
}

#[tokio::test]
async fn lists_are_newest_first_and_counts_exact() {
    let folder = tempfile::tempdir().unwrap();
    let records =
        (0..10).map(|number| stored(if number % 2 == 0 { "a" } else { "b" }, number, QueryStatus::Finished));
    let store = store_with(folder.path(), records.collect()).await;
    let a = WorkspaceId::new("a");
    let check = |limit, offset, expected: &[&str]| {
        let places = store.read(|c| query_records::places(c, &a, None, offset, limit)).unwrap();
        let ids: Vec<&str> = places.iter().map(|place| place.id.as_str()).collect();
        assert_eq!(ids, expected, "limit {limit} offset {offset}");
        // After any of them, the rest follows.
        for (index, place) in places.iter().enumerate() {
            let rest = store.read(|c| query_records::places(c, &a, Some(place.seq), 0, limit)).unwrap();
            assert_eq!(rest[..places.len() - index - 1], places[index + 1..]);
            let mut json = b"<".to_vec();
            let is_there = store.read(|c| query_records::append(c, place.seq, &mut json)).unwrap();
            assert_eq!((is_there, json.len()), (true, place.bytes + 1));
        }
    };
    check(100, 0, &["q8", "q6", "q4", "q2", "q0"]);
    check(2, 1, &["q6", "q4"]);
    check(2, 4, &["q0"]);
    check(0, 0, &[]);
    check(u64::MAX, u64::MAX, &[]);
    let counts = store.read(query_records::count_by_workspace).unwrap();
    assert_eq!(counts.len(), 2);
    assert_eq!(counts[&a], 5);
}

#[tokio::test]
async fn only_final_records_expire_a_batch_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let records = (0..6).map(|number| {
        stored("a", number, if number == 1 { QueryStatus::Running } else { QueryStatus::Failed })
    });
    let store = store_with(folder.path(), records.collect()).await;
    let delete = async |limit| {
        let before = Timestamp::from_millis(4);
        let removed =
            store.write(move |transaction| query_records::delete_expired(transaction, before, limit)).await;
        let mut removed: Vec<_> = removed.unwrap().into_iter().map(|removed| removed.id).collect();
        removed.sort();
        removed
    };
    assert_eq!(delete(2).await, [QueryId::new("q0"), QueryId::new("q2")]);
    assert_eq!(delete(100).await, [QueryId::new("q3")]);
    assert_eq!(delete(100).await, []);
}

#[tokio::test]
async fn an_expired_result_does_not_remove_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut records: Vec<_> = (0..3).map(|number| stored("a", number, QueryStatus::Finished)).collect();
    records[1].result_file = records[0].result_file.clone();
    let store = store_with(folder.path(), records).await;
    let used = |file: &str| store.read(|c| query_records::is_result_used(c, file)).unwrap();
    let place = |file: &str| store.read(|c| query_records::used_result(c, file)).unwrap();
    assert!(used("results/0.arrow"));
    assert!(!used("results/1.arrow"));
    assert_eq!(place("results/0.arrow"), Some(UsedResult::InFile));
    store.write(|transaction| small_results::insert(transaction, "results/0.arrow", b"rows")).await.unwrap();
    assert_eq!(place("results/0.arrow"), Some(UsedResult::InDatabase));
    let take = |now| {
        store.write(move |transaction| {
            query_records::take_expired_results(transaction, Timestamp::from_millis(now), 10)
        })
    };
    assert_eq!(take(999).await.unwrap(), [""; 0]);
    assert_eq!(take(1001).await.unwrap(), ["results/0.arrow"], "a shared file once");
    assert!(!used("results/0.arrow"));
    assert_eq!(place("results/0.arrow"), None);
    let files = store.read(query_records::result_files).unwrap();
    assert_eq!(files.into_iter().collect::<Vec<_>>(), ["results/2.arrow"]);
    let (a, id) = (WorkspaceId::new("a"), QueryId::new("q0"));
    assert_eq!(store.read(|c| query_records::places(c, &a, None, 0, 10)).unwrap().len(), 3);
    let kept = store.read(|c| query_records::get(c, &a, &id)).unwrap().unwrap();
    assert!(kept.result_file.is_none() && kept.result_expires_at.is_some());
}

/// Lists, counts and the start use indexes: they cost the same with 100,000 records as with ten.
#[tokio::test]
async fn the_oldest_records_lose_long_columns_with_their_results() {
    let folder = tempfile::tempdir().unwrap();
    let columns = |bytes: usize| Some(vec![Column::new("x".repeat(bytes), "bigint")]);
    let with = |number: i64, bytes: usize| {
        let mut record = stored("a", number, QueryStatus::Finished);
        record.query.columns = columns(bytes);
        record
    };
    let records = vec![with(1, 100_000), with(2, 10), with(3, 100_000), with(4, 100_000)];
    let store = store_with(folder.path(), records.clone()).await;
    let (a, now) = (WorkspaceId::new("a"), Timestamp::from_millis(500));
    let give_up = async |max_bytes: u64| {
        let a = a.clone();
        let given_up =
            store.write(move |transaction| query_records::give_up_texts(transaction, &a, max_bytes, now));
        given_up.await.unwrap().locations
    };
    assert_eq!(give_up(1 << 20).await, [""; 0]);
    // Each counts twice.
    assert_eq!(give_up(450_000).await, ["results/1.arrow"]);
    assert_eq!(give_up(450_000).await, [""; 0]);
    let get = |id: &str| store.read(|c| query_records::get(c, &a, &QueryId::new(id))).unwrap().unwrap();
    let oldest = get("q1");
    assert_eq!((oldest.query.columns, oldest.query.sql), (None, None));
    assert_eq!((oldest.result_file, oldest.result_expires_at), (None, Some(now)));
    for (record, id) in records.iter().zip(["q1", "q2", "q3", "q4"]).skip(1) {
        assert_eq!(get(id), *record, "{id}");
    }
}

#[tokio::test]
async fn frequent_queries_use_indexes() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with(folder.path(), Vec::new()).await;
    let check = |sql: &str, expected: &str| {
        let plan = store.read(|connection| {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let steps = statement.query_map([], |row| row.get::<_, String>(3))?;
            steps.collect::<rusqlite::Result<Vec<_>>>()
        });
        let plan = plan.unwrap().join("; ");
        assert!(plan.contains(expected) && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
    };
    check(
        "SELECT seq FROM query_records WHERE workspace_id = 'a' ORDER BY seq DESC LIMIT 10 OFFSET 99000",
        "USING COVERING INDEX query_records_by_workspace",
    );
    check(
        "SELECT workspace_id, count(*) FROM query_records GROUP BY workspace_id",
        "USING COVERING INDEX query_records_by_workspace",
    );
    check("SELECT record FROM query_records WHERE is_final = 0 ORDER BY seq", "query_records_not_final");
    check(
        "SELECT seq FROM query_records WHERE started_at < 5 AND is_final = 1 ORDER BY started_at LIMIT 5",
        "query_records_by_start",
    );
    check(
        "SELECT seq FROM query_records WHERE result_expires_at <= 5 AND result_file IS NOT NULL
         ORDER BY result_expires_at LIMIT 5",
        "query_records_by_expiry",
    );
}
