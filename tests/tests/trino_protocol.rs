//! Trino's client protocol: pages that can be requested again, sessions, credentials, and hostile clients.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::Method;
use rowhouse_tests::{ProtocolClient, SLOW_SQL, Server, id_of, next_path, rows_of};
use serde_json::{Value, json};

fn basic(password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("anybody:{password}")))
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_can_be_requested_again_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::builder().data_dir(folder.path()).start();
    let sql = "SELECT l_orderkey, l_linenumber, l_comment FROM tpch.tiny.lineitem ORDER BY 1, 2";
    let answers = ProtocolClient::of(&server).answers(sql, &[]).await;
    let whole = rows_of(&answers);
    assert_eq!(whole.len(), 60_175);
    let pages = answers.iter().filter_map(|answer| next_path(&server, answer));
    let pages: Vec<String> =
        pages.filter(|path| path.contains("/executing/") && !path.ends_with("/0")).collect();
    assert!(pages.len() >= 2, "{pages:?}");
    server.kill();
    let server = Server::builder().data_dir(folder.path()).start();
    let client = ProtocolClient::of(&server);
    for path in pages.iter().rev() {
        let row: usize = path.rsplit('/').next().expect("a token").parse().expect("a row");
        let answer = client.get(path).await.ok();
        let again = answer["data"].as_array().expect("rows");
        assert_eq!(again[..], whole[row..row + again.len()], "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_is_a_record_and_can_be_canceled() {
    let server = Server::start();
    let client = ProtocolClient::of(&server);
    let answer = client.post(SLOW_SQL, &[("x-trino-source", "my tool")]).await.ok();
    let id = answer["id"].as_str().expect("an id").to_owned();
    let path = next_path(&server, &answer).expect("a next address");
    assert_eq!(server.request_with(Method::DELETE, &path, [], None).await.status, 204);
    assert_eq!(client.get(&path).await.ok()["error"]["errorName"], "USER_CANCELED");
    let workspace = server.demo().await;
    let record = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
    assert_eq!((record["source"].as_str(), record["status"].as_str()), (Some("my tool"), Some("FAILED")));
}

/// The way Superset cancels: with a statement of another connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_statement_can_kill_another_of_its_workspace() {
    let server = Server::start();
    let client = ProtocolClient::of(&server);
    server.new_workspace("other").await;
    for (arguments, detail) in [
        (
            "query_id => '{}', message => 'Query cancelled by Superset'",
            "Message: Query cancelled by Superset",
        ),
        ("'{}'", "No message provided."),
    ] {
        let answer = client.post(SLOW_SQL, &[]).await.ok();
        let id = answer["id"].as_str().expect("an id").to_owned();
        let call = format!("CALL system.runtime.kill_query({})", arguments.replace("{}", &id));
        let elsewhere = [("x-trino-session", "workspace=other")];
        assert_eq!(client.error(&call, &elsewhere).await, format!("NOT_FOUND Target query not found: {id}"));
        let killed = client.post(&call, &[]).await.ok();
        assert_eq!((&killed["updateType"], &killed["error"]), (&json!("CALL"), &Value::Null));
        let path = next_path(&server, &answer).expect("a next address");
        let error = client.get(&path).await.ok()["error"].clone();
        assert_eq!(error["errorName"], "ADMINISTRATIVELY_KILLED");
        assert_eq!(error["message"], format!("Query killed. {detail}"));
        let again = format!("NOT_SUPPORTED Target query is not running: {id}");
        assert_eq!(client.error(&call, &[]).await, again);
    }
    let nothing = client.error("CALL system.runtime.kill_query('x')", &[]).await;
    assert_eq!(nothing, "NOT_FOUND Target query not found: x");
}

/// Regression: pages and segments could be fetched for ever with their addresses alone, also when the token that had
/// submitted the statement was revoked.
#[tokio::test(flavor = "multi_thread")]
async fn addresses_are_valid_no_longer_than_the_token_that_made_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::builder().data_dir(folder.path()).start();
    let workspace = server.demo().await;
    let (account, token) = server.new_account("ann").await;
    let member = json!({ "accountId": account, "role": "ANALYST" });
    server.put(&format!("/api/v1/workspace/{workspace}/member"), member).await.ok();
    let spooled = [("x-trino-query-data-encoding", "json+zstd")];
    let answers =
        ProtocolClient::with(&server, &token).answers("SELECT * FROM tpch.tiny.orders", &spooled).await;
    let path = |uri: &str| uri.strip_prefix(&server.url()).expect("an address of this server").to_owned();
    let mut paths: Vec<String> = answers.iter().filter_map(|answer| next_path(&server, answer)).collect();
    for segment in answers.iter().filter_map(|answer| answer["data"]["segments"].as_array()).flatten() {
        paths.extend(["uri", "ackUri"].map(|name| path(segment[name].as_str().expect("an address"))));
    }
    assert!(paths.iter().any(|path| path.ends_with("/ack")), "{paths:?}");
    server.kill();
    let server = Server::builder().data_dir(folder.path()).start();
    let statuses = async |headers: &[(&str, &str)]| {
        let mut statuses = Vec::new();
        for path in &paths {
            statuses.push(server.request_with(Method::GET, path, headers.iter().copied(), None).await.status);
        }
        statuses.dedup();
        statuses
    };
    assert_eq!(statuses(&[]).await, [200], "after a restart, without credentials");
    let update = format!("/api/v1/account/{account}");
    server.put(&update, json!({ "isDisabled": true })).await.ok();
    assert_eq!(statuses(&[]).await, [401], "the account is disabled");
    server.put(&update, json!({ "isDisabled": false })).await.ok();
    assert_eq!(statuses(&[]).await, [200]);
    let other = server.post("/api/v1/token", json!({ "name": "other", "accountId": account })).await.ok();
    let tokens = server.get("/api/v1/tokens").await.ok();
    let tokens = tokens.as_array().expect("tokens").iter();
    let revoked = id_of(tokens.clone().find(|token| token["name"] == "test").expect("the first token"));
    server.delete(&format!("/api/v1/token/{revoked}")).await.ok();
    assert_eq!(statuses(&[]).await, [401], "the token is revoked");
    let refused = server.request_with(Method::GET, &paths[0], [], None).await;
    refused.error(401, "UNAUTHORIZED", ["the statement's token was revoked or has expired"]);
    let canceled = server.request_with(Method::DELETE, &paths[0], [], None).await;
    assert_eq!(canceled.status, 401);
    // A client whose token was replaced goes on with the new one, which its driver sends along.
    let with = |token: &str| format!("Bearer {token}");
    let secret = other["token"].as_str().expect("a secret");
    assert_eq!(statuses(&[("authorization", &with(secret))]).await, [200]);
    assert_eq!(statuses(&[("authorization", &with(&token))]).await, [401]);
    assert_eq!(statuses(&[("authorization", &with(server.admin_token()))]).await, [401], "another account's");
}

/// The rows of the segments, each of the announced size.
async fn segment_rows(client: &ProtocolClient<'_>, answers: &[Value]) -> Vec<Value> {
    let mut all = Vec::new();
    for segment in answers.iter().filter_map(|answer| answer["data"]["segments"].as_array()).flatten() {
        let uri = segment["uri"].as_str().expect("an address");
        let bytes = client.get(uri.strip_prefix(&client.server.url()).expect("of this server")).await.body;
        let metadata = &segment["metadata"];
        assert_eq!((&segment["type"], &metadata["segmentSize"]), (&json!("spooled"), &json!(bytes.len())));
        let size = || usize::try_from(metadata["uncompressedSize"].as_u64()?).ok();
        let text = match (uri.contains(".lz4."), size()) {
            (false, Some(size)) => zstd::bulk::decompress(&bytes, size).expect("zstd"),
            (true, Some(size)) => lz4_flex::block::decompress(&bytes, size).expect("lz4"),
            (_, None) => bytes.to_vec(),
        };
        assert!(metadata["uncompressedSize"].as_u64().is_none_or(|size| size == text.len() as u64));
        let rows: Vec<Value> = serde_json::from_slice(&text).expect("rows");
        assert_eq!((&metadata["rowOffset"], &metadata["rowsCount"]), (&json!(all.len()), &json!(rows.len())));
        all.extend(rows);
        let ack = segment["ackUri"].as_str().expect("an address");
        assert_eq!(
            client.get(ack.strip_prefix(&client.server.url()).expect("of this server")).await.status,
            200
        );
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn large_results_are_spooled_as_durable_segments() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::builder().data_dir(folder.path()).start();
    let sql = "SELECT * FROM tpch.tiny.lineitem ORDER BY l_orderkey, l_linenumber";
    let client = ProtocolClient::of(&server);
    let in_pages = rows_of(&client.answers(sql, &[]).await);
    assert_eq!(in_pages.len(), 60_175);
    let zstd = [("x-trino-query-data-encoding", "json+zstd")];
    let answers = client.answers(sql, &zstd).await;
    let named: Vec<_> = answers.iter().filter_map(|answer| answer["data"]["encoding"].as_str()).collect();
    assert!(!named.is_empty() && named.iter().all(|name| *name == "json+zstd"), "{named:?}");
    assert!(segment_rows(&client, &answers).await == in_pages, "compressed segments have the rows of pages");
    // After they were fetched, and after a restart, segments are encoded again, with the same bytes.
    server.kill();
    let server = Server::builder().data_dir(folder.path()).start();
    let elsewhere = ProtocolClient::of(&server);
    for segment in answers.iter().filter_map(|answer| answer["data"]["segments"].as_array()).flatten() {
        let uri = segment["uri"].as_str().expect("an address");
        let path = &uri[uri.find("/v1/").expect("a path")..];
        let again = elsewhere.get(path).await;
        assert_eq!(segment["metadata"]["segmentSize"], json!(again.body.len()));
        elsewhere.get(&format!("{path}99999999")).await.error(400, "INVALID_ARGUMENTS", ["no segment"]);
        elsewhere.get(&path.replace(".zstd.", ".json.")).await.error(404, "NOT_FOUND", []);
    }
    // Plain JSON if the client is on this machine and supports it.
    let both = [("x-trino-query-data-encoding", "json+zstd,json+lz4,json")];
    let plain = elsewhere.answers(sql, &both).await;
    assert!(plain.iter().any(|answer| answer["data"]["encoding"] == "json"));
    assert!(segment_rows(&elsewhere, &plain).await == in_pages, "segments have the rows of pages");
    let blocks = elsewhere.answers(sql, &[("x-trino-query-data-encoding", "json+lz4")]).await;
    assert!(blocks.iter().any(|answer| answer["data"]["encoding"] == "json+lz4"));
    assert!(segment_rows(&elsewhere, &blocks).await == in_pages, "LZ4 blocks have the rows of pages");
    // No segments if the session disables them.
    let off = [("x-trino-query-data-encoding", "json"), ("x-trino-session", "spooling_enabled=false")];
    assert!(elsewhere.rows(sql, &off).await == in_pages, "pages where spooling is off");
    // An unsupported encoding, and a small result, get rows in pages.
    for (sql, encodings) in [(sql, "json+snappy"), ("SELECT 1", "json+zstd,json")] {
        let answers = elsewhere.answers(sql, &[("x-trino-query-data-encoding", encodings)]).await;
        assert!(answers.iter().all(|answer| answer["data"].is_null() || answer["data"].is_array()), "{sql}");
    }
}

/// Trino's first answer never has rows, and clients look for them from the second one on.
#[tokio::test(flavor = "multi_thread")]
async fn errors_are_in_the_second_answer() {
    let server = Server::start();
    let client = ProtocolClient::of(&server);
    for (sql, name) in [
        ("SELECT nothing", "COLUMN_NOT_FOUND"),
        ("SELECT", "SYNTAX_ERROR"),
        ("SET SESSION nothing = 1", "INVALID_SESSION_PROPERTY"),
        ("EXECUTE nothing", "NOT_FOUND"),
        ("USE rowhouse.nothing", "NOT_FOUND"),
    ] {
        let answers = client.answers(sql, &[]).await;
        assert!(answers.len() == 2 && answers[0]["error"].is_null(), "{sql}: {answers:?}");
        assert_eq!(answers[1]["error"]["errorName"], name, "{sql}");
        assert_eq!((&answers[0]["id"], &answers[1]["stats"]["state"]), (&answers[1]["id"], &json!("FAILED")));
    }
    let response = client.post("EXECUTE nothing", &[]).await.ok();
    let path = next_path(&server, &response).expect("an address");
    let (head, slug_end) = path.split_at(path.len() - 10);
    let guessed = format!("{head}{}", slug_end.replace(|digit: char| digit != '/' && digit != '1', "0"));
    client.get(&guessed).await.error(404, "NOT_FOUND", []);
}

#[tokio::test(flavor = "multi_thread")]
async fn session_properties_apply() {
    let server = Server::start();
    let client = ProtocolClient::of(&server);
    let answers = client
        .answers("SELECT count(*) FROM nation", &[("x-trino-catalog", "tpch"), ("x-trino-schema", "tiny")])
        .await;
    assert_eq!(rows_of(&answers), [json!([25])]);
    let set = client.post("SET SESSION cache_ttl = '10m'", &[]).await;
    assert_eq!(set.header("x-trino-set-session"), Some("cache_ttl=10m"));
    let cached = [("x-trino-session", "cache_ttl=10m")];
    let sql = "SELECT count(*), 'cached' FROM tpch.tiny.region";
    let id = |answers: &[Value]| answers[0]["id"].as_str().expect("an id").to_owned();
    let (first, second) = (client.answers(sql, &cached).await, client.answers(sql, &cached).await);
    assert_eq!(rows_of(&first), rows_of(&second));
    let workspace = server.demo().await;
    let mut from_cache = Vec::new();
    for id in [id(&first), id(&second)] {
        let record = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
        from_cache.push(record["fromCache"].as_bool());
    }
    assert_eq!(from_cache, [Some(false), Some(true)]);
    assert_eq!(
        client.error("SELECT 1", &[("x-trino-session", "cache_tl=1")]).await,
        "INVALID_SESSION_PROPERTY Session property 'cache_tl' does not exist. Did you mean 'cache_ttl'?"
    );
    assert_eq!(
        client.error(SLOW_SQL, &[("x-trino-session", "query_max_run_time=1s")]).await,
        "EXCEEDED_TIME_LIMIT Query exceeded the maximum run time of 1 s"
    );
    // A statement with a limit of its own: what fits into the server's limit does not fit into this one.
    let large = "SELECT cardinality(array_agg(x)) FROM (SELECT format('%064d', a.x * 1000 + b.x) AS x \
                 FROM UNNEST(sequence(1, 1000)) a(x), UNNEST(sequence(1, 1000)) b(x))";
    let little = [("x-trino-session", "max_memory=64MB")];
    assert_eq!(
        rows_of(&client.answers("SELECT count(*) FROM tpch.tiny.nation", &little).await),
        [json!([25])]
    );
    assert_eq!(
        client.error(large, &little).await,
        "EXCEEDED_MEMORY_LIMIT Query exceeded per-statement memory limit of 64 MiB"
    );
    assert_eq!(rows_of(&client.answers(large, &[]).await), [json!([1_000_000])]);
    assert!(
        client
            .error("SELECT 1", &[("x-trino-session", "max_memory=1MB")])
            .await
            .ends_with("of 64MB at least")
    );
    // Names resolve differently in different sessions: equal texts are different statements.
    let sf1 = [("x-trino-catalog", "tpch"), ("x-trino-schema", "tiny"), ("x-trino-session", "cache_ttl=10m")];
    let other =
        [("x-trino-catalog", "rowhouse"), ("x-trino-schema", "demo"), ("x-trino-session", "cache_ttl=10m")];
    assert_eq!(rows_of(&client.answers("SELECT count(*) FROM region", &sf1).await), [json!([5])]);
    assert!(client.error("SELECT count(*) FROM region", &other).await.starts_with("TABLE_NOT_FOUND"));
}

/// `WITH SESSION` takes precedence over the session, and applies to its statement only.
#[tokio::test(flavor = "multi_thread")]
async fn session_properties_of_a_statement_apply_only_to_it() {
    let server = Server::start();
    let client = ProtocolClient::of(&server);
    let session = [("x-trino-time-zone", "Europe/Berlin"), ("x-trino-session", "query_max_run_time=1h")];
    let zone = "SELECT current_timezone()";
    let own = format!("WITH SESSION time_zone_id = 'Asia/Tokyo', query_max_run_time = '1m' {zone}");
    for (sql, expected) in [(zone, "Europe/Berlin"), (&own, "Asia/Tokyo"), (zone, "Europe/Berlin")] {
        assert_eq!(rows_of(&client.answers(sql, &session).await), [json!([expected])], "{sql}");
    }
    assert_eq!(client.post(&own, &session).await.header("x-trino-set-session"), None);
    for (sql, expected) in [
        (
            format!("WITH SESSION query_max_run_time = '1s' {SLOW_SQL}"),
            "EXCEEDED_TIME_LIMIT Query exceeded the maximum run time of 1 s",
        ),
        (
            "WITH SESSION cache_tl = '1m' SELECT 1".to_owned(),
            "INVALID_SESSION_PROPERTY line 1:25: Session property 'cache_tl' does not exist. Did you mean 'cache_ttl'?",
        ),
        (
            "WITH SESSION workspace = 'demo' SELECT 1".to_owned(),
            "NOT_SUPPORTED line 1:14: workspace of one statement is not supported: SET SESSION sets it for a session",
        ),
    ] {
        assert_eq!(client.error(&sql, &session).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_are_identified_by_a_token() {
    let server = Server::start();
    let token = server.admin_token();
    let ask = async |method: Method, headers: &[(&str, &str)]| {
        let body = (method == Method::POST).then(|| "SELECT 1".to_owned());
        server.request_with(method, "/v1/statement", headers.to_vec(), body).await.status
    };
    let (by_basic, by_bearer, by_extra) = (basic(token), format!("Bearer {token}"), format!("token={token}"));
    for header in [
        ("authorization", by_basic.as_str()),
        ("authorization", by_bearer.as_str()),
        ("x-trino-extra-credential", by_extra.as_str()),
    ] {
        assert_eq!(ask(Method::POST, &[header]).await, 200, "{header:?}");
        assert_eq!(ask(Method::HEAD, &[header]).await, 200, "{header:?}");
    }
    let wrong = basic("wrong");
    let refused: [&[(&str, &str)]; 4] = [
        &[],
        &[("authorization", &wrong)],
        &[("authorization", "Basic !!!")],
        &[("x-trino-extra-credential", "token=wrong")],
    ];
    for headers in refused {
        assert_eq!(ask(Method::POST, headers).await, 401, "{headers:?}");
        assert_eq!(ask(Method::HEAD, headers).await, 401, "{headers:?}");
    }
    let info = server.request_with(Method::GET, "/v1/info", [], None).await.ok();
    assert_eq!(info["starting"], false);
}

/// Each invalid request gets one clear error, and nothing of other accounts.
#[tokio::test(flavor = "multi_thread")]
async fn each_invalid_request_is_refused() {
    let server = Server::start();
    let client = ProtocolClient::of(&server);
    let answers = client.answers("SELECT 1", &[]).await;
    let path = next_path(&server, &answers[0]).expect("an address");
    let parts: Vec<&str> = path.split('/').collect();
    let with = |index: usize, text: &str| {
        let mut parts = parts.clone();
        parts[index] = text;
        parts.join("/")
    };
    let executing = with(3, "executing");
    client.get(&executing).await.ok();
    client.get(&with(4, "another")).await.error(404, "NOT_FOUND", []);
    client.get(&with(5, "guessed")).await.error(404, "NOT_FOUND", []);
    client.get(&with(5, &format!("{}0", parts[5]))).await.error(404, "NOT_FOUND", []);
    let page =
        |token: &str| executing.rsplit_once('/').map(|(head, _)| format!("{head}/{token}")).expect("a path");
    client.get(&page("-1")).await.error(400, "INVALID_ARGUMENTS", ["no page"]);
    client.get(&page("x")).await.error(400, "INVALID_ARGUMENTS", ["no page"]);
    // A page beyond the last row has no rows.
    assert!(client.get(&page("18446744073709551615")).await.ok()["data"].is_null());
    client.post("", &[]).await.error(400, "INVALID_ARGUMENTS", ["empty"]);
    client.post("   ", &[]).await.error(400, "INVALID_ARGUMENTS", ["empty"]);
    client.post("SELECT 1", &[("x-trino-session", "nothing")]).await.error(
        400,
        "INVALID_ARGUMENTS",
        ["x-trino-session"],
    );
    let many: String = (0..2000).map(|number| format!("p{number}=SELECT+1,")).collect();
    let refused = client.post("SELECT 1", &[("x-trino-prepared-statement", &many)]).await;
    refused.error(400, "INVALID_ARGUMENTS", ["1000 entries"]);
    // Another account may not use its own token with an address of somebody else.
    let (_, other) = server.new_account("mallory").await;
    let foreign = format!("Bearer {other}");
    let beside = [("authorization", foreign.as_str())];
    server.request_with(Method::GET, &executing, beside, None).await.error(
        401,
        "UNAUTHORIZED",
        ["another account"],
    );
    assert_eq!(
        ProtocolClient::with(&server, &other).error("SELECT 1", &[]).await,
        "PERMISSION_DENIED the token's owner may not query any workspace"
    );
    // Arguments of USING must be constants.
    assert_eq!(
        client.error("EXECUTE IMMEDIATE 'SELECT ?' USING (SELECT 1)", &[]).await,
        "EXPRESSION_NOT_CONSTANT line 1:36: Constant expression cannot contain subqueries"
    );
}

/// A workspace on a cluster is a gateway that caches results: the second run of a statement does not reach the cluster.
#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_on_trino_is_a_gateway_that_caches_results() {
    let Some(trino) = rowhouse_tests::trino() else { return };
    let server = Server::builder()
        .arguments(["--engine-kind", "trino", "--engine-trino-url", &trino.url()])
        .arguments(["--engine-trino-catalog", "memory", "--engine-trino-schema", "default"])
        .start();
    let client = ProtocolClient::of(&server);
    let session = [
        ("x-trino-catalog", "tpch"),
        ("x-trino-schema", "tiny"),
        ("x-trino-session", "workspace=demo,cache_ttl=10m,query_max_planning_time=7m"),
    ];
    let sql = "SELECT count(*), 'kept by the gateway' FROM nation";
    let expected = [json!([25, "kept by the gateway"])];
    assert_eq!(rows_of(&client.answers(sql, &session).await), expected);
    assert_eq!(rows_of(&client.answers(sql, &session).await), expected);
    assert_eq!(trino.count_of("kept by the gateway").await, 1);
    let mut quickest = Duration::MAX;
    for _ in 0..20 {
        let begun = Instant::now();
        assert_eq!(rows_of(&client.answers(sql, &session).await), expected);
        quickest = quickest.min(begun.elapsed());
    }
    assert!(quickest < Duration::from_millis(20), "{quickest:?}");
    assert_eq!(trino.count_of("kept by the gateway").await, 1);
    // Catalog, schema, properties and errors are the cluster's.
    let planned = client.answers("SHOW SESSION LIKE 'query_max_planning_time'", &session).await;
    assert_eq!(rows_of(&planned)[0][1], "7m", "{planned:?}");
    assert_eq!(
        client.error("SELECT count(*) FROM nothing", &session).await,
        "TABLE_NOT_FOUND line 1:22: Table 'tpch.tiny.nothing' does not exist"
    );
    let unknown = [("x-trino-session", "workspace=demo,nothing_at_all=1")];
    assert!(client.error("SELECT 1", &unknown).await.starts_with("INVALID_SESSION_PROPERTY"));
    let prepared = [
        session[0],
        session[1],
        ("x-trino-session", "workspace=demo"),
        ("x-trino-prepared-statement", "p=SELECT+n_name+FROM+nation+WHERE+n_nationkey+%3D+%3F"),
    ];
    assert_eq!(rows_of(&client.answers("EXECUTE p USING 0", &prepared).await), [json!(["ALGERIA"])]);
    // DESCRIBE works although the cluster knows no prepared statement of this session.
    assert_eq!(rows_of(&client.answers("DESCRIBE INPUT p", &prepared).await), [json!([0, "bigint"])]);
    let output = json!(["n_name", "tpch", "tiny", "nation", "varchar(25)", 0, false]);
    assert_eq!(rows_of(&client.answers("DESCRIBE OUTPUT p", &prepared).await), [output]);
    let wrong = ("x-trino-prepared-statement", "p=SELECT+n_name%2C+nope+FROM+nation");
    assert_eq!(
        client.error("DESCRIBE OUTPUT p", &[session[0], session[1], prepared[2], wrong]).await,
        "COLUMN_NOT_FOUND line 1:16: Column 'nope' cannot be resolved"
    );
    // A procedure call that names no statement of the workspace goes to the cluster, which this workspace may only
    // read.
    let unknown_id = "CALL system.runtime.kill_query('nothing_like_it')";
    let refused = client.error(unknown_id, &prepared).await;
    assert!(refused.starts_with("PERMISSION_DENIED line 1:1: CALL may not run here"), "{refused}");
}
