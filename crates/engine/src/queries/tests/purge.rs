//! Cached results, listed and purged (D119).

use std::time::Duration;

use rowhouse_model::{CacheOutcome, CachedResults, Query, QueryStatus, Role};

use super::bench::{Bench, access, access_as, submission};
use crate::error::ErrorKind;
use crate::queries::CacheScope;

fn outcome(query: &Query) -> CacheOutcome {
    query.cache.as_ref().expect("a verdict").outcome
}

impl Bench {
    async fn cached_results(
        &self,
        workspace: &str,
        scope: CacheScope,
        limit: u64,
        offset: u64,
    ) -> CachedResults {
        let mut source = self.queries.cached_results(&access(workspace), scope, limit, offset).await.unwrap();
        let mut json = Vec::new();
        while let Some(chunk) = source.next_chunk().unwrap() {
            json.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&json).unwrap()
    }

    async fn listed_cache(&self, scope: CacheScope) -> Vec<Option<String>> {
        let listed = self.cached_results("one", scope, 10, 0).await;
        assert_eq!(listed.total_count, listed.result.len() as u64);
        listed.result.into_iter().map(|result| result.sql).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_are_listed_and_purged_by_statement_table_and_workspace() {
    let bench = Bench::new();
    for text in ["1", "2", "3"] {
        bench.clock.advance(Duration::from_secs(1));
        bench.ended(&bench.submit(text).await).await;
    }
    let pages = [
        (2, 0, vec!["SELECT 3", "SELECT 2"]),
        (1, 1, vec!["SELECT 2"]),
        (10, 2, vec!["SELECT 1"]),
        (10, 3, vec![]),
        (0, 0, vec![]),
    ];
    for (limit, offset, expected) in pages {
        let page = bench.cached_results("one", CacheScope::Workspace, limit, offset).await;
        let texts: Vec<_> = page.result.iter().map(|result| result.sql.as_deref().unwrap()).collect();
        assert_eq!((page.total_count, texts), (3, expected), "{limit} after {offset}");
    }
    let elsewhere = bench.queries.submit(&access("two"), submission("1", None)).await.unwrap();
    bench.queries.wait(&access("two"), &elsewhere.id, Duration::from_secs(20)).await.unwrap();
    let sql = |number: u8| Some(format!("SELECT {number}"));
    assert_eq!(bench.listed_cache(CacheScope::Workspace).await, [sql(3), sql(2), sql(1)]);
    assert_eq!(bench.listed_cache(CacheScope::Table("t".to_owned())).await.len(), 3);
    assert_eq!(bench.listed_cache(CacheScope::Table("u".to_owned())).await, []);
    let hit = bench.submit_cached("2 -- held in memory", 60, false).await;
    assert_eq!(outcome(&hit), CacheOutcome::Hit);
    let of_hit = CacheScope::Statement(hit.id.clone());
    assert_eq!(bench.listed_cache(of_hit.clone()).await, [sql(2)]);
    assert_eq!(bench.queries.purge_cache(&access("one"), of_hit.clone()).await.unwrap(), 1);
    assert_eq!(bench.queries.purge_cache(&access("one"), of_hit).await.unwrap(), 0);
    // The records keep their results.
    assert!(bench.path(&hit.location.clone().unwrap()).is_file());
    assert_eq!(outcome(&bench.ended(&bench.submit_cached("2", 60, false).await).await), CacheOutcome::Miss);
    let all = bench.queries.purge_cache(&access("one"), CacheScope::Workspace).await.unwrap_err();
    assert_eq!(all.kind(), ErrorKind::PermissionDenied);
    let of_table = CacheScope::Table("t".to_owned());
    assert_eq!(bench.queries.purge_cache(&access("one"), of_table).await.unwrap(), 3);
    assert_eq!(outcome(&bench.ended(&bench.submit_cached("1", 60, false).await).await), CacheOutcome::Miss);
    let owner = access_as("one", Role::Owner);
    assert_eq!(bench.queries.purge_cache(&owner, CacheScope::Workspace).await.unwrap(), 1);
    assert_eq!(bench.listed_cache(CacheScope::Workspace).await, []);
    let other = bench.cached_results("two", CacheScope::Workspace, 10, 0).await;
    assert_eq!(other.total_count, 1);
    let consumer = access_as("one", Role::Consumer);
    for scope in [CacheScope::Workspace, CacheScope::Table("t".to_owned())] {
        let error = bench.queries.cached_results(&consumer, scope.clone(), 1, 0).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        let error = bench.queries.purge_cache(&consumer, scope).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purged_run_in_progress_leaves_no_entry_and_is_not_joined() {
    let bench = Bench::new();
    let before = bench.submit_cached("'gate 1'", 60, false).await;
    bench.reaches(&before, QueryStatus::Running).await;
    let other = bench.submit_cached("'gate 2'", 60, false).await;
    bench.reaches(&other, QueryStatus::Running).await;
    let of_first = CacheScope::Statement(before.id.clone());
    assert_eq!(bench.queries.purge_cache(&access("one"), of_first).await.unwrap(), 0);
    let after = bench.submit_cached("'gate 1'", 60, false).await;
    assert_ne!(after.statement_id, before.statement_id);
    let joined = bench.submit_cached("'gate 2'", 60, false).await;
    assert_eq!(joined.statement_id, other.statement_id, "another statement is not meant");
    bench.executor.open("gate 1");
    bench.ended(&before).await;
    assert_eq!(bench.listed_cache(CacheScope::Workspace).await, []);
    bench.executor.open("gate 2");
    bench.ended(&joined).await;
    bench.reaches(&after, QueryStatus::Running).await;
    bench.executor.open("gate 1");
    let after = bench.ended(&after).await;
    assert_eq!(bench.listed_cache(CacheScope::Workspace).await.len(), 2);
    assert_eq!(bench.submit_cached("'gate 1'", 60, false).await.location, after.location);
}
