//! Time zones of sessions on every interface: REST, Trino's client protocol, and the cache behind both.

use hyper::Method;
use rowhouse_tests::{Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

const MIDNIGHT: &str = "SELECT current_timezone(), CAST(DATE '2020-07-01' AS timestamp with time zone)";

const NOON: &str =
    "SELECT current_timezone(), CAST(TIMESTAMP '2020-07-01 12:00:00' AS timestamp with time zone)";

/// Runs a statement in a zone with the cache; returns the record and the rows.
async fn run(server: &Server, workspace: &str, sql: &str, zone: Option<&str>) -> (Value, Value) {
    let mut body = json!({ "workspaceId": workspace, "sql": sql, "cacheTTL": 600, "cacheRefresh": false });
    if let Some(zone) = zone {
        body["timeZone"] = json!(zone);
    }
    let query = server.post("/api/v1/query", body).await.ok();
    let query = server.finish(workspace, &id_of(&query)).await;
    assert_eq!(query["status"], "FINISHED", "{sql}: {query}");
    let path = format!("/api/v1/query/{}/result?workspaceId={workspace}", id_of(&query));
    let result = server.get(&path).await.ok();
    (query, result["result"].clone())
}

#[tokio::test]
async fn equal_statements_in_two_zones_are_different() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    for (zone, expected) in [
        (None, json!([["UTC", "2020-07-01T00:00:00.000Z"]])),
        (Some("America/New_York"), json!([["America/New_York", "2020-07-01T00:00:00.000-04:00"]])),
        (Some("Asia/Kolkata"), json!([["Asia/Kolkata", "2020-07-01T00:00:00.000+05:30"]])),
        (Some("+05:30"), json!([["+05:30", "2020-07-01T00:00:00.000+05:30"]])),
    ] {
        let (query, rows) = run(&server, &workspace, MIDNIGHT, zone).await;
        assert_eq!((&rows, &query["fromCache"]), (&expected, &json!(false)), "{zone:?}");
        let (query, rows) = run(&server, &workspace, MIDNIGHT, zone).await;
        assert_eq!((&rows, &query["fromCache"]), (&expected, &json!(true)), "{zone:?}, again");
    }
    // Aliases of the same zone.
    for zone in ["UTC", "Etc/UTC", "+00:00"] {
        assert_eq!(run(&server, &workspace, MIDNIGHT, Some(zone)).await.0["fromCache"], true, "{zone}");
    }
}

#[tokio::test]
async fn an_unknown_zone_is_refused_with_the_nearest_one() {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let refused = async |path: String, zone: Value| {
        let body = json!({ "workspaceId": workspace, "sql": "SELECT 1", "timeZone": zone });
        let answer = server.post(&path, body).await;
        (answer.status, answer.json()["message"].as_str().unwrap_or_default().to_owned())
    };
    let (status, message) = refused("/api/v1/query".to_owned(), json!("europe/berlin")).await;
    assert_eq!(status, 400, "{message}");
    assert!(message.contains("did you mean 'Europe/Berlin'?"), "{message}");
    assert_eq!(refused("/api/v1/query".to_owned(), json!("+15:00")).await.0, 400);
    assert_eq!(refused("/api/v1/query".to_owned(), json!(5)).await.0, 400);

    let saved = json!({ "workspaceId": workspace, "title": "zones", "sql": "SELECT current_timezone()" });
    let saved = id_of(&server.post("/api/v1/sql", saved).await.ok());
    assert_eq!(refused(format!("/api/v1/sql/{saved}"), json!("nowhere")).await.0, 400);
    let body = json!({ "workspaceId": workspace, "timeZone": "Asia/Tokyo" });
    let query = server.post(&format!("/api/v1/sql/{saved}"), body).await.ok();
    let id = id_of(&server.finish(&workspace, &id_of(&query)).await);
    let result = server.get(&format!("/api/v1/query/{id}/result?workspaceId={workspace}")).await.ok();
    assert_eq!(result["result"], json!([["Asia/Tokyo"]]));
}

#[tokio::test]
async fn sessions_of_trino_clients_have_their_time_zone() {
    let server = SERVER.get();
    let authorization = format!("Bearer {}", server.admin_token());
    let rows = async |sql: &str, headers: &[(&str, &str)]| {
        let mut all = vec![
            ("authorization", authorization.as_str()),
            ("x-trino-user", "ann"),
            ("x-trino-client-capabilities", "PARAMETRIC_DATETIME"),
        ];
        all.extend_from_slice(headers);
        let mut answer =
            server.request_with(Method::POST, "/v1/statement", all, Some(sql.to_owned())).await.json();
        let mut rows = Vec::new();
        while let Some(next) = answer["nextUri"].as_str() {
            let path = next.strip_prefix(&server.url()).expect("an address of this server").to_owned();
            answer = server.request_with(Method::GET, &path, [], None).await.json();
            rows.extend(answer["data"].as_array().into_iter().flatten().cloned());
        }
        assert_eq!(answer.get("error"), None, "{sql}");
        Value::Array(rows)
    };
    let in_new_york = [("x-trino-time-zone", "America/New_York")];
    assert_eq!(
        rows(NOON, &in_new_york).await,
        json!([["America/New_York", "2020-07-01 12:00:00.000 America/New_York"]])
    );
    // SET TIME ZONE takes precedence over the client's own zone.
    let set = [("x-trino-time-zone", "America/New_York"), ("x-trino-session", "time_zone_id=%2B05%3A30")];
    assert_eq!(rows(NOON, &set).await, json!([["+05:30", "2020-07-01 12:00:00.000 +05:30"]]));
    assert_eq!(rows(NOON, &[]).await, json!([["UTC", "2020-07-01 12:00:00.000 UTC"]]));
    assert_eq!(
        rows("SELECT TIMESTAMP '2020-01-01 00:00 +02:00', ARRAY[TIMESTAMP '2020-01-01 00:00 -03:30']", &[])
            .await,
        json!([["2020-01-01 00:00:00 +02:00", ["2020-01-01 00:00:00 -03:30"]]])
    );
}
