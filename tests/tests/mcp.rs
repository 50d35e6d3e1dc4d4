//! The Model Context Protocol: tools and resources over HTTP and over standard input and output, who may see which of
//! them, and calls that end with their clients.

#[path = "mcp/client.rs"]
mod client;
#[path = "mcp/leaving.rs"]
mod leaving;
#[path = "mcp/progress.rs"]
mod progress;

use std::fs;
use std::time::{Duration, Instant};

use client::Client;
use http::Method;
use rowhouse_tests::{SLOW_SQL, Server, SharedServer, id_of};
use serde_json::{Value, json};
use tempfile::TempDir;

static SERVER: SharedServer = SharedServer::new(&["--mcp-query", "true", "--mcp-timeout", "10m"]);
/// A file that was changed a moment ago has no version yet; this much later it has one.
const SETTLED: Duration = Duration::from_millis(60);
/// Maximum time from the end of a client to the end of its statement.
const ENDS_WITHIN: Duration = Duration::from_secs(30);

const ORDERS: &str = "-- Parameter: day date required \"Day of the order\"
-- Parameter: status varchar in ('F', 'O', 'P')
-- Parameter: most integer between 1 and 1000 default 5
-- Order by: o_totalprice
-- Shared: consumers
SELECT o_orderkey, o_orderstatus, o_totalprice, o_orderdate FROM tpch.tiny.orders
WHERE o_orderdate >= :day AND (:status IS NULL OR o_orderstatus = :status)
ORDER BY o_orderkey LIMIT :most";

async fn save(server: &Server, workspace: &str, name: &str, sql: &str) -> Value {
    let body =
        json!({ "workspaceId": workspace, "title": format!("All of {name}"), "sqlName": name, "sql": sql });
    server.post("/api/v1/sql", body).await.ok()
}

/// A workspace with a table, a view and two endpoints, one of them shared; returns the table's folder, too.
async fn scene(server: &Server, name: &str) -> (String, TempDir) {
    let workspace = server.new_workspace(name).await;
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("sales.csv");
    fs::write(&file, "region,name,amount\nEU,alpha,1\nEU,beta,2\nUS,gamma,3\n").expect("a file");
    tokio::time::sleep(SETTLED).await;
    server.new_table(&workspace, "sales", &file).await;
    save(server, &workspace, "orders", ORDERS).await;
    save(server, &workspace, "wide", "SELECT * FROM tpch.tiny.lineitem").await;
    let view = "-- Service API: required(\"region:eq\")\nSELECT region, name, amount FROM sales";
    server.new_view(&workspace, "by_region", view).await;
    (workspace, folder)
}

#[tokio::test]
async fn endpoints_and_views_are_tools() {
    let server = &SERVER.get();
    let (workspace, _folder) = scene(server, "tooled").await;
    let client = Client::new(server, "/mcp/tooled");
    assert_eq!(client.tools().await, ["orders", "query", "read_by_region", "wide"]);

    let listed = client.ask("tools/list", json!({})).await;
    let tool = &listed["result"]["tools"][0];
    assert_eq!(
        (&tool["title"], &tool["annotations"]["readOnlyHint"]),
        (&json!("All of orders"), &json!(true))
    );
    let input = &tool["inputSchema"];
    assert_eq!((&input["required"], &input["additionalProperties"]), (&json!(["day"]), &json!(false)));
    let expected = json!({
        "day": { "type": "string", "format": "date", "x-sql-type": "date", "description": "Day of the order" },
        "status": { "type": "string", "x-sql-type": "varchar", "enum": ["F", "O", "P"] },
        "most": { "type": "integer", "x-sql-type": "integer", "minimum": 1, "maximum": 1000, "default": 5 },
    });
    for (name, schema) in expected.as_object().expect("an object") {
        assert_eq!(&input["properties"][name], schema, "{name}");
    }
    let order = &input["properties"]["orderBy"]["enum"];
    assert_eq!(order, &json!(["o_totalprice:asc", "o_totalprice:desc"]));
    let view = &listed["result"]["tools"][2]["inputSchema"];
    assert_eq!(
        (&view["required"], &view["properties"]["filters"]["minItems"]),
        (&json!(["filters"]), &json!(1))
    );

    // The rows equal those of the same call over REST, and the call has an ordinary record.
    let found = client.rows("orders", json!({ "day": "1998-07-01", "orderBy": "o_totalprice:desc" })).await;
    let path = "/v1/data/tooled/endpoint/orders?day=1998-07-01&orderBy=o_totalprice:desc";
    assert_eq!(found["rows"], server.get(path).await.ok());
    assert_eq!(
        (&found["rowCount"], &found["truncated"], &found["totalRows"]),
        (&json!(5), &json!(false), &json!(5))
    );
    let id = found["queryId"].as_str().expect("the record's id");
    let record = server.get(&format!("/api/v1/query/{id}?workspaceId={workspace}")).await.ok();
    assert_eq!((&record["source"], &record["status"]), (&json!("MCP"), &json!("FINISHED")), "{record}");
    let part =
        json!({ "day": "1998-07-01", "most": 1000, "limit": 2, "offset": 1, "columnNames": ["o_orderkey"] });
    let found = client.rows("orders", part).await;
    let path =
        "/v1/data/tooled/endpoint/orders?day=1998-07-01&most=1000&limit=2&offset=1&columnNames=o_orderkey";
    assert_eq!((&found["rows"], &found["nextOffset"]), (&server.get(path).await.ok(), &json!(3)));

    // The faults of a call are reported in the result, where the model sees them.
    let fault = client.fault("orders", json!({ "status": "X", "regoin": 1 })).await;
    for text in
        ["INVALID_ARGUMENTS: ", "day: it is missing", "status \"X\"", "regoin", "one of 'F', 'O', 'P'"]
    {
        assert!(fault.contains(text), "{text} is not in {fault}");
    }
    let found =
        client.rows("read_by_region", json!({ "filters": ["region:EQ:EU"], "orderBy": "amount:desc" })).await;
    assert_eq!(found["rows"][0], json!({ "region": "EU", "name": "beta", "amount": 2 }));
    let part = json!({ "filters": ["region:EQ:EU"], "limit": 1, "columnNames": ["name"] });
    let found = client.rows("read_by_region", part).await;
    assert_eq!((&found["rows"], &found["nextOffset"]), (&json!([{ "name": "alpha" }]), &json!(1)));
    assert!(client.fault("read_by_region", json!({})).await.contains("region:EQ"));
    assert!(client.fault("read_by_region", json!({ "filter": [] })).await.contains("unknown field `filter`"));
    assert!(
        client
            .fault("read_by_region", json!({ "filters": ["nope:EQ:1"] }))
            .await
            .contains("COLUMN_NOT_FOUND")
    );

    // Free SQL, with the rows as arrays and every digit of a parameter.
    let sql = "SELECT :n AS n, 'x' AS t, 'x' AS t";
    let parameters = json!({ "n": { "type": "decimal(20,2)", "value": "123456789012345678.90" } });
    let result = client.call("query", json!({ "sql": sql, "parameters": parameters })).await;
    assert!(
        result["content"][0]["text"].as_str().is_some_and(|text| text.contains("123456789012345678.90")),
        "{result}"
    );
    assert_eq!(result["structuredContent"]["columns"][2], json!({ "name": "t", "type": "varchar(1)" }));
    assert!(client.fault("query", json!({ "sql": "SELEC 1" })).await.contains("SYNTAX_ERROR: line 1:1"));
    assert!(client.fault("query", json!({})).await.contains("sql"));
    let unknown = client.ask("tools/call", json!({ "name": "nope" })).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test]
async fn answers_are_truncated_and_link_to_the_rest() {
    let server = Server::builder()
        .arguments(["--mcp-max-rows", "50", "--mcp-max-bytes", "4KiB", "--mcp-query", "true"])
        .start();
    let (_, _folder) = scene(&server, "cutting").await;
    for base in ["", "/web"] {
        let client = Client::new(&server, &format!("{base}/mcp/cutting"));
        let result = client.call("wide", json!({})).await;
        let cut = &result["structuredContent"];
        let count = cut["rowCount"].as_u64().expect("a count");
        assert!(cut["truncated"] == true && (5..50).contains(&count) && cut["nextOffset"] == count, "{cut}");
        assert!(cut["rows"].to_string().len() <= 4 << 10);
        let next = client.rows("wide", json!({ "offset": count, "limit": 1 })).await;
        let same = server.get(&format!("/v1/data/cutting/endpoint/wide?limit=1&offset={count}")).await.ok();
        assert_eq!(next["rows"], same);
        // The link needs no token and returns all rows.
        let link = result["content"].as_array().and_then(|content| content.last()).expect("a link");
        assert_eq!((&link["type"], &link["uri"]), (&json!("resource_link"), &cut["resultUrl"]));
        let url = link["uri"].as_str().expect("an address");
        let path = url.strip_prefix(&server.url()).expect("this server's address");
        assert!(path.starts_with(base), "{path}");
        let file = server.request_with(Method::GET, path, [], None).await;
        assert_eq!((file.status, &file.body[..4]), (200, &b"PAR1"[..]));
        assert_eq!(cut["totalRows"], 60_175);
    }
    let client = Client::new(&server, "/mcp/cutting");
    let few = client.rows("wide", json!({ "columnNames": ["l_orderkey"], "limit": 1000 })).await;
    assert_eq!((&few["rowCount"], &few["nextOffset"]), (&json!(50), &json!(50)));
    // A row that is larger than an answer may be.
    let large = json!({ "sql": "SELECT array_join(repeat('0123456789', 10000), '') AS x" });
    let result = client.call("query", large).await;
    let cut = &result["structuredContent"];
    assert_eq!((&cut["rows"], &cut["truncated"], cut.get("nextOffset")), (&json!([]), &json!(true), None));
    assert!(
        result["content"][1]["text"].as_str().is_some_and(|text| text.contains("mcp.max_bytes")),
        "{result}"
    );
}

#[tokio::test]
async fn callers_see_only_the_tools_that_they_may_call() {
    let server = &SERVER.get();
    let (workspace, _folder) = scene(server, "seeing").await;
    let consumer = server.new_member(&workspace, "mcp-consumer", "CONSUMER").await;
    let client = Client::new(server, "/mcp/seeing").with_token(&consumer);
    assert_eq!(client.tools().await, ["orders", "read_by_region"]);
    let found = client.rows("orders", json!({ "day": "1998-07-01" })).await;
    assert_eq!((&found["rowCount"], found.get("resultUrl")), (&json!(5), None));
    for (tool, arguments) in [("wide", json!({})), ("query", json!({ "sql": "SELECT 1" }))] {
        let refused = client.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    assert_eq!(client.ask("resources/list", json!({})).await["result"]["resources"], json!([]));
    let read = client.ask("resources/read", json!({ "uri": "rowhouse://seeing/catalog" })).await;
    assert_eq!(read["error"]["code"], -32002);
    // Without a workspace in the path, the only one is meant; a caller with several must name one.
    let only = Client::new(server, "/mcp").with_token(&consumer);
    assert_eq!(only.tools().await, ["orders", "read_by_region"]);
    server.new_workspace("seeing_other").await;
    let several =
        Client::new(server, "/mcp").send(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await;
    several.error(400, "INVALID_ARGUMENTS", ["which workspace?", "seeing_other"]);
    let (_, stranger) = server.new_account("mcp-stranger").await;
    let none = Client::new(server, "/mcp").with_token(&stranger);
    none.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await.error(
        404,
        "NOT_FOUND",
        ["no workspace"],
    );
    let not_in = Client::new(server, "/mcp/seeing").with_token(&stranger);
    not_in.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await.error(
        401,
        "PERMISSION_DENIED",
        [],
    );
    let nobody = Client::new(server, "/mcp/seeing").with_token("nonsense");
    nobody.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await.error(401, "UNAUTHORIZED", []);
    // Free SQL is off unless the operator enables it.
    let plain = Server::start();
    plain.new_workspace("plain").await;
    let client = Client::new(&plain, "/mcp/plain");
    assert_eq!(client.tools().await, Vec::<String>::new());
    let refused =
        client.ask("tools/call", json!({ "name": "query", "arguments": { "sql": "SELECT 1" } })).await;
    assert_eq!(refused["error"]["code"], -32602);
}

#[tokio::test]
async fn a_narrowed_token_sees_only_the_tools_that_it_names() {
    let server = &SERVER.get();
    let (workspace, _folder) = scene(server, "naming").await;
    let allow = json!([
        { "workspaceId": workspace, "endpoint": "orders", "parameters": { "day": "1998-08-01", "status": "O" } },
        { "workspaceId": workspace, "view": "by_region", "filters": ["region:EQ:EU"] },
    ]);
    let made = server.post("/api/v1/token", json!({ "name": "narrowed", "allow": allow })).await.ok();
    let client = Client::new(server, "/mcp").with_token(made["token"].as_str().expect("a secret"));
    let listed = client.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["orders", "read_by_region"]);
    // Fixed parameters are not in the schema, and filters that the token applies are not required.
    let mut properties: Vec<&String> =
        tools[0]["inputSchema"]["properties"].as_object().expect("some").keys().collect();
    // serde_json keeps the order of members only if another crate of the build enables that, so they are sorted.
    properties.sort();
    assert_eq!(properties, ["columnNames", "limit", "most", "offset", "orderBy"]);
    assert_eq!(
        (tools[0]["inputSchema"].get("required"), tools[1]["inputSchema"].get("required")),
        (None, None)
    );
    let found = client.rows("orders", json!({})).await;
    let path = "/v1/data/naming/endpoint/orders?day=1998-08-01&status=O";
    assert_eq!((&found["rows"], found.get("resultUrl")), (&server.get(path).await.ok(), None));
    assert!(client.fault("orders", json!({ "day": "1992-01-01" })).await.contains("the token fixes it"));
    let found = client.rows("read_by_region", json!({})).await;
    assert_eq!(found["rowCount"], 2);
    assert_eq!(
        client.rows("read_by_region", json!({ "filters": ["region:EQ:US"] })).await["rows"],
        json!([])
    );
    for tool in ["wide", "query", "read_sales"] {
        let refused =
            client.ask("tools/call", json!({ "name": tool, "arguments": { "sql": "SELECT 1" } })).await;
        assert_eq!(refused["error"]["code"], -32602, "{tool}: {refused}");
    }
    assert_eq!(client.ask("resources/list", json!({})).await["result"]["resources"], json!([]));
    let templates = client.ask("resources/templates/list", json!({})).await;
    assert_eq!(templates["result"]["resourceTemplates"], json!([]));
}

#[tokio::test]
async fn the_catalog_is_listed_as_resources() {
    let server = &SERVER.get();
    let (workspace, _folder) = scene(server, "listing").await;
    let client = Client::new(server, "/mcp/listing");
    let listed = client.ask("resources/list", json!({})).await;
    let uris: Vec<&Value> = listed["result"]["resources"]
        .as_array()
        .expect("some")
        .iter()
        .map(|resource| &resource["uri"])
        .collect();
    let table = "rowhouse://listing/table/rowhouse/listing/sales";
    let view = "rowhouse://listing/table/rowhouse/listing/by%5Fregion";
    assert_eq!(uris, [&json!("rowhouse://listing/catalog"), &json!(view), &json!(table)]);
    let read = async |uri: &str| {
        let read = client.ask("resources/read", json!({ "uri": uri })).await;
        let contents = &read["result"]["contents"][0];
        assert_eq!(
            (&contents["uri"], &contents["mimeType"]),
            (&json!(uri), &json!("application/json")),
            "{read}"
        );
        serde_json::from_str::<Value>(contents["text"].as_str().expect("a text")).expect("JSON")
    };
    let described = read(table).await;
    let amount = &described["columns"][2];
    assert_eq!((&amount["name"], &amount["type"]), (&json!("amount"), &json!("bigint")));
    let described = read(view).await;
    assert_eq!(
        (&described["kind"], &described["requiredFilters"]),
        (&json!("MATERIALIZED_VIEW"), &json!(["region:EQ"]))
    );
    assert_eq!(described["rowCount"], 3);
    let described = read("rowhouse://listing/table/tpch/tiny/nation").await;
    assert_eq!((&described["kind"], &described["rowCount"]), (&json!("SAMPLE"), &json!(25)));
    // The resource includes the statistics of the columns, for which a statement runs.
    let key = &described["columns"][0];
    assert_eq!((&key["name"], &key["low"], &key["high"]), (&json!("n_nationkey"), &json!("0"), &json!("24")));
    assert_eq!((&key["distinctValues"], &key["nullsFraction"]), (&json!(25.0), &json!(0.0)));
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1")).await.ok();
    let asked = &list["result"][0];
    assert_eq!(
        (&asked["source"], &asked["sql"]),
        (&json!("MCP"), &json!("SHOW STATS FOR \"tpch\".\"tiny\".\"nation\""))
    );
    let described = read("rowhouse://listing/catalog").await;
    assert!(described["tables"].as_array().is_some_and(|tables| tables.len() > 8), "{described}");
    for uri in
        ["rowhouse://listing/table/rowhouse/listing/nope", "rowhouse://demo/catalog", "file:///etc/passwd"]
    {
        let refused = client.ask("resources/read", json!({ "uri": uri })).await;
        assert_eq!(refused["error"]["code"], -32002, "{uri}: {refused}");
    }
}

#[tokio::test]
async fn messages_follow_the_protocol() {
    let server = &SERVER.get();
    server.new_workspace("speaking").await;
    let path = "/mcp/speaking";
    let client = Client::new(server, path);
    let hello = |version: &str| {
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params })
    };
    for (asked, agreed) in
        [("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25")]
    {
        let answer = client.send(hello(asked)).await;
        assert!(answer.header("mcp-session-id").is_some_and(|id| !id.is_empty()));
        let result = &answer.ok()["result"];
        assert_eq!(
            (&result["protocolVersion"], &result["serverInfo"]["name"]),
            (&json!(agreed), &json!("rowhouse"))
        );
        assert_eq!(result["capabilities"], json!({ "tools": {}, "resources": {} }));
    }
    let accepted = client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    assert_eq!((accepted.status, accepted.body.len()), (202, 0));
    assert_eq!(client.ask("ping", json!({})).await["result"], json!({}));
    let check = async |client: Client<'_>, message: Value, status: u16, code: i64| {
        let answer = client.send(message.clone()).await;
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (status, &json!(code)), "{message}");
    };
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let of = |version: &str| Client::new(server, path).with_header("mcp-protocol-version", version);
    check(of("1999-01-01"), ping.clone(), 400, -32022).await;
    check(of("2025-11-25"), json!([ping]), 400, -32600).await;
    check(of("2025-11-25"), json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/list" }), 200, -32601)
        .await;
    let listed =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "cursor": "nonsense" } });
    check(of("2025-11-25"), listed, 200, -32602).await;
    // Each request stands alone, without a session.
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                       "io.modelcontextprotocol/clientCapabilities": {},
                       "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "1" } });
    let alone =
        |method: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "_meta": meta } });
    let named = |method: &str| of("2026-07-28").with_header("mcp-method", method);
    let found = named("server/discover").send(alone("server/discover")).await.ok();
    assert_eq!(found["result"]["supportedVersions"], json!(["2025-06-18", "2025-11-25", "2026-07-28"]));
    let found = named("tools/list").send(alone("tools/list")).await.ok();
    let result = &found["result"];
    assert_eq!(
        (&result["resultType"], &result["cacheScope"]),
        (&json!("complete"), &json!("private")),
        "{found}"
    );
    check(named("tools/list"), alone("server/discover"), 400, -32020).await;
    check(named("prompts/list"), alone("prompts/list"), 404, -32601).await;
    // There is no stream to listen to, and no session to end.
    for method in [Method::GET, Method::DELETE] {
        let answer = server.request(method, path, Some(server.admin_token()), None).await;
        answer.error(405, "METHOD_NOT_ALLOWED", ["POST"]);
    }
    // A page of another origin may not call.
    let evil = Client::new(server, path).with_header("origin", "http://evil.example");
    evil.send(ping.clone()).await.error(
        403,
        "PERMISSION_DENIED",
        ["http://evil.example", "cors.allowed_origins"],
    );
    let own = Client::new(server, path).with_header("origin", &server.url());
    assert_eq!(own.send(ping).await.status, 200);
}

/// The one record of a workspace, once it has this status.
async fn the_record(server: &Server, workspace: &str, status: &str) -> Value {
    let deadline = Instant::now() + ENDS_WITHIN;
    loop {
        let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await.ok();
        let record = list["result"][0].clone();
        if record["status"] == status {
            return record;
        }
        assert!(Instant::now() < deadline, "{list}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_call_is_canceled_with_its_client() {
    let server = &SERVER.get();
    let slow = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call",
                       "params": { "name": "query", "arguments": { "sql": SLOW_SQL } } });
    // A call is canceled by its own client only.
    let workspace = server.new_workspace("canceling").await;
    let path = "/mcp/canceling";
    let client = Client::new(server, path).with_header("mcp-session-id", "one");
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } });
    let canceled = async {
        the_record(server, &workspace, "RUNNING").await;
        let other = Client::new(server, path).with_header("mcp-session-id", "two");
        assert_eq!(other.send(cancel.clone()).await.status, 202);
        tokio::time::sleep(Duration::from_millis(300)).await;
        the_record(server, &workspace, "RUNNING").await;
        assert_eq!(client.send(cancel.clone()).await.status, 202);
    };
    let (answer, ()) = tokio::join!(client.send(slow.clone()), canceled);
    // As the protocol requires, a canceled call has no answer.
    assert_eq!((answer.status, answer.body.as_ref()), (202, &b""[..]));
    let record = the_record(server, &workspace, "FAILED").await;
    assert_eq!(record["error"]["errorName"], "USER_CANCELED", "{record}");
    // The client disconnects.
    let workspace = server.new_workspace("leaving").await;
    let client = Client::new(server, "/mcp/leaving");
    tokio::select! {
        answer = client.send(slow.clone()) => panic!("{:?}", answer.json()),
        _ = the_record(server, &workspace, "RUNNING") => {}
    }
    let record = the_record(server, &workspace, "FAILED").await;
    assert_eq!(record["error"]["errorName"], "USER_CANCELED", "{record}");
    // The call takes too long.
    let hasty = Server::builder().arguments(["--mcp-query", "true", "--mcp-timeout", "1s"]).start();
    let workspace = hasty.new_workspace("hasty").await;
    let fault = Client::new(&hasty, "/mcp/hasty").fault("query", json!({ "sql": SLOW_SQL })).await;
    assert!(fault.contains("EXCEEDED_TIME_LIMIT") && fault.contains("mcp.timeout"), "{fault}");
    let record = the_record(&hasty, &workspace, "FAILED").await;
    assert_eq!(record["error"]["errorName"], "USER_CANCELED", "{record}");
}

#[tokio::test]
async fn a_long_tool_list_is_paged() {
    let server = &SERVER.get();
    let workspace = server.new_workspace("paging").await;
    for number in 0..120 {
        save(server, &workspace, &format!("e{number:03}"), "SELECT 1 AS one").await;
    }
    let client = Client::new(server, "/mcp/paging");
    let first = client.ask("tools/list", json!({})).await["result"].clone();
    assert_eq!(first["tools"].as_array().map(Vec::len), Some(100));
    let second = client.ask("tools/list", json!({ "cursor": first["nextCursor"] })).await["result"].clone();
    let names: Vec<Value> = [&first, &second]
        .into_iter()
        .flat_map(|page| page["tools"].as_array().expect("tools").iter().map(|tool| tool["name"].clone()))
        .collect();
    let mut expected: Vec<Value> = (0..120).map(|number| json!(format!("e{number:03}"))).collect();
    expected.push(json!("query"));
    assert_eq!((names, second.get("nextCursor")), (expected, None));
    // The id of a record as REST shows it.
    let called = client.rows("e000", json!({})).await;
    assert!(called["queryId"].as_str().is_some_and(|id| !id.is_empty()));
    assert!(!id_of(&the_record(server, &workspace, "FINISHED").await).is_empty());
}
