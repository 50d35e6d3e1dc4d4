//! The engine's metrics: statements, cache, workers, results, views, the store.

use rowhouse_engine::{
    EngineMetrics, FileUsage, Load, SandboxReport, StatementMetrics, StoreMetrics, ViewMetrics, WorkerCounts,
    WorkspaceLoad,
};
use rowhouse_model::{ServiceState, Timestamp};

use crate::metrics::{Exposition, Kind};

/// Maximum number of views with series of their own; the others are only in the sums.
const MAX_VIEW_SERIES: usize = 1000;

/// Maximum number of workspaces with series of their own.
const MAX_WORKSPACE_SERIES: usize = 1000;

const STATES: [(&str, ServiceState); 5] = [
    ("RUNNING", ServiceState::Running),
    ("STARTING", ServiceState::Starting),
    ("STOPPING", ServiceState::Stopping),
    ("STOPPED", ServiceState::Stopped),
    ("ERROR", ServiceState::Error),
];

/// Only admins see names of workspaces and views: `/metrics` may be open to everybody who can reach it.
pub(super) fn write(exposition: &mut Exposition, metrics: &EngineMetrics, now: Timestamp, with_names: bool) {
    let EngineMetrics {
        state,
        load,
        slots,
        max_queued_statements,
        workspaces,
        refused_requests,
        workers,
        statements,
        results,
        store,
        views,
        encoded_row_bytes,
    } = metrics;
    exposition.family(
        "rowhouse_engine_state",
        Kind::Gauge,
        "1 for the state of the SQL engine, 0 for the others.",
    );
    for (name, one) in STATES {
        exposition.sample(&[("state", name)], u8::from(one == *state));
    }
    write_load(exposition, *load, *slots, *max_queued_statements);
    exposition.single(
        "rowhouse_requests_refused_total",
        Kind::Counter,
        "Requests that were refused because their token had made too many.",
        *refused_requests,
    );
    if with_names {
        write_workspaces(exposition, workspaces);
    }
    write_workers(exposition, *workers);
    write_statements(exposition, statements);
    let FileUsage { files, bytes } = *results;
    exposition.single(
        "rowhouse_results",
        Kind::Gauge,
        "Stored results, small ones in the database among them.",
        files,
    );
    exposition.single("rowhouse_result_bytes", Kind::Gauge, "Bytes of the stored results.", bytes);
    write_store(exposition, store);
    write_views(exposition, views, now, with_names);
    exposition.single(
        "rowhouse_view_encoded_row_bytes",
        Kind::Gauge,
        "Bytes of views' rows that are encoded before they are read.",
        *encoded_row_bytes,
    );
}

fn write_workspaces(exposition: &mut Exposition, workspaces: &[(String, WorkspaceLoad)]) {
    let workspaces = &workspaces[..workspaces.len().min(MAX_WORKSPACE_SERIES)];
    type Figure = fn(&WorkspaceLoad) -> u64;
    let figures: [(_, _, Figure); 5] = [
        ("rowhouse_workspace_running_statements", "Statements that run.", |load| load.running as u64),
        ("rowhouse_workspace_queued_statements", "Statements that wait.", |load| load.queued as u64),
        ("rowhouse_workspace_text_bytes", "Bytes of the texts of both.", |load| load.text_bytes as u64),
        ("rowhouse_workspace_result_bytes", "Bytes of its stored results.", |load| load.disk_bytes),
        (
            "rowhouse_workspace_memory_bytes",
            "Memory that its running statements may have together.",
            |load| load.memory_bytes,
        ),
    ];
    for (name, help, value) in figures {
        exposition.family(name, Kind::Gauge, help);
        for (workspace, load) in workspaces {
            exposition.sample(&[("workspace", workspace)], value(load));
        }
    }
}

fn write_load(exposition: &mut Exposition, load: Load, slots: usize, max_queued_statements: usize) {
    let Load { statements, queued_runs, active_runs } = load;
    for (name, help, value) in [
        ("rowhouse_statements", "Statements that are not final.", statements),
        ("rowhouse_queued_runs", "Runs that wait for a slot or for the engine to wake.", queued_runs),
        ("rowhouse_active_runs", "Runs that have a slot.", active_runs),
        ("rowhouse_slots", "Runs at a time.", slots),
        ("rowhouse_queue_limit", "Statements that may wait beside those that run.", max_queued_statements),
    ] {
        exposition.single(name, Kind::Gauge, help, value);
    }
}

fn write_workers(exposition: &mut Exposition, workers: WorkerCounts) {
    let WorkerCounts { idle, starting, busy, started_total, sandbox } = workers;
    exposition.family("rowhouse_workers", Kind::Gauge, "Worker processes by what they do.");
    for (state, count) in [("idle", idle), ("starting", starting), ("busy", busy)] {
        exposition.sample(&[("state", state)], count);
    }
    exposition.single(
        "rowhouse_workers_started_total",
        Kind::Counter,
        "Worker processes that were started.",
        started_total,
    );
    let Some(SandboxReport { landlock_abi, seccomp }) = sandbox else { return };
    exposition.single(
        "rowhouse_worker_landlock_abi",
        Kind::Gauge,
        "Version of Landlock that confines workers to their files, 0 where the kernel has none; from 6 it is whole.",
        landlock_abi,
    );
    exposition.single(
        "rowhouse_worker_seccomp",
        Kind::Gauge,
        "1 where the system calls of workers are filtered, 0 where the kernel cannot.",
        u8::from(seccomp),
    );
}

fn write_statements(exposition: &mut Exposition, statements: &StatementMetrics) {
    let StatementMetrics { cache, ended, elapsed } = statements;
    exposition.family(
        "rowhouse_cache_requests_total",
        Kind::Counter,
        "Accepted statements by what the query cache did.",
    );
    for (outcome, count) in cache {
        exposition.sample(&[("outcome", outcome.as_str())], count);
    }
    exposition.family(
        "rowhouse_statements_ended_total",
        Kind::Counter,
        "Final statements by source and by outcome: FINISHED, or the type of the error.",
    );
    for (source, outcome, count) in ended {
        exposition.sample(&[("source", source.as_str()), ("outcome", outcome.as_str())], count);
    }
    exposition.family(
        "rowhouse_statement_duration_seconds",
        Kind::Histogram,
        "Time from the submission of a statement to its end, waiting included.",
    );
    exposition.histogram(&[], elapsed);
}

fn write_store(exposition: &mut Exposition, store: &StoreMetrics) {
    let StoreMetrics { writes, commits, failed_commits, commit_time, file_bytes } = store;
    for (name, help, value) in [
        (
            "rowhouse_store_writes_total",
            "Writes to the store; those that come together share a commit.",
            writes,
        ),
        ("rowhouse_store_commits_total", "Transactions that are durable.", commits),
        ("rowhouse_store_failed_commits_total", "Transactions that failed.", failed_commits),
    ] {
        exposition.single(name, Kind::Counter, help, value);
    }
    exposition.family(
        "rowhouse_store_commit_duration_seconds",
        Kind::Histogram,
        "Time of a transaction, its sync to the disk included.",
    );
    exposition.histogram(&[], commit_time);
    exposition.single(
        "rowhouse_store_bytes",
        Kind::Gauge,
        "Bytes of the database and of its log.",
        file_bytes,
    );
}

fn write_views(exposition: &mut Exposition, views: &[ViewMetrics], now: Timestamp, with_names: bool) {
    exposition.single("rowhouse_views", Kind::Gauge, "Materialized views.", views.len());
    let unfilled = views.iter().filter(|view| view.served.is_none()).count();
    exposition.single("rowhouse_views_unfilled", Kind::Gauge, "Views that have never been filled.", unfilled);
    let failing = views.iter().filter(|view| view.is_failing).count();
    exposition.single("rowhouse_views_failing", Kind::Gauge, "Views whose last refresh failed.", failing);
    let bytes: u64 = views.iter().filter_map(|view| view.served).map(|served| served.bytes).sum();
    exposition.single("rowhouse_view_files_bytes", Kind::Gauge, "Bytes of all served generations.", bytes);

    let mut shown: Vec<&ViewMetrics> = views.iter().collect();
    shown.sort_unstable_by_key(|view| view.id.as_str());
    shown.truncate(MAX_VIEW_SERIES);
    if with_names {
        exposition.family("rowhouse_view_info", Kind::Gauge, "1, with the names of a view; for admins.");
        for view in &shown {
            let labels = [
                ("view_id", view.id.as_str()),
                ("workspace_id", view.workspace_id.as_str()),
                ("workspace", &view.workspace_sql_name),
                ("view", &view.sql_name),
            ];
            exposition.sample(&labels, 1);
        }
    }
    exposition.family("rowhouse_view_failing", Kind::Gauge, "1 where the last refresh of a view failed.");
    for view in &shown {
        exposition.sample(&[("view_id", view.id.as_str())], u8::from(view.is_failing));
    }
    let served: Vec<_> = shown.iter().filter_map(|view| Some((view.id.as_str(), view.served?))).collect();
    let seconds = |millis: i64| millis as f64 / 1000.0;
    exposition.family(
        "rowhouse_view_generation",
        Kind::Gauge,
        "Number of the generation that a view serves.",
    );
    for (id, served) in &served {
        exposition.sample(&[("view_id", id)], served.generation);
    }
    exposition.family(
        "rowhouse_view_refresh_timestamp_seconds",
        Kind::Gauge,
        "When the served generation was made, in seconds since 1970.",
    );
    for (id, served) in &served {
        exposition.sample(&[("view_id", id)], seconds(served.refreshed_at.as_millis()));
    }
    exposition.family("rowhouse_view_age_seconds", Kind::Gauge, "Age of the served generation.");
    for (id, served) in &served {
        let age = now.as_millis().saturating_sub(served.refreshed_at.as_millis()).max(0);
        exposition.sample(&[("view_id", id)], seconds(age));
    }
    exposition.family("rowhouse_view_rows", Kind::Gauge, "Rows of the served generation.");
    for (id, served) in &served {
        exposition.sample(&[("view_id", id)], served.rows);
    }
    exposition.family(
        "rowhouse_view_bytes",
        Kind::Gauge,
        "Bytes of the files of the served generation, its indexes included.",
    );
    for (id, served) in &served {
        exposition.sample(&[("view_id", id)], served.bytes);
    }
}
