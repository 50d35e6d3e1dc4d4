//! Statements that name other workspaces (D127), and clients that are away for long.

use std::time::Duration;

use rowhouse_model::{CacheOutcome, Query, QueryId, QueryStatus, Role, ViewId, WorkspaceId};

use super::bench::{Bench, access, access_as, submission};
use crate::error::ErrorKind;
use crate::queries::{CachePolicy, Purpose, Submission};

const POLICY: CachePolicy = CachePolicy { ttl_seconds: 600, refresh: false, check: None, stale_seconds: 0 };

fn may_query(bench: &Bench, workspaces: &[&str]) {
    *bench.calls.others.lock().unwrap() = workspaces.iter().map(|&name| name.to_owned()).collect();
}

/// A statement of a client whose sessions name schemas, which include the other workspaces.
fn across(text: &str, cache: Option<CachePolicy>) -> Submission {
    Submission { lists_other_workspaces: true, ..submission(text, cache) }
}

async fn run(bench: &Bench, submission: Submission) -> Query {
    let accepted = bench.queries.submit(&access("one"), submission).await.unwrap();
    bench.ended(&accepted).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_names_another_workspace_answers_no_other_statement() {
    let bench = Bench::new();
    // Without a right to the other workspace it is an ordinary statement, for which that workspace does not exist.
    let text = "two.t";
    let before = run(&bench, across(text, Some(POLICY))).await;
    assert_eq!(before.other_workspaces, None);
    may_query(&bench, &["one", "three", "two"]);
    for text in [across(text, Some(POLICY)), submission("rowhouse.two.t", Some(POLICY))] {
        let ended = run(&bench, text).await;
        assert_eq!(ended.other_workspaces, Some(vec![WorkspaceId::from("two")]));
        assert_eq!(ended.from_cache, Some(false));
        assert_eq!(ended.cache.unwrap().outcome, CacheOutcome::Bypassed);
    }
    assert_eq!(bench.executor.began.lock().unwrap().len(), 3);
    // It has replaced neither the entry of callers without the right nor that of the statement without a session, which
    // is the same for all members (D19).
    let without_session = run(&bench, submission(text, Some(POLICY))).await;
    may_query(&bench, &["one"]);
    let after = run(&bench, across(text, Some(POLICY))).await;
    for hit in [without_session, after] {
        assert_eq!(
            (hit.from_cache, &hit.location, &hit.other_workspaces),
            (Some(true), &before.location, &None)
        );
    }
    // Listing the catalog names all workspaces; a view names only its own.
    may_query(&bench, &["one", "three", "two"]);
    let listing =
        run(&bench, Submission { lists_other_workspaces: true, ..Submission::new("SHOW SCHEMAS") }).await;
    assert_eq!(listing.other_workspaces.map(|all| all.len()), Some(2));
    let purpose = Purpose::Refresh { view: ViewId::from("v") };
    let refresh = run(&bench, Submission { purpose, ..across(text, None) }).await;
    assert_eq!(refresh.other_workspaces, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_right_hides_the_outcome() {
    let bench = Bench::new();
    may_query(&bench, &["one", "two"]);
    let ended = run(&bench, across("two.t", None)).await;
    let read =
        async |id: &QueryId| bench.queries.result(&access("one"), id).await.map(drop).unwrap_err().kind();
    // The executor of these tests does not write a valid Arrow file: that it is found damaged shows that it may be
    // read.
    assert_eq!(read(&ended.id).await, ErrorKind::Damaged);
    may_query(&bench, &["one"]);
    assert_eq!(read(&ended.id).await, ErrorKind::PermissionDenied);
    let own = bench.queries.get(&access("one"), &ended.id).await.unwrap();
    assert_eq!(
        (own.status, own.columns, own.row_count, own.query_stats),
        (Some(QueryStatus::Finished), None, None, None)
    );
    let listed = bench.listed(&access_as("one", Role::Owner), 10, 0).result;
    assert_eq!((listed[0].sql.as_deref(), &listed[0].row_count), (Some("SELECT two.t"), &None));
    may_query(&bench, &["two"]);
    assert_eq!(bench.queries.get(&access("one"), &ended.id).await.unwrap(), ended);
    assert_eq!(bench.listed(&access("one"), 10, 0).result, [ended]);
}

/// A client that requests the next page after ten minutes, or a day: a statement does not end because nobody polls. The
/// client's session is in its headers, and the service may have stopped meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_pauses_loses_nothing() {
    let bench = Bench::new();
    let running = bench.submit("'gate 1'").await;
    bench.reaches(&running, QueryStatus::Running).await;
    let ended = bench.ended(&bench.submit("1").await).await;
    let read = async || bench.queries.result(&access("one"), &ended.id).await.map(drop).unwrap_err().kind();
    assert_eq!(read().await, ErrorKind::Damaged, "these tests write no Arrow file, but it is found");
    // A minute less than the time limit of a statement.
    bench.clock.advance(Duration::from_secs(540));
    bench.queries.sweep().await.unwrap();
    let still = bench.queries.get(&access("one"), &running.id).await.unwrap();
    assert_eq!(still.status, Some(QueryStatus::Running), "a statement runs on without anybody who polls");
    bench.executor.open("gate 1");
    assert_eq!(bench.ended(&running).await.status, Some(QueryStatus::Finished));
    for pause in [600, 3600, 24 * 3600, 5 * 24 * 3600] {
        bench.clock.advance(Duration::from_secs(pause));
        bench.queries.sweep().await.unwrap();
        assert_eq!(read().await, ErrorKind::Damaged, "after {pause} s");
        assert_eq!(bench.queries.get(&access("one"), &ended.id).await.unwrap(), ended);
        assert_eq!(bench.result_files().len(), 2);
    }
}
