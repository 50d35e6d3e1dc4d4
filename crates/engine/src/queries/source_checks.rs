//! Shared checks of the versions of tables and views: one check answers all callers that requested it before it began,
//! so that no caller gets an older state, and many callers of one statement do not each inspect its files.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rowhouse_executor::TableVersion;
use rowhouse_model::WorkspaceId;

/// The tables of a check.
type Key = (WorkspaceId, Vec<String>);

/// Checks with waiting callers.
#[derive(Debug, Default)]
pub(super) struct SourceChecks {
    by_tables: Mutex<HashMap<Key, Arc<VersionCheck>>>,
}

/// The checks of the same tables, one at a time.
#[derive(Debug, Default)]
struct VersionCheck {
    /// Number of requests so far.
    requested: AtomicU64,
    last: tokio::sync::Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    /// Number of requests when the check began: these are answered by it.
    answers: u64,
    versions: Arc<[Option<TableVersion>]>,
}

impl SourceChecks {
    /// The versions of these tables of a workspace, by a check that began after this was called.
    pub(super) async fn versions<F>(
        &self,
        workspace_id: &WorkspaceId,
        names: &[&str],
        look_at_them: impl FnOnce() -> F,
    ) -> Arc<[Option<TableVersion>]>
    where
        F: Future<Output = Vec<Option<TableVersion>>>,
    {
        let key = (workspace_id.clone(), names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        let asking = CheckRequest {
            check: Arc::clone(self.by_tables().entry(key.clone()).or_default()),
            key,
            checks: self,
        };
        let own = asking.check.requested.fetch_add(1, Ordering::SeqCst) + 1;
        let mut last = asking.check.last.lock().await;
        if last.answers < own {
            let answers = asking.check.requested.load(Ordering::SeqCst);
            // If it is dropped here, nothing counts as checked.
            let versions = look_at_them().await;
            *last = Seen { answers, versions: versions.into() };
        }
        Arc::clone(&last.versions)
    }

    fn by_tables(&self) -> MutexGuard<'_, HashMap<Key, Arc<VersionCheck>>> {
        self.by_tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The request of one caller; the last one removes the map's entry.
struct CheckRequest<'c> {
    checks: &'c SourceChecks,
    key: Key,
    check: Arc<VersionCheck>,
}

impl Drop for CheckRequest<'_> {
    fn drop(&mut self) {
        let mut by_tables = self.checks.by_tables();
        // Its own reference and the map's.
        if Arc::strong_count(&self.check) == 2 {
            by_tables.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use tokio::sync::Semaphore;

    use super::*;

    fn version(number: usize) -> Vec<Option<TableVersion>> {
        vec![Some(TableVersion::View(number.to_string().into()))]
    }

    #[tokio::test]
    async fn a_check_answers_only_requests_made_before_it_began() {
        let checks = Arc::new(SourceChecks::default());
        let (looks, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
        let ask = || {
            let (checks, looks, gate) = (Arc::clone(&checks), Arc::clone(&looks), Arc::clone(&gate));
            tokio::spawn(async move {
                let look = || async {
                    let number = looks.fetch_add(1, Ordering::SeqCst);
                    gate.acquire().await.expect("an open gate").forget();
                    version(number)
                };
                checks.versions(&WorkspaceId::new("w"), &["t"], look).await
            })
        };
        let first = ask();
        while looks.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        let others: Vec<_> = (0..64).map(|_| ask()).collect();
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        gate.add_permits(1);
        assert_eq!(first.await.expect("it ends").as_ref(), version(0));
        gate.add_permits(1);
        for other in others {
            assert_eq!(other.await.expect("it ends").as_ref(), version(1));
        }
        assert_eq!(looks.load(Ordering::SeqCst), 2);
        assert!(checks.by_tables().is_empty());
    }

    #[tokio::test]
    async fn a_canceled_check_answers_nobody_and_leaves_no_entry() {
        let checks = SourceChecks::default();
        let workspace_id = WorkspaceId::new("w");
        {
            let never = checks.versions(&workspace_id, &["t"], std::future::pending);
            tokio::pin!(never);
            tokio::select! {
                biased;
                _ = &mut never => panic!("it looks for ever"),
                () = tokio::task::yield_now() => {}
            }
        }
        assert!(checks.by_tables().is_empty());
        let found = checks.versions(&workspace_id, &["t"], || async { version(7) }).await;
        assert_eq!(found.as_ref(), version(7));
        let other = checks.versions(&workspace_id, &["u"], || async { version(8) }).await;
        assert_eq!(other.as_ref(), version(8));
    }
}
