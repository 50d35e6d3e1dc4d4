//! `GET /metrics`: the exact format, what is counted, and who sees names.

use std::io::Write as _;
use std::process::{Command, Stdio};

use rowhouse_tests::{Exposition, SLOW_SQL, Server, id_of, skip};
use serde_json::json;

/// The metrics as a caller sees them, parsed strictly.
async fn scrape(server: &Server, token: Option<&str>) -> Exposition {
    let answer = server.request(http::Method::GET, "/metrics", token, None).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    Exposition::parse(std::str::from_utf8(&answer.body).expect("UTF-8"))
}

/// Prometheus' own linter, besides the harness's implementation of its rules.
#[tokio::test]
async fn promtool_reports_no_problems() {
    let started = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut promtool) = started else {
        skip("promtool", "it is not installed (Debian's package prometheus)");
        return;
    };
    let server = Server::start();
    let workspace = server.demo().await;
    server.run(&workspace, "SELECT n_name FROM tpch.tiny.nation").await;
    let answer = server.request(http::Method::GET, "/metrics", Some(server.admin_token()), None).await;
    promtool.stdin.take().expect("its input is a pipe").write_all(&answer.body).expect("it reads");
    let output = promtool.wait_with_output().expect("it ends");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success() && said.is_empty(), "{}", String::from_utf8_lossy(&said));
}

fn cache(metrics: &Exposition, outcome: &str) -> f64 {
    metrics.get("rowhouse_cache_requests_total", [("outcome", outcome)]).expect(outcome)
}

#[tokio::test]
async fn metrics_follow_the_format_and_count_events() {
    let server = Server::start();
    let workspace = server.demo().await;
    let before = scrape(&server, None).await;
    for outcome in ["hit", "miss", "joined", "bypassed", "refreshed"] {
        assert!(cache(&before, outcome) <= 1.0, "{outcome}: the demo view's refresh at most");
    }

    let sql = "SELECT n_name FROM tpch.tiny.nation";
    for refresh in [false, false, true] {
        let query = server.submit_cached(&workspace, sql, 600, refresh).await;
        server.finish(&workspace, &id_of(&query)).await;
    }
    server.run(&workspace, sql).await;
    server.run(&workspace, "SELECT nothing FROM nowhere").await;
    let slow = server.submit_cached(&workspace, SLOW_SQL, 600, false).await;
    let joined = server.submit_cached(&workspace, SLOW_SQL, 600, false).await;
    server.wait_for_status(&workspace, &id_of(&slow), "RUNNING").await;
    let during = scrape(&server, None).await;
    assert_eq!(during.get("rowhouse_statements", []), Some(2.0));
    assert_eq!(during.get("rowhouse_active_runs", []), Some(1.0), "two statements, one run");
    assert_eq!(during.get("rowhouse_queued_runs", []), Some(0.0));
    assert_eq!(during.get("rowhouse_workers", [("state", "busy")]), Some(1.0));
    for query in [&slow, &joined] {
        server.cancel(&workspace, &id_of(query)).await;
    }
    server.get("/api/v1/nothing").await;
    server.get(&format!("/api/v1/query/none?workspaceId={workspace}")).await;

    let after = scrape(&server, None).await;
    for (outcome, expected) in [("hit", 1.0), ("refreshed", 1.0), ("joined", 1.0)] {
        assert_eq!(cache(&after, outcome) - cache(&before, outcome), expected, "{outcome}");
    }
    assert_eq!(cache(&after, "miss") - cache(&before, "miss"), 2.0, "the first of each text");
    assert_eq!(cache(&after, "bypassed") - cache(&before, "bypassed"), 2.0);
    let ended = |metrics: &Exposition, outcome| {
        let labels = [("source", "API"), ("outcome", outcome)];
        metrics.get("rowhouse_statements_ended_total", labels).expect(outcome)
    };
    assert_eq!(ended(&after, "FINISHED") - ended(&before, "FINISHED"), 4.0);
    assert_eq!(ended(&after, "USER_ERROR") - ended(&before, "USER_ERROR"), 3.0, "a name, and two cancels");
    let requests =
        |route, status| after.get("rowhouse_http_requests_total", [("route", route), ("status", status)]);
    assert_eq!(requests("unknown", "404"), Some(1.0));
    assert_eq!(requests("GET /api/v1/query/:id", "404"), Some(1.0));
    let posted = requests("POST /api/v1/query", "200");
    let timed = after.get("rowhouse_http_request_duration_seconds_count", [("route", "POST /api/v1/query")]);
    assert_eq!((posted, timed), (Some(7.0), Some(7.0)));

    let risen = |name| after.get(name, []).expect(name) - before.get(name, []).expect(name);
    assert_eq!(risen("rowhouse_results"), 3.0, "one a run that finished");
    assert!(risen("rowhouse_result_bytes") > 0.0);
    assert!(risen("rowhouse_store_commits_total") >= 7.0);
    assert!(risen("rowhouse_store_writes_total") >= risen("rowhouse_store_commits_total"));
    for name in ["process_resident_memory_bytes", "process_start_time_seconds", "process_cpu_seconds_total"] {
        assert!(after.get(name, []).expect(name) > 0.0, "{name}");
    }
    assert_eq!(after.all("rowhouse_build_info").count(), 1);
}

#[tokio::test]
async fn view_metrics_have_names_only_for_admins() {
    let server = Server::start();
    let workspace = server.demo().await;
    let views = server.get(&format!("/api/v1/materializedViews?workspaceId={workspace}")).await.ok();
    let id = views[0]["id"].as_str().expect("the demo view").to_owned();
    let stranger = scrape(&server, None).await;
    let of = |metrics: &Exposition, name: &str| metrics.get(name, [("view_id", &id)]).expect("a sample");
    assert_eq!(of(&stranger, "rowhouse_view_generation"), 1.0);
    assert_eq!(of(&stranger, "rowhouse_view_rows"), 15000.0);
    assert!(of(&stranger, "rowhouse_view_bytes") > 0.0);
    assert!(of(&stranger, "rowhouse_view_age_seconds") >= 0.0);
    assert_eq!(stranger.all("rowhouse_view_info").count(), 0, "no names for strangers");
    let admin = scrape(&server, Some(server.admin_token())).await;
    let info = admin.all("rowhouse_view_info").next().expect("names for admins");
    assert_eq!(
        (info.labels["workspace"].as_str(), info.labels["view"].as_str()),
        ("demo", "orders_by_customer")
    );

    let body = json!({ "workspaceId": workspace });
    let refresh = server.post(&format!("/api/v1/materializedView/{id}/refresh"), body).await.ok();
    server.finish(&workspace, &id_of(&refresh)).await;
    let refreshed = scrape(&server, None).await;
    assert_eq!(of(&refreshed, "rowhouse_view_generation"), 2.0);
    let name = "rowhouse_view_refresh_timestamp_seconds";
    assert!(of(&refreshed, name) > of(&stranger, name));
    assert_eq!(refreshed.get("rowhouse_views", []), Some(1.0));
    assert_eq!(refreshed.get("rowhouse_views_failing", []), Some(0.0));
}

#[tokio::test]
async fn metrics_can_require_a_token() {
    let server = Server::builder().arguments(["--metrics-require-token", "true"]).start();
    server.request(http::Method::GET, "/metrics", None, None).await.error(401, "UNAUTHORIZED", []);
    server.request(http::Method::GET, "/metrics", Some("wrong"), None).await.error(401, "UNAUTHORIZED", []);
    scrape(&server, Some(server.admin_token())).await;
}
