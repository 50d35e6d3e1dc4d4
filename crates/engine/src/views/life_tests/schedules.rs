//! Scheduled refreshes.

use rowhouse_model::{ErrorCode, QueryError};

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

async fn scheduled(bench: &Bench, schedule: &str) -> MaterializedView {
    let request = CreateMaterializedView { schedule: Some(schedule.to_owned()), ..request("by_region") };
    let created = bench.views.create(&bench.access, request).await.unwrap();
    bench.finish(&created.refresh_query_id.unwrap(), 1).await.unwrap();
    created.view
}

#[tokio::test]
async fn a_due_view_is_refreshed_once_per_tick() {
    let bench = Bench::new().await;
    scheduled(&bench, "@every 10m").await;
    let check = async |submitted: usize| {
        bench.views.run_due().await;
        bench.views.run_due().await;
        assert_eq!(bench.runner.all().len(), submitted);
    };
    bench.base.clock.advance(9 * MINUTE);
    check(1).await;
    bench.base.clock.advance(MINUTE);
    check(2).await;
    let tick = bench.runner.last();
    assert_eq!(tick.source, Source::Schedule);
    bench.finish(&tick.query.id, 2).await.unwrap();
    assert_eq!(bench.served("by_region").await, Some((2, 2)));
    check(2).await;
    // Many missed ticks collapse into one.
    bench.base.clock.advance(75 * MINUTE);
    check(3).await;
    bench.finish(&bench.runner.last().query.id, 3).await.unwrap();
    check(3).await;
    bench.base.clock.advance(10 * MINUTE);
    check(4).await;
}

#[tokio::test]
async fn a_schedule_survives_a_restart() {
    let bench = Bench::new().await;
    scheduled(&bench, "0 * * * *").await;
    bench.base.clock.advance(59 * MINUTE);
    let bench = bench.reopen().await;
    bench.views.run_due().await;
    assert!(bench.runner.all().is_empty());
    bench.base.clock.advance(MINUTE);
    bench.views.run_due().await;
    assert_eq!(bench.runner.all().len(), 1);

    // If a stop interrupts it, the tick is served again; if it has ended, it is not.
    let bench = bench.reopen().await;
    bench.views.run_due().await;
    bench.finish(&bench.runner.last().query.id, 2).await.unwrap();
    let bench = bench.reopen().await;
    bench.views.run_due().await;
    assert!(bench.runner.all().is_empty());
}

#[tokio::test]
async fn a_refresh_in_progress_serves_a_tick() {
    let bench = Bench::new().await;
    let view = scheduled(&bench, "@every 10m").await;
    let query = bench.views.refresh(&bench.access, &view.id).await.unwrap();
    bench.base.clock.advance(10 * MINUTE);
    bench.views.run_due().await;
    bench.finish(&query.id, 2).await.unwrap();
    bench.views.run_due().await;
    assert_eq!(bench.runner.all().len(), 2);
}

#[tokio::test]
async fn a_failed_or_refused_tick_is_recorded_and_not_repeated() {
    let bench = Bench::new().await;
    let view = scheduled(&bench, "@every 10m").await;
    bench.base.clock.advance(10 * MINUTE);
    bench.views.run_due().await;
    bench.runner.fail(&bench.runner.last().query.id, QueryError::new(ErrorCode::External, "gone"));
    assert_eq!(bench.get(&view.id).await.last_error.as_deref(), Some("gone"));
    bench.views.run_due().await;
    assert_eq!(bench.runner.all().len(), 2);

    *bench.runner.refusal.lock().unwrap() = Some(ErrorKind::ServiceDisabled);
    bench.base.clock.advance(10 * MINUTE);
    bench.views.run_due().await;
    assert_eq!(bench.get(&view.id).await.last_error.as_deref(), Some("planned refusal"));
    *bench.runner.refusal.lock().unwrap() = None;
    bench.views.run_due().await;
    assert_eq!(bench.runner.all().len(), 2);
    assert_eq!(bench.served("by_region").await, Some((1, 1)));
}

#[tokio::test]
async fn a_new_schedule_counts_from_when_it_is_set() {
    let bench = Bench::new().await;
    let view = scheduled(&bench, "@every 10m").await;
    bench.base.clock.advance(9 * MINUTE);
    let change = |schedule: Option<&str>| UpdateMaterializedView {
        schedule: Some(schedule.map(str::to_owned)),
        ..Default::default()
    };
    bench.change(&view.id, change(Some("@every 5m"))).await.unwrap();
    bench.base.clock.advance(4 * MINUTE);
    bench.views.run_due().await;
    assert_eq!(bench.runner.all().len(), 1);
    bench.base.clock.advance(MINUTE);
    bench.views.run_due().await;
    assert_eq!(bench.runner.all().len(), 2);
    bench.finish(&bench.runner.last().query.id, 2).await.unwrap();
    bench.change(&view.id, change(None)).await.unwrap();
    bench.base.clock.advance(500 * MINUTE);
    bench.views.run_due().await;
    assert_eq!(bench.runner.all().len(), 2);
}

#[tokio::test]
async fn a_schedule_continues_after_its_author_left_the_workspace() {
    let bench = Bench::new().await;
    let analyst = bench.base.member(&bench.access, "ann", rowhouse_model::Role::Analyst).await;
    let request = CreateMaterializedView { schedule: Some("@every 10m".to_owned()), ..request("hers") };
    let created = bench.views.create(&analyst, request).await.unwrap();
    bench.finish(&created.refresh_query_id.unwrap(), 1).await.unwrap();
    let leave = rowhouse_model::SetMember { account_id: analyst.account_id().clone(), role: None };
    bench.base.workspaces.set_member(&bench.access, leave).await.unwrap();
    bench.base.clock.advance(10 * MINUTE);
    bench.views.run_due().await;
    assert_eq!(bench.runner.last().source, Source::Schedule);
    assert_eq!(bench.runner.all().len(), 2);
}

/// Regression: the clock was set back three days, and no schedule ran for three days.
#[tokio::test]
async fn clock_changes_do_not_stop_schedules() {
    const DAYS_MILLIS: i64 = 3 * 24 * 60 * 60 * 1000;
    for schedule in ["@every 10m", "*/10 * * * *"] {
        let bench = Bench::new().await;
        scheduled(&bench, schedule).await;
        let mut generation = 1;
        let mut check = async |by: Duration, is_due: bool| {
            bench.base.clock.advance(by);
            bench.views.run_due().await;
            bench.views.run_due().await;
            generation += usize::from(is_due);
            assert_eq!(bench.runner.all().len(), generation, "{schedule}");
            if is_due {
                bench.finish(&bench.runner.last().query.id, 1).await.unwrap();
            }
        };
        check(10 * MINUTE, true).await;
        bench.base.clock.jump(-DAYS_MILLIS);
        check(Duration::ZERO, true).await;
        check(9 * MINUTE, false).await;
        check(MINUTE, true).await;
        bench.base.clock.jump(DAYS_MILLIS);
        check(Duration::ZERO, true).await;
        check(10 * MINUTE, true).await;
        // A small correction of the clock is no jump.
        bench.base.clock.jump(-1000);
        check(Duration::ZERO, false).await;
    }
}
