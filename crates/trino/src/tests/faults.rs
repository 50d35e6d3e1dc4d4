//! Faults: what the protocol requires of a client, and what a statement's record then shows.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{ErrorType, QueryError};

use super::fake::{Bench, FakeTrino, Fault, Outcome, driven_clock, recorded};
use crate::{TrinoAuthentication, TrinoCluster};
use rowhouse_executor::ExecutionEvent;

async fn run_driven(server: &FakeTrino) -> Outcome {
    Bench::with_clock(server.cluster(), driven_clock()).run("SELECT 1").await
}

#[track_caller]
pub(super) fn external(outcome: &Outcome, part: &str) {
    let error: &QueryError = outcome.result.as_ref().expect_err("it fails");
    assert_eq!((error.error_name.as_str(), error.error_type), ("GENERIC_EXTERNAL", ErrorType::External));
    assert!(error.message.contains(part), "{}", error.message);
    assert!(!outcome.output.exists(), "nothing is left of the result");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_is_drained_to_its_end_and_reports_progress() {
    let server = FakeTrino::replay(&recorded("nation")).await;
    let outcome = Bench::new(server.cluster()).run("SELECT 1 -- end\n;").await;
    let execution = outcome.result.as_ref().unwrap();
    assert_eq!(execution.row_count, 25);
    assert_eq!(execution.stats.state, "FINISHED");
    assert!(
        execution.stats.total_splits > 0 && execution.stats.processed_rows == 25,
        "{:?}",
        execution.stats
    );
    assert_eq!(execution.output_stage.stage_id, "0");
    assert!(!execution.output_stage.sub_stages.is_empty());
    let rows = outcome.rows();
    assert_eq!(rows[24][1], "UNITED STATES");
    let phases: Vec<&str> = outcome
        .events
        .iter()
        .filter_map(|event| match event {
            ExecutionEvent::Accepted { .. } => Some("accepted"),
            ExecutionEvent::Planning => Some("planning"),
            ExecutionEvent::Planned { .. } => Some("planned"),
            ExecutionEvent::Progress(_) | ExecutionEvent::Writes(_) => None,
        })
        .collect();
    assert_eq!(phases, ["accepted", "planning", "planned"]);
    assert_eq!((server.count("POST"), server.count("DELETE"), outcome.notes()), (1, 0, 0));
    let seen = server.seen();
    for header in [
        "x-trino-user: rowhouse",
        "x-trino-source: rowhouse",
        "x-trino-time-zone: utc",
        "x-trino-client-info: ann",
        "x-trino-client-capabilities: parametric_datetime",
    ] {
        assert!(seen[0].headers.iter().any(|seen| seen == header), "{header}: {:?}", seen[0].headers);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn configured_headers_are_sent() {
    let server = FakeTrino::replay(&recorded("nation")).await;
    let mut cluster = server.cluster();
    cluster.catalog = Some("hive".to_owned());
    cluster.schema = Some("web".to_owned());
    cluster.client_tags = vec!["a".to_owned(), "b".to_owned()];
    cluster.session = vec!["query_max_run_time=5m".to_owned(), "x.y=a b,c".to_owned()];
    cluster.authentication = TrinoAuthentication::Basic { password: "secret".to_owned() };
    assert!(!format!("{cluster:?}").contains("secret"));
    let outcome = Bench::new(cluster).run("SELECT 1").await;
    assert!(outcome.result.is_ok());
    for seen in server.seen() {
        for header in [
            "x-trino-catalog: hive",
            "x-trino-schema: web",
            "x-trino-client-tags: a,b",
            "x-trino-session: query_max_run_time=5m",
            "x-trino-session: x.y=a%20b%2cc",
            "authorization: basic cm93ag91c2u6c2vjcmv0",
        ] {
            assert!(seen.headers.iter().any(|seen| seen == header), "{header}: {:?}", seen.headers);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn temporary_faults_are_retried() {
    // Each temporary fault at each request of the exchange.
    let pages = recorded("nation");
    for request in 0..pages.len() {
        for fault in [
            Fault::Status(502, ""),
            Fault::Status(503, ""),
            Fault::Status(504, ""),
            Fault::Status(429, "retry-after: 1\r\n"),
            Fault::Slow(Duration::from_millis(20)),
            Fault::ResetInMidPage,
            Fault::Close,
        ] {
            // A submit that broke off may be running: it is not repeated.
            let is_ambiguous = request == 0 && matches!(fault, Fault::ResetInMidPage | Fault::Close);
            let server = FakeTrino::replay(&pages).await;
            server.plan(request, fault.clone());
            let outcome = run_driven(&server).await;
            if is_ambiguous {
                external(&outcome, "broke off while it took the statement");
                assert_eq!(server.count("POST"), 1);
            } else {
                assert_eq!(
                    outcome.result.as_ref().map(|done| done.row_count),
                    Ok(25),
                    "{fault:?} at {request}"
                );
                assert_eq!(outcome.rows().len(), 25, "no row twice: {fault:?} at {request}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_stays_unreachable_fails_the_statement() {
    let server = FakeTrino::replay(&recorded("nation")).await;
    for request in 3..500 {
        server.plan(request, Fault::Status(503, ""));
    }
    let outcome = run_driven(&server).await;
    external(&outcome, "cannot be reached: status 503");
    // The cancel was retried as long, and the journal entry remains for the next start.
    assert!(server.count("DELETE") > 1);

    // The port is bound, so that nobody else gets it, and nobody listens on it.
    let nobody = tokio::net::TcpSocket::new_v4().unwrap();
    nobody.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let cluster = TrinoCluster::new(format!("http://{}", nobody.local_addr().unwrap()));
    let outcome = Bench::with_clock(cluster, driven_clock()).run("SELECT 1").await;
    external(&outcome, "Connection refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn permanent_faults_fail_at_once() {
    let check = async |fault: Fault, part: &str| {
        let server = FakeTrino::replay(&recorded("nation")).await;
        server.plan(4, fault);
        let outcome = Bench::new(server.cluster()).run("SELECT 1").await;
        external(&outcome, part);
        assert_eq!((server.count("DELETE"), outcome.notes()), (1, 0), "{part}: it is canceled at Trino");
    };
    check(Fault::Status(404, ""), "does not know the statement any more").await;
    check(Fault::Status(410, ""), "does not know the statement any more").await;
    check(Fault::Status(401, ""), "check user, password or token").await;
    check(Fault::Status(500, ""), "answered with status 500").await;
    check(Fault::Body("<html>".to_owned()), "a page of Trino's cannot be stored").await;
    check(Fault::Body("{}".to_owned()), "missing field `id`").await;
    let page = |data: &str| {
        let columns = r#"[{"name":"a","type":"bigint"},{"name":"b","type":"decimal(5,2)"}]"#;
        Fault::Body(format!(r#"{{"id":"x","columns":{columns},"data":{data}}}"#))
    };
    // The columns of the exchange, four of them, are known: `nation` was sent before.
    check(page("[[1]]"), "invalid length 1").await;
    check(page("[[1,2,3,4,5]]"), "invalid type").await;
    check(page("[[\"x\",\"y\",1,\"z\"]]"), "'x' is no value of the type BigInt").await;
    check(page("[[1.5,\"y\",1,\"z\"]]"), "invalid type: floating point").await;
    check(page("{\"encoding\":\"json\"}"), "missing field `segments`").await;
    check(page("7"), "expected rows or segments of rows").await;
    let elsewhere = r#"{"id":"x","nextUri":"http://example.org/v1/statement/x"}"#;
    check(Fault::Body(elsewhere.to_owned()), "leads to http://example.org").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_reported_as_trino_sent_them() {
    let server = FakeTrino::replay(&recorded("division_by_zero")).await;
    let error = server.run().await.result.unwrap_err();
    assert_eq!(
        (error.error_name.as_str(), error.error_code, error.error_type),
        ("DIVISION_BY_ZERO", 8, ErrorType::UserError)
    );
    assert_eq!(error.failure_info.unwrap().kind, "io.trino.spi.TrinoException");
    let server = FakeTrino::replay(&recorded("no_such_table")).await;
    let outcome = server.run().await;
    let error = outcome.result.as_ref().unwrap_err();
    assert_eq!(error.error_name, "TABLE_NOT_FOUND");
    assert_eq!(error.error_location.unwrap().line_number, 2);
    assert!(error.message.starts_with("line 2:6: "), "{}", error.message);
    assert_eq!((server.count("DELETE"), outcome.notes()), (0, 0), "there is nothing left to cancel");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_statement_is_canceled_at_trino() {
    let server = FakeTrino::replay(&recorded("nation")).await;
    server.plan(3, Fault::Hang);
    let bench = Bench::new(server.cluster());
    let executor = Arc::clone(&bench.executor);
    let statement = bench.statement("SELECT 1");
    let output = statement.output.clone();
    let running = tokio::spawn(async move { executor.execute(statement, Box::new(|_| {})).await });
    while server.seen().len() < 4 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running.abort();
    assert!(running.await.unwrap_err().is_cancelled());
    bench.executor.settle().await;
    let last = server.seen().pop().unwrap();
    assert!(last.line.starts_with("DELETE /v1/statement/executing/"), "{}", last.line);
    while output.exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_server_cancels_statements_of_a_killed_one() {
    let server = FakeTrino::replay(&recorded("nation")).await;
    server.plan(3, Fault::Hang);
    let bench = Bench::new(server.cluster());
    let executor = Arc::clone(&bench.executor);
    let statement = bench.statement("SELECT 1");
    let running = tokio::spawn(async move { executor.execute(statement, Box::new(|_| {})).await });
    while server.seen().len() < 4 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // As after a kill: another executor over the same folder, while nothing was canceled.
    let clusters = std::collections::BTreeMap::from([(None, server.cluster())]);
    let clock: Arc<dyn rowhouse_executor::Clock> = Arc::new(rowhouse_executor::SystemClock::new());
    let next = crate::TrinoExecutor::new(&clusters, bench.folder.path(), &clock).unwrap();
    let monitor = next.start();
    next.settle().await;
    monitor.abort();
    assert_eq!(server.count("DELETE"), 1);
    let left = std::fs::read_dir(bench.folder.path().join("trino")).unwrap().count();
    assert_eq!(left, 0, "the note is struck");
    running.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn analyzing_view_columns_reports_locations_in_the_given_text() {
    let server = FakeTrino::replay(&recorded("nation")).await;
    let bench = Bench::new(server.cluster());
    let columns = bench.executor.analyze(bench.statement("SELECT 1")).await.unwrap();
    let described: Vec<_> =
        columns.iter().map(|column| (column.name.as_str(), column.type_name.as_str())).collect();
    assert_eq!(
        described,
        [
            ("nationkey", "bigint"),
            ("name", "varchar(25)"),
            ("regionkey", "bigint"),
            ("comment", "varchar(152)")
        ]
    );
    bench.executor.settle().await;
    assert_eq!(server.count("DELETE"), 1, "nobody waits for its rows");

    let server = FakeTrino::replay(&recorded("no_such_table")).await;
    let bench = Bench::new(server.cluster());
    let error = bench.executor.analyze(bench.statement("SELECT 1")).await.unwrap_err();
    // Trino counts one line more: the one that precedes the given text.
    assert_eq!(error.error_location.unwrap().line_number, 1);
    assert!(error.message.starts_with("line 1:6: "), "{}", error.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_settings_are_refused_at_start() {
    let check = |cluster: TrinoCluster, part: &str| {
        let folder = tempfile::tempdir().unwrap();
        let clusters = std::collections::BTreeMap::from([(Some("eu".to_owned()), cluster)]);
        let clock: Arc<dyn rowhouse_executor::Clock> = Arc::new(rowhouse_executor::SystemClock::new());
        let error = crate::TrinoExecutor::new(&clusters, folder.path(), &clock).unwrap_err();
        assert!(error.to_string().contains(part) && error.to_string().contains("trino:eu"), "{error}");
    };
    check(TrinoCluster::new("trino:8080"), "is not of the form");
    check(TrinoCluster::new("ftp://trino"), "is not of the form");
    let mut clear = TrinoCluster::new("http://trino:8080");
    clear.authentication = TrinoAuthentication::Bearer { token: "t".to_owned() };
    check(clear, "must not travel in the clear");
    let mut session = TrinoCluster::new("http://trino:8080");
    session.session = vec!["no value".to_owned()];
    check(session, "NAME=VALUE");
    let mut ca = TrinoCluster::new("https://trino");
    ca.ca_file = Some("/nowhere/ca.pem".into());
    check(ca, "/nowhere/ca.pem");
}

/// Regression: the body of an answer to a cancel was read to its end, however long it took, and so was that of an
/// unexpected answer.
#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_nobody_needs_are_not_awaited() {
    let server = FakeTrino::replay(&recorded("nation")).await;
    server.plan(4, Fault::Status(500, ""));
    server.plan(5, Fault::Endless(200));
    let outcome = Bench::new(server.cluster()).run("SELECT 1").await;
    external(&outcome, "answered with status 500");
    assert_eq!((server.count("DELETE"), outcome.notes()), (1, 0), "it counts as canceled");

    let server = FakeTrino::replay(&recorded("nation")).await;
    server.plan(4, Fault::Endless(500));
    let outcome = Bench::new(server.cluster()).run("SELECT 1").await;
    external(&outcome, "answered with status 500");

    // The description of a cluster is small.
    let server = FakeTrino::replay(&recorded("nation")).await;
    server.plan(0, Fault::Endless(200));
    let status = crate::check_cluster("trino", &server.cluster()).await;
    assert!(status.message.unwrap().contains("a page of more than 65536 bytes"));
}
