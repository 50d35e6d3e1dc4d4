//! Schemas of several workspaces in one statement (D127): what a caller may query is visible, what others may not see
//! of it stays hidden, and a right that is removed takes results with it.

use rowhouse_tests::{ProtocolClient, Response, Server, data_file, id_of, next_path};
use serde_json::{Value, json};

const DEMO: (&str, &str) = ("x-trino-schema", "demo");
const OWN: (&str, &str) = ("x-trino-catalog", "rowhouse");
const BOTH: &str = "SELECT count(*) FROM own_people a JOIN rowhouse.sales.people b ON a.name = b.name";

/// A server with the workspaces `demo`, `hr` and `sales`, a table in each, and a view in `sales`.
struct Setting {
    server: Server,
    demo: String,
    sales: String,
    hr: String,
}

impl Setting {
    async fn new() -> Self {
        let server = Server::start();
        let demo = server.demo().await;
        let (sales, hr) = (server.new_workspace("sales").await, server.new_workspace("hr").await);
        let people = data_file("people.parquet");
        server.new_table(&demo, "own_people", &people).await;
        server.new_table(&sales, "people", &people).await;
        server.new_table(&hr, "salaries", &people).await;
        server.new_view(&sales, "totals", "SELECT count(*) AS people FROM people").await;
        Self { server, demo, sales, hr }
    }

    /// An ANALYST of `demo` with further roles; the account's id and its token.
    async fn member(&self, name: &str, roles: &[(&str, &str)]) -> (String, String) {
        let (account, token) = self.server.new_account(name).await;
        self.set_role(&account, &self.demo, Some("ANALYST")).await;
        for (workspace, role) in roles {
            self.set_role(&account, workspace, Some(role)).await;
        }
        (account, token)
    }

    async fn set_role(&self, account: &str, workspace: &str, role: Option<&str>) {
        let body = json!({ "accountId": account, "role": role });
        self.server.put(&format!("/api/v1/workspace/{workspace}/member"), body).await.ok();
    }

    async fn record(&self, token: &str, id: &str) -> Response {
        self.server.get_as(token, &format!("/api/v1/query/{id}?workspaceId={}", self.demo)).await
    }

    async fn result(&self, token: &str, id: &str) -> Response {
        self.server.get_as(token, &format!("/api/v1/query/{id}/result?workspaceId={}", self.demo)).await
    }
}

/// The texts of a result with one column.
fn texts(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row[0].as_str().expect("a text")).collect()
}

fn id(answer: &Value) -> String {
    answer["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_sees_the_schemas_that_its_token_may_query() {
    let setting = Setting::new().await;
    let (_, token) = setting.member("alice", &[(&setting.sales, "ANALYST"), (&setting.hr, "CONSUMER")]).await;
    let alice = ProtocolClient::with(&setting.server, &token);
    let admin = ProtocolClient::of(&setting.server);
    let session = [OWN, DEMO];
    let schemas = |client| async move {
        let rows = ProtocolClient::rows(client, "SHOW SCHEMAS", &session).await;
        texts(&rows).iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(schemas(&admin).await, ["demo", "hr", "information_schema", "sales"]);
    assert_eq!(schemas(&alice).await, ["demo", "information_schema", "sales"]);
    for (sql, expected) in [
        (
            "SELECT schema_name FROM information_schema.schemata ORDER BY 1",
            vec!["demo", "information_schema", "sales"],
        ),
        (
            "SELECT table_schem FROM system.jdbc.schemas WHERE table_catalog = 'rowhouse' ORDER BY 1",
            vec!["demo", "information_schema", "sales"],
        ),
        ("SHOW TABLES FROM sales", vec!["people", "totals"]),
        (
            "SELECT table_name FROM system.jdbc.tables WHERE table_schem = 'sales' ORDER BY 1",
            vec!["people", "totals"],
        ),
        (
            "SELECT column_name FROM system.jdbc.columns WHERE table_schem = 'sales' AND table_name = 'totals'",
            vec!["people"],
        ),
        ("SELECT column_name FROM information_schema.columns WHERE table_name = 'totals'", vec!["people"]),
    ] {
        assert_eq!(texts(&alice.rows(sql, &session).await), expected, "{sql}");
    }
    let count = alice.rows("SELECT count(*) FROM own_people", &session).await;
    for sql in [
        "SELECT count(*) FROM rowhouse.sales.people",
        "SELECT count(*) FROM sales.people",
        "SELECT people FROM \"sales\".\"totals\"",
        "EXECUTE IMMEDIATE 'SELECT count(*) FROM sales.people'",
    ] {
        assert_eq!(alice.rows(sql, &session).await, count, "{sql}");
    }
    let own =
        alice.rows("SELECT count(*) FROM own_people a JOIN own_people b ON a.name = b.name", &session).await;
    assert_eq!(alice.rows(BOTH, &session).await, own);
    // From any session, over REST, and in the workspace that the session property names.
    let elsewhere = [("x-trino-catalog", "tpch"), ("x-trino-schema", "tiny")];
    assert_eq!(alice.rows("SELECT count(*) FROM rowhouse.sales.people", &elsewhere).await, count);
    let property = [OWN, ("x-trino-schema", "sales"), ("x-trino-session", "workspace=demo")];
    assert_eq!(alice.rows("SELECT count(*) FROM people", &property).await, count);
    assert_eq!(
        setting.server.rows(&setting.demo, "SELECT count(*) FROM rowhouse.sales.people").await,
        json!(count)
    );
    // Over REST, schemas of other workspaces need their catalog, and are not listed.
    let short = setting.server.run(&setting.demo, "SELECT count(*) FROM sales.people").await;
    assert_eq!(short["error"]["errorName"], "SCHEMA_NOT_FOUND", "{short}");
    let listed = setting.server.rows(&setting.demo, "SHOW SCHEMAS").await;
    assert_eq!(listed, json!([["demo"], ["information_schema"]]));
    for sql in ["SELECT * FROM rowhouse.hr.salaries", "SHOW TABLES FROM hr", "SELECT * FROM hr.salaries"] {
        let error = alice.error(sql, &session).await;
        assert!(error.contains("Schema 'hr' does not exist"), "{sql}: {error}");
        // The same error as for a workspace that does not exist.
        let nobodys = alice.error(&sql.replace("hr", "nobodys"), &session).await;
        assert_eq!(error.split(' ').next(), nobodys.split(' ').next(), "{sql}");
    }
    // Definitions of a workspace may name only its own tables, regardless of their creator.
    let view = json!({ "workspaceId": setting.demo, "sqlName": "v", "sql": "SELECT * FROM sales.people" });
    let refused = setting.server.post("/api/v1/materializedView", view).await;
    assert!(String::from_utf8_lossy(&refused.body).contains("Schema 'sales' does not exist"), "{refused:?}");
}

/// Regression: a session whose property `workspace` named another's workspace, or none, ran its statements in a third one.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_property_never_lets_a_statement_run_elsewhere() {
    let setting = Setting::new().await;
    let (_, token) = setting.member("alice", &[(&setting.sales, "ANALYST")]).await;
    let alice = ProtocolClient::with(&setting.server, &token);
    let invalid = |name: &str| {
        format!(
            "INVALID_SESSION_PROPERTY workspace is invalid: '{name}'; this session's owner has no workspace with that \
             SQL name"
        )
    };
    for name in ["hr", "nobodys"] {
        let property = format!("workspace={name}");
        let session = [OWN, DEMO, ("x-trino-session", property.as_str())];
        for sql in
            ["SELECT count(*) FROM own_people", "SHOW TABLES", "USE demo", "SET SESSION cache_ttl = '1m'"]
        {
            assert_eq!(alice.error(sql, &session).await, invalid(name), "{sql}");
        }
        let set = format!("SET SESSION workspace = '{name}'");
        for session in [&session[..], &[], &[OWN, DEMO]] {
            assert_eq!(alice.error(&set, session).await, invalid(name));
        }
        // The ways out of such a session.
        for sql in
            ["RESET SESSION workspace", "SET SESSION workspace = 'sales'", "SET SESSION workspace = ''"]
        {
            let answer = alice.post(sql, &session).await.ok();
            assert_eq!(answer["error"], Value::Null, "{sql}: {answer}");
        }
        // A schema names no workspace to run in, as before.
        let schema = [OWN, ("x-trino-schema", name)];
        assert_eq!(alice.rows("SELECT count(*) FROM rowhouse.sales.people", &schema).await.len(), 1);
    }
    let sales = [("x-trino-session", "workspace=sales")];
    assert_eq!(alice.rows("SELECT count(*) FROM people", &sales).await.len(), 1);
    let recorded = setting.server.get(&format!("/api/v1/queries?workspaceId={}", setting.hr)).await.ok();
    assert_eq!(recorded["totalCount"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn schemas_without_access_stay_hidden() {
    let setting = Setting::new().await;
    let (alice_id, alice_token) = setting.member("alice", &[(&setting.sales, "ANALYST")]).await;
    let (_, bob_token) = setting.member("bob", &[]).await;
    let alice = ProtocolClient::with(&setting.server, &alice_token);
    let bob = ProtocolClient::with(&setting.server, &bob_token);
    let session = [OWN, DEMO, ("x-trino-session", "cache_ttl=1h")];
    let answers = alice.answers(BOTH, &session).await;
    let query = id(&answers[0]);
    let own = setting.record(&alice_token, &query).await.ok();
    assert_eq!((&own["otherWorkspaces"], &own["rowCount"]), (&json!([setting.sales]), &json!(1)));
    assert_eq!(own["cache"]["outcome"], "bypassed");
    // The cache does not answer anyone with it.
    let again = id(&alice.answers(BOTH, &session).await[0]);
    assert_eq!(setting.record(&alice_token, &again).await.ok()["fromCache"], false);
    let error = bob.error(BOTH, &session).await;
    assert!(error.starts_with("SCHEMA_NOT_FOUND"), "{error}");
    let shown_fields =
        |value: &Value| (value["rowCount"].clone(), value["columns"].clone(), value["queryStats"].clone());
    let hidden = (Value::Null, Value::Null, Value::Null);
    assert_eq!(shown_fields(&setting.record(&bob_token, &query).await.ok()), hidden);
    setting.result(&bob_token, &query).await.error(401, "PERMISSION_DENIED", ["other workspaces"]);
    let links = format!("/api/v1/query/{query}/result/signedUrls?workspaceId={}", setting.demo);
    setting.server.get_as(&bob_token, &links).await.error(401, "PERMISSION_DENIED", ["other workspaces"]);
    // The error of a statement may contain values.
    let failing = "SELECT CAST(name AS integer) FROM sales.people";
    let failed = id(&alice.answers(failing, &session).await[0]);
    let seen = setting.record(&alice_token, &failed).await.ok();
    assert!(seen["error"]["message"].as_str().expect("a message").contains("Cannot cast"), "{seen}");
    let list = setting
        .server
        .get_as(&bob_token, &format!("/api/v1/queries?workspaceId={}", setting.demo))
        .await
        .ok();
    let list = list["result"].as_array().expect("a list");
    for shown in [&query, &failed] {
        let record = list.iter().find(|record| record["id"] == **shown).expect("it is listed");
        assert_eq!(shown_fields(record), hidden);
        let message = record["error"]["message"].as_str().unwrap_or_default();
        assert!(!message.contains("Cannot cast"), "{record}");
    }
    let message = setting.record(&bob_token, &failed).await.ok()["error"]["message"].clone();
    assert!(message.as_str().expect("a message").contains("names other workspaces"), "{message}");
    // Rights are checked again at each read.
    let page =
        answers.iter().filter_map(|answer| next_path(&setting.server, answer)).next_back().expect("a page");
    assert!(alice.get(&page).await.ok()["error"].is_null());
    setting.set_role(&alice_id, &setting.sales, Some("CONSUMER")).await;
    assert_eq!(alice.get(&page).await.ok()["error"]["errorName"], "PERMISSION_DENIED");
    setting.result(&alice_token, &query).await.error(401, "PERMISSION_DENIED", ["other workspaces"]);
    assert_eq!(shown_fields(&setting.record(&alice_token, &query).await.ok()), hidden);
    assert!(alice.error(BOTH, &session).await.starts_with("SCHEMA_NOT_FOUND"));
    setting.set_role(&alice_id, &setting.sales, Some("OWNER")).await;
    assert!(alice.get(&page).await.ok()["error"].is_null());
}

/// An idempotency key names a record, and so do saved statements and endpoints.
#[tokio::test(flavor = "multi_thread")]
async fn no_other_interface_bypasses_the_rights() {
    let setting = Setting::new().await;
    let (alice_id, alice_token) = setting.member("alice", &[(&setting.sales, "ANALYST")]).await;
    let (_, bob_token) = setting.member("bob", &[]).await;
    let body = json!({ "workspaceId": setting.demo, "sql": BOTH, "wait": 20, "rows": 10 }).to_string();
    let authorization = format!("Token {alice_token}");
    let headers = [("authorization", authorization.as_str()), ("idempotency-key", "one")];
    let post = hyper::Method::POST;
    let first =
        setting.server.request_with(post.clone(), "/api/v1/query", headers, Some(body.clone())).await.ok();
    assert_eq!(first["rowCount"], 1, "{first}");
    // Saved in the workspace, it runs with the rights of its caller.
    let saved = json!({ "workspaceId": setting.demo, "title": "both", "sql": "SELECT count(*) FROM rowhouse.sales.people" });
    let saved = id_of(&setting.server.post_as(&alice_token, "/api/v1/sql", saved).await.ok());
    let run = |token: String| {
        let (server, demo, saved) = (&setting.server, &setting.demo, &saved);
        async move {
            let body = json!({ "workspaceId": demo, "wait": 20 });
            server.post_as(&token, &format!("/api/v1/sql/{saved}"), body).await.ok()
        }
    };
    assert_eq!(run(alice_token.clone()).await["status"], "FINISHED");
    assert_eq!(run(bob_token).await["error"]["errorName"], "SCHEMA_NOT_FOUND");
    setting.set_role(&alice_id, &setting.sales, None).await;
    assert_eq!(run(alice_token.clone()).await["error"]["errorName"], "SCHEMA_NOT_FOUND");
    let replayed = setting.server.request_with(post, "/api/v1/query", headers, Some(body)).await;
    let text = String::from_utf8_lossy(&replayed.body);
    assert!(replayed.status == 401 || !text.contains("\"rowCount\":1"), "{text}");
}
