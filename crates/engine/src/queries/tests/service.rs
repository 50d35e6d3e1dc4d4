//! The service around statements (D21).

use std::time::Duration;

use rowhouse_model::{QueryStatus, Role, SQL_ENGINE, ServiceState};

use super::bench::{Bench, EPOCH, access, access_as, error_name, submission};
use crate::error::ErrorKind;

impl Bench {
    fn service_state(&self) -> ServiceState {
        self.service.status(SQL_ENGINE).unwrap().status
    }

    async fn set_service(&self, is_enabled: bool) {
        let admin = access_as("one", Role::Owner).principal;
        self.service.set(&admin, SQL_ENGINE, is_enabled).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_stops_when_idle_and_wakes_for_a_statement() {
    let bench = Bench::new();
    assert_eq!(bench.service_state(), ServiceState::Stopped);
    assert_eq!(bench.service.status(SQL_ENGINE).unwrap().last_used, EPOCH);
    bench.service.start();
    bench.until("running", |bench| bench.service_state() == ServiceState::Running).await;
    let query = bench.submit("'gate 1'").await;
    bench.reaches(&query, QueryStatus::Running).await;
    bench.clock.advance(bench.config.max_idle_time / 2);
    bench.executor.open("gate 1");
    bench.ended(&query).await;
    bench.until("idle", |bench| format!("{:?}", bench.service).contains("admitted: 0")).await;
    bench.clock.advance(bench.config.max_idle_time - Duration::from_secs(1));
    bench.service.tick();
    assert_eq!(bench.service_state(), ServiceState::Running);
    bench.clock.advance(Duration::from_secs(1));
    bench.service.tick();
    bench.until("stopped", |bench| bench.service_state() == ServiceState::Stopped).await;
    assert_eq!(*bench.executor.rests.lock().unwrap(), 1);
    assert_eq!(bench.ended(&bench.submit("1").await).await.status, Some(QueryStatus::Finished));
    assert_eq!(bench.service_state(), ServiceState::Running);
}

#[tokio::test(flavor = "multi_thread")]
async fn disabling_lets_accepted_statements_end_and_refuses_new_ones() {
    let bench = Bench::with(|config| config.concurrency = 1);
    bench.service.start();
    let cached = bench.ended(&bench.submit("1").await).await;
    let running = bench.submit("'gate 1'").await;
    let waiting = bench.submit("2").await;
    bench.reaches(&running, QueryStatus::Running).await;
    bench.set_service(false).await;
    assert_eq!(bench.service_state(), ServiceState::Stopping);
    let refused = bench.queries.submit(&access("one"), submission("3", None)).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ServiceDisabled);
    let hit = bench.submit_cached("1", 60, false).await;
    assert_eq!((hit.from_cache, hit.location), (Some(true), cached.location));
    bench.executor.open("gate 1");
    for query in [running, waiting] {
        assert_eq!(bench.ended(&query).await.status, Some(QueryStatus::Finished));
    }
    bench.until("stopped", |bench| bench.service_state() == ServiceState::Stopped).await;

    let bench = bench.killed_and_reopened();
    bench.service.start();
    assert_eq!(bench.service_state(), ServiceState::Stopped, "disabled survives a restart");
    bench.set_service(true).await;
    bench.until("running", |bench| bench.service_state() == ServiceState::Running).await;
    assert_eq!(bench.ended(&bench.submit("3").await).await.status, Some(QueryStatus::Finished));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_wake_is_retried_and_then_reported() {
    let bench = Bench::new();
    *bench.executor.failing_wakes.lock().unwrap() = 1;
    let query = bench.submit("1").await;
    bench.until("error", |bench| bench.service_state() == ServiceState::Error).await;
    assert!(bench.reaches(&query, QueryStatus::Queued).await.statement_id.is_some());
    bench.clock.advance(Duration::from_secs(1));
    assert_eq!(bench.ended(&query).await.status, Some(QueryStatus::Finished));

    let bench = Bench::new();
    *bench.executor.failing_wakes.lock().unwrap() = 3;
    let query = bench.submit("1").await;
    let clock = std::sync::Arc::clone(&bench.clock);
    let ticking = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            clock.advance(Duration::from_millis(500));
        }
    });
    let failed = bench.ended(&query).await;
    assert_eq!((failed.status, error_name(&failed)), (Some(QueryStatus::Failed), "GENERIC_INTERNAL_ERROR"));
    ticking.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn only_owners_and_admins_change_the_service_and_no_other_exists() {
    let bench = Bench::new();
    let analyst = access("one").principal;
    let denied = bench.service.set(&analyst, SQL_ENGINE, false).await.unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::PermissionDenied);
    assert_eq!(bench.service.status("OTHER").unwrap_err().kind(), ErrorKind::NotFound);
}
