//! The client crate against the real server: its whole flow, and that pages of any size add up to the whole result.

use std::time::Duration;

use rowhouse_client::model::{
    CreateMaterializedView, QueryStatus, ServiceState, StatementParameters, WorkspaceId,
};
use rowhouse_client::{
    Client, ErrorKind, Operator, ResultFormat, RowRequest, RowShape, Statement, ViewRead, WorkspaceClient,
};
use rowhouse_tests::Server;
use serde_json::Value;

async fn demo(server: &Server) -> WorkspaceClient {
    let client = Client::builder(server.url()).token(server.admin_token()).build().expect("a client");
    let workspaces = client.workspaces().await.expect("workspaces");
    let demo = workspaces.iter().find(|workspace| workspace.sql_name == "demo").expect("the workspace demo");
    client.workspace(demo.id.clone())
}

#[tokio::test]
async fn pages_of_any_size_add_up_to_the_same_rows() {
    let server = Server::start();
    let workspace = demo(&server).await;
    let query =
        workspace.run("SELECT o_orderkey, o_totalprice FROM tpch.tiny.orders").await.expect("it runs");
    let all = workspace.result::<(i64, f64)>(&query.id, &RowRequest::new()).await.expect("rows");
    assert_eq!(all.row_count, 15_000);
    assert_eq!(all.result.len(), 15_000);
    assert_eq!(query.row_count, Some(15_000));
    for page_rows in [997, 8192, 20_000] {
        let request = RowRequest::new().page_rows(page_rows);
        let mut rows = workspace.rows::<(i64, f64)>(&query.id, &request).await.expect("rows");
        let mut read = Vec::new();
        while let Some(row) = rows.next().await {
            read.push(row.expect("a row"));
        }
        assert_eq!(read, all.result, "pages of {page_rows}");
    }
    let names: Vec<&str> = all.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["o_orderkey", "o_totalprice"]);

    let part = RowRequest::new().offset(14_998).shape(RowShape::Objects);
    let part = workspace.result::<Value>(&query.id, &part).await.expect("rows");
    let keys: Vec<_> = part.result.iter().map(|row| row["o_orderkey"].as_i64()).collect();
    assert_eq!(keys, [Some(all.result[14_998].0), Some(all.result[14_999].0)]);
    assert_eq!(part.row_count, 15_000);
}

#[tokio::test]
async fn a_download_is_the_whole_file() {
    let server = Server::start();
    let workspace = demo(&server).await;
    let query = workspace.run("SELECT l_orderkey FROM tpch.tiny.lineitem").await.expect("it runs");
    let mut download =
        workspace.download(&query.id, ResultFormat::Csv, &RowRequest::new()).await.expect("a file");
    let mut text = Vec::new();
    while let Some(chunk) = download.chunk().await.expect("a piece") {
        text.extend_from_slice(&chunk);
    }
    let lines = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    assert_eq!(Some(lines), query.row_count.map(|rows| rows + 1), "a head and a line a row");
}

#[tokio::test]
async fn errors_keep_code_message_and_request_id() {
    let server = Server::start();
    let workspace = demo(&server).await;
    let error = workspace.run("SELECT nothing").await.expect_err("no such column");
    assert_eq!(*error.kind(), ErrorKind::QueryFailed { code: "COLUMN_NOT_FOUND".to_owned() });
    assert!(error.query_error().is_some_and(|error| error.error_location.is_some()), "{error}");

    let error = workspace.query(&"no-such-query".into()).await.expect_err("no such query");
    assert_eq!(*error.kind(), ErrorKind::Api { status: 404, code: Some("NOT_FOUND".to_owned()) });
    assert!(error.request_id().is_some_and(|id| !id.is_empty()));

    let stranger = Client::builder(server.url()).token("unknown").build().expect("a client");
    assert_eq!(stranger.workspaces().await.expect_err("unknown").code(), Some("UNAUTHORIZED"));
    let nowhere = workspace.client().workspace(WorkspaceId::new("nowhere"));
    assert_eq!(nowhere.queries(1, 0).await.expect_err("no such workspace").status(), Some(404));
}

#[tokio::test]
async fn the_client_waits_for_and_cancels_statements() {
    let server = Server::start();
    let workspace = demo(&server).await;
    let sql =
        "SELECT count(*) FROM tpch.tiny.lineitem a, tpch.tiny.lineitem b WHERE a.l_comment < b.l_comment";
    let records_before = workspace.queries(1, 0).await.expect("records").total_count;
    let query = workspace.submit(sql).await.expect("a record");
    let wait = workspace.wait_timeout(&query.id, Duration::from_millis(1500)).await;
    assert_eq!(*wait.expect_err("it takes longer").kind(), ErrorKind::Timeout);
    workspace.cancel(&query.id).await.expect("a record");
    let canceled = workspace.wait_timeout(&query.id, Duration::from_secs(10)).await.expect("it ends");
    assert_eq!(canceled.status, Some(QueryStatus::Failed));
    assert_eq!(canceled.error.map(|error| error.error_name).as_deref(), Some("USER_CANCELED"));
    let list = workspace.queries(1, 0).await.expect("records");
    assert_eq!((list.total_count, &list.result[0].id), (records_before + 1, &query.id));
}

#[tokio::test]
async fn saved_sql_is_executed_and_its_run_is_measured() {
    let server = Server::start();
    let workspace = demo(&server).await;
    let saved =
        workspace.create_saved_sql("Nations", "SELECT * FROM tpch.tiny.nation", None).await.expect("saved");
    let statistics = workspace.saved_sql_statistics(&saved.id).await.expect("statistics");
    assert_eq!(statistics.stats.state, "NONE");
    let query =
        workspace.execute_saved_sql(&saved.id, None, StatementParameters::default()).await.expect("a record");
    let query = workspace.wait(&query.id).await.expect("it ends");
    assert_eq!((query.status, query.row_count), (Some(QueryStatus::Finished), Some(25)));
    let statistics = workspace.saved_sql_statistics(&saved.id).await.expect("statistics");
    assert_eq!(statistics.stats.state, "FINISHED");
    workspace.delete_saved_sql(&saved.id).await.expect("deleted");
    assert_eq!(workspace.saved_sqls().await.expect("saved SQL"), []);
}

#[tokio::test]
async fn the_client_reports_cache_hits() {
    let server = Server::start();
    let workspace = demo(&server).await;
    let statement = || Statement::new("SELECT count(*) FROM tpch.tiny.orders").cache(600, false);
    let first = workspace.run(statement()).await.expect("it runs");
    let second = workspace.run(statement()).await.expect("it is cached");
    assert_eq!((first.from_cache, second.from_cache), (Some(false), Some(true)));
    let count = workspace.result::<(i64,)>(&second.id, &RowRequest::new()).await.expect("rows");
    assert_eq!(count.result, [(15_000,)]);
}

#[tokio::test]
async fn a_view_is_read_whole_streamed_and_only_if_changed() {
    let server = Server::start();
    let workspace = demo(&server).await;
    let client = workspace.client();
    let definition = CreateMaterializedView {
        workspace_id: workspace.id().clone(),
        sql_name: "orders_by_status".to_owned(),
        sql: "-- Service API: required(\"o_orderstatus:eq\")\nSELECT o_orderkey, o_orderstatus FROM tpch.tiny.orders"
            .to_owned(),
        title: None,
        description: None,
        schedule: None,
    };
    let created = workspace.create_materialized_view(&definition).await.expect("a view");
    let refresh = created.refresh_query_id.expect("a refresh");
    assert_eq!(workspace.wait(&refresh).await.expect("it ends").status, Some(QueryStatus::Finished));

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Order {
        o_orderkey: i64,
    }
    let read = ViewRead::new().filter("o_orderstatus", Operator::Eq, "P").columns(["o_orderkey"]);
    let whole: Vec<Order> = client.read_view("demo", "orders_by_status", &read).await.expect("rows");
    let mut streamed = Vec::new();
    let mut rows = client.stream_view::<Order>("demo", "orders_by_status", &read).await.expect("rows");
    while let Some(row) = rows.next().await {
        streamed.push(row.expect("a row"));
    }
    assert!(whole.len() > 100, "{}", whole.len());
    assert_eq!(streamed, whole);
    let counted =
        client.count_view("demo", "orders_by_status", &read.clone().limit(1)).await.expect("a count");
    assert_eq!(counted, whole.len() as u64);

    let error = client.read_view::<Order>("demo", "orders_by_status", &ViewRead::new()).await;
    assert_eq!(error.expect_err("no filter").code(), Some("GENERIC_USER_ERROR"));

    let first = client.read_view_if_changed::<Order>("demo", "orders_by_status", &read, None).await;
    let first = first.expect("an answer").expect("rows");
    let again =
        client.read_view_if_changed::<Order>("demo", "orders_by_status", &read, first.etag.as_deref()).await;
    assert_eq!(again.expect("an answer"), None);
}

#[tokio::test]
async fn the_service_is_disabled_and_enabled() {
    let server = Server::start();
    let workspace = demo(&server).await;
    workspace.client().disable_service().await.expect("a status");
    assert_eq!(workspace.submit("SELECT 1").await.expect_err("disabled").code(), Some("SERVICE_DISABLED"));
    workspace.client().enable_service().await.expect("a status");
    workspace.run("SELECT 1").await.expect("it runs");
    assert_eq!(workspace.client().service_status().await.expect("a status").status, ServiceState::Running);
    workspace.client().ready().await.expect("ready");
}
