//! Canner's published Python client, unmodified, and the GraphQL that it sends.

use hyper::Method;
use rowhouse_tests::{Response, SLOW_SQL, Server, data_file, id_of, python, run_script};
use serde_json::{Value, json};

/// Modules that the client and its tests import.
const MODULES: [&str; 5] = ["canner", "fastparquet", "PIL", "faker", "json_lines"];

/// Cases of the client's own tests that only Canner's server can pass: they require words of Trino's parser generator
/// in syntax errors, a line that Canner puts before a statement, and maps.
const NOT_OURS: &str = "mismatched or (error_sql and line) or nested_warning";

async fn save(server: &Server, workspace: &str) {
    let saved =
        json!({"workspaceId": workspace, "title": "six", "description": "", "sql": "SELECT 6 AS six"});
    server.post("/api/v1/sql", saved).await.ok();
}

fn task(server: &Server, base: &str, workspace: &str) -> Value {
    let endpoint = format!("{}{base}", server.url());
    json!({"endpoint": endpoint, "workspaceId": workspace, "token": server.admin_token(), "slow": SLOW_SQL})
}

#[tokio::test(flavor = "multi_thread")]
async fn its_documented_flows_work_under_both_base_paths() {
    if python(&MODULES).is_none() {
        return;
    }
    let server = Server::start();
    let workspace = server.demo().await;
    save(&server, &workspace).await;
    for base in ["", "/web"] {
        let interpreter = python(&MODULES).expect("it was there");
        let printed =
            run_script(interpreter, "canner_flows.py", &[], &task(&server, base, &workspace).to_string());
        let mut shown: Value = serde_json::from_str(&printed).expect("JSON");
        let names = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"];
        let mut rows = vec![json!(["r_regionkey", "r_name"])];
        rows.extend(names.iter().enumerate().map(|(key, name)| json!([key, name])));
        let expected = json!({
            "rows": rows,
            "row_count": 5,
            "slice": ["AMERICA", "ASIA"],
            "df": names,
            "np": ["3", "EUROPE"],
            "iterated": names,
            "types": ["True", "1", "9007199254740993", "1.5", "é", "2024-02-29 00:00:00", "2024-02-29 12:34:56.789000"],
            "pages": [5000, 5001],
            "saved": ["six"],
            "saved rows": [[6]],
            "error": ["SQL_SYNTAX_FAILED", "line 1:1:"],
            "canceled": ["FAILED", "USER_CANCELED"],
        });
        assert_eq!(shown.take(), expected, "{base}");
    }
    // The statements have ordinary records.
    let list = server.get(&format!("/api/v1/queries?workspaceId={workspace}&limit=1")).await.ok();
    assert_eq!(
        (&list["result"][0]["source"], &list["result"][0]["status"]),
        (&json!("NOTEBOOK"), &json!("FAILED"))
    );
}

/// The cases of the client's test files that use a token.
#[tokio::test(flavor = "multi_thread")]
async fn its_own_tests_pass_under_both_base_paths() {
    if python(&MODULES).is_none() {
        return;
    }
    let server = Server::start();
    // Each has a workspace of its own, because a statement that the cache answers has no statement id.
    let workspace = server.demo().await;
    let other = server.post("/api/v1/workspace", json!({"title": "w", "sqlName": "w"})).await.ok();
    let other = id_of(&other);
    save(&server, &workspace).await;
    save(&server, &other).await;
    let cache = std::env::var_os("XDG_CACHE_HOME").map_or_else(
        || std::path::PathBuf::from(std::env::var_os("HOME").expect("a home")).join(".cache"),
        Into::into,
    );
    let cache = cache.join("rowhouse/canner").to_str().expect("UTF-8").to_owned();
    let run = |base: &'static str, workspace: &str| {
        let (task, cache) = (task(&server, base, workspace).to_string(), cache.clone());
        tokio::task::spawn_blocking(move || {
            let wanted = format!("(canner_client1 or has_permission and success) and not ({NOT_OURS})");
            // This test file imports what the client no longer has.
            let arguments = [&cache, "-k", &wanted, "--ignore", "tests/test_parquet.py"];
            run_script(python(&MODULES).expect("it was there"), "canner_tests.py", &arguments, &task)
        })
    };
    let (plain, web) = tokio::join!(run("", &workspace), run("/web", &other));
    for printed in [plain.expect("it ran"), web.expect("it ran")] {
        assert!(printed.contains("39 passed") && !printed.contains("failed"), "{printed}");
    }
}

/// The client's files: through links, within the quota, and as tables.
#[tokio::test(flavor = "multi_thread")]
async fn files_are_uploaded_and_downloaded_by_links_and_can_be_tables() {
    let server = Server::builder().arguments(["--files-quota", "4096"]).start();
    let workspace = server.demo().await;
    let link = async |kind: &str, path: &str| {
        let asked = format!("/web/api/{kind}SignedUrl?workspaceId={workspace}&objectName={path}");
        let asked = server.get(&asked).await.ok();
        let url = asked["signedUrl"].as_str().expect("a link").to_owned();
        url.strip_prefix(&format!("{}/web", server.url())).expect("an absolute address").to_owned()
    };
    let put = async |path: &str, body: &str| {
        server.request_with(Method::PUT, &link("put", path).await, [], Some(body.to_owned())).await
    };
    let rows = "day,price\n2024-02-29,1.5\n";
    put("sales/2024%20é.csv", rows).await.ok();
    let got = server.request_with(Method::GET, &link("get", "sales/2024%20é.csv").await, [], None).await;
    assert_eq!(String::from_utf8_lossy(&got.body), rows);
    let headers =
        ["content-type", "content-disposition", "x-content-type-options"].map(|name| got.header(name));
    assert_eq!(headers, [Some("application/octet-stream"), Some("attachment"), Some("nosniff")]);
    let absent = format!("/api/getSignedUrl?workspaceId={workspace}&objectName=sales");
    server.get(&absent).await.error(404, "NOT_FOUND", ["no file 'sales'"]);
    for bad in ["../x", "a//b", "", "%00"] {
        let refused =
            server.get(&format!("/api/putSignedUrl?workspaceId={workspace}&objectName={bad}")).await;
        refused.error(400, "INVALID_ARGUMENTS", []);
    }
    put("large", &"x".repeat(4097)).await.error(400, "INVALID_ARGUMENTS", ["may have 4096"]);
    put("sales", "").await.error(400, "INVALID_ARGUMENTS", ["a folder is in its place"]);

    // A link is valid only as it was signed.
    let read = link("get", "sales/2024%20é.csv").await;
    for (from, to) in [("2024", "2025"), ("expires=", "expires=9"), ("signature=", "signature=00")] {
        let changed = read.replacen(from, to, 1);
        let refused = server.request_with(Method::GET, &changed, [], None).await;
        refused.error(401, "UNAUTHORIZED", ["signature"]);
    }
    let written = server.request_with(Method::PUT, &read, [], Some("x".to_owned())).await;
    written.error(401, "UNAUTHORIZED", ["signature"]);
    are_tables(&server, &workspace).await;
    put("sales/more.csv", "day,price\n2024-03-01,2\n").await.ok();
    assert_eq!(server.rows(&workspace, "SELECT count(*) FROM sales").await, json!([[2]]));
    // Errors show the location, and not where the server has its files.
    put("sales/more.csv", "day,price\n2024-03-01,\"2\n").await.ok();
    let message = server.run(&workspace, "SELECT count(price) FROM sales").await["error"]["message"].clone();
    let message = message.as_str().expect("a message").to_owned();
    assert!(message.starts_with("cannot read CSV file files:/sales: a field in quotes"), "{message}");
    put("sales/more.csv", "day,price\n2024-03-01,2\n").await.ok();
    let place = format!("where: {{workspaceId: \"{workspace}\"");
    let delete = format!(
        "mutation {{ deleteFiles({place}, absolutePaths: [\"sales/more.csv\", \"none\"]}}) {{ name }} }}"
    );
    let deleted = ask(&server, server.admin_token(), json!({"query": delete})).await.ok();
    assert_eq!(deleted["data"]["deleteFiles"], json!([{"name": "more.csv"}]));
    let list = format!("{{ files({place}}}) {{ absolutePath isFolder children {{ name size }} }} }}");
    let listed = ask(&server, server.admin_token(), json!({"query": list})).await.ok();
    let children = json!([{"name": "2024 é.csv", "size": rows.len()}]);
    assert_eq!(
        listed["data"]["files"],
        json!([{"absolutePath": "sales", "isFolder": true, "children": children}])
    );
}

/// Regression: the path of the data directory was in errors of files that a member may read.
#[tokio::test]
async fn errors_show_locations_instead_of_paths() {
    let server = Server::start();
    let workspace = server.demo().await;
    let folder = server.data_dir().join("files").join(&workspace).join("d");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("p.parquet");
    std::fs::copy(data_file("people.parquet"), &file).expect("a file");
    let table = json!({"workspaceId": workspace, "name": "people", "location": "files:/d/p.parquet"});
    server.post("/api/v1/table", table.clone()).await.ok();
    std::fs::write(&file, "this is no Parquet file").expect("a file");
    let error = server.run(&workspace, "SELECT * FROM people").await["error"].clone();
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains("cannot read Parquet file files:/d/p.parquet: "), "{error}");
    let mut texts = vec![error.to_string()];
    for path in ["tables", "catalog", "catalog?schema=demo&table=people"] {
        let and = if path.contains('?') { '&' } else { '?' };
        let answer = server.get(&format!("/api/v1/{path}{and}workspaceId={workspace}")).await;
        texts.push(String::from_utf8_lossy(&answer.body).into_owned());
    }
    let again = json!({"workspaceId": workspace, "name": "again", "location": "files:/d/p.parquet"});
    let refused = server.post("/api/v1/table", again).await;
    texts.push(String::from_utf8_lossy(&refused.body).into_owned());
    let files = server.data_dir().join("files").display().to_string();
    for text in texts {
        assert!(!text.contains(&files), "{text}");
    }
}

/// An owner can create tables of uploaded files, but not of other files; a member who is not an owner can do neither.
async fn are_tables(server: &Server, workspace: &str) {
    let (account, token) = server.new_account("olga").await;
    let role = async |role: &str| {
        let body = json!({"workspaceId": workspace, "accountId": account, "role": role});
        server.put(&format!("/api/v1/workspace/{workspace}/member"), body).await.ok();
    };
    let create = async |name: &str, location: &str| {
        let table = json!({"workspaceId": workspace, "name": name, "location": location, "format": "csv"});
        server.request(Method::POST, "/api/v1/table", Some(&token), Some(table.to_string())).await
    };
    let remove = format!("/api/v1/table/sales?workspaceId={workspace}");
    role("ANALYST").await;
    create("sales", "files:/sales/*.csv").await.error(401, "PERMISSION_DENIED", []);
    role("OWNER").await;
    create("other", "/etc/passwd").await.error(401, "PERMISSION_DENIED", ["admin"]);
    for location in ["files:/../../rowhouse.db", "files:/sales/../../x", "files:/none.csv"] {
        create("other", location).await.error(400, "INVALID_ARGUMENTS", []);
    }
    assert_eq!(create("sales", "files:/sales/*.csv").await.ok()["location"], "files:/sales/*.csv");
    server.request(Method::DELETE, &remove, Some(&token), None).await.ok();
    create("sales", "files:/sales").await.ok();
    role("ANALYST").await;
    server.request(Method::DELETE, &remove, Some(&token), None).await.error(401, "PERMISSION_DENIED", []);
    assert_eq!(server.rows(workspace, "SELECT price * 2 FROM sales").await, json!([[3.0]]));
}

async fn ask(server: &Server, token: &str, body: Value) -> Response {
    let authorization = format!("Token {token}");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    server.request_with(Method::POST, "/graphql", headers, Some(body.to_string())).await
}

async fn refusal(server: &Server, token: &str, query: &str, variables: Value) -> String {
    let answer = ask(server, token, json!({"query": query, "variables": variables})).await.ok();
    assert_eq!(answer["data"], Value::Null, "{answer}");
    let error = &answer["errors"][0];
    let (code, message) = (&error["extensions"]["code"], &error["message"]);
    format!("{} {}", code.as_str().expect("a code"), message.as_str().expect("a message"))
}

#[tokio::test(flavor = "multi_thread")]
async fn unsupported_requests_are_graphql_errors() {
    let server = Server::start();
    let (token, workspace) = (server.admin_token(), server.demo().await);
    let check = async |query: &str, variables: Value, expected: &str| {
        let refused = refusal(&server, token, query, variables).await;
        assert!(refused.starts_with(expected), "{query}: {refused}");
    };
    check("query {", json!({}), "GRAPHQL_PARSE_FAILED query parse error: Parse error at 1:").await;
    check("{ users { id } }", json!({}), "GRAPHQL_VALIDATION_FAILED Cannot answer query \"users\"").await;
    check("{ createSqlQuery { id } }", json!({}), "GRAPHQL_VALIDATION_FAILED Cannot answer query").await;
    check("{ sqlQuery { id } }", json!({}), "GRAPHQL_VALIDATION_FAILED field sqlQuery: argument where").await;
    check("{ sqlQuery(where: {id: \"x\"}) { id } }", json!({}), "NOT_FOUND Query not found").await;
    check("{ sqls(where: {workspaceId: \"x\"}) { id } }", json!({}), "NOT_FOUND").await;
    // A short document neither multiplies the value of a variable nor what an object has.
    let copies = format!("query($v: T) {{ users(a: [{}]) {{ id }} }}", "$v ".repeat(4000));
    let long = json!({"v": "x".repeat(1_000_000)});
    check(&copies, long.clone(), "GRAPHQL_VALIDATION_FAILED Cannot answer query \"users\"").await;
    let copies = copies.replace("users", "sqls");
    check(&copies, long, "GRAPHQL_VALIDATION_FAILED variables: the copies of $v").await;
    let aliases: String = (0..1000).map(|number| format!("a{number}: sql ")).collect();
    for object in ["sqlQuery(where: {id: \"x\"})", "sqls(where: {workspaceId: \"x\"})"] {
        check(
            &format!("{{ {object} {{ {aliases} }} }}"),
            json!({}),
            "GRAPHQL_VALIDATION_FAILED field sql of",
        )
        .await;
    }
    let children = "a: children { name } b: children { name }";
    let files = format!("{{ files(where: {{workspaceId: \"x\"}}) {{ {children} }} }}");
    check(&files, json!({}), "GRAPHQL_VALIDATION_FAILED field children of File").await;
    let create = "mutation c($sql: String!) { createSqlQuery(data: {sql: $sql}, where: {workspaceId: \"W\"}) { id F } }";
    let create = create.replace('W', &workspace);
    // A statement whose result cannot be shown is not run.
    let before =
        server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await.ok()["totalCount"].clone();
    check(&create.replace('F', "what"), json!({"sql": "SELECT 1"}), "GRAPHQL_VALIDATION_FAILED Cannot query")
        .await;
    check(&create.replace('F', ""), json!({}), "GRAPHQL_VALIDATION_FAILED variables: $sql").await;
    let after =
        server.get(&format!("/api/v1/queries?workspaceId={workspace}")).await.ok()["totalCount"].clone();
    assert_eq!(before, after);
    // Invalid requests.
    ask(&server, "wrong", json!({"query": "{ a }"})).await.error(401, "UNAUTHORIZED", []);
    ask(&server, token, json!({})).await.error(400, "INVALID_ARGUMENTS", ["query"]);
    ask(&server, token, json!({"query": "{ a }", "variables": 1})).await.error(
        400,
        "INVALID_ARGUMENTS",
        ["variables"],
    );

    // A consumer, and an account that is not a member, sees nothing and cancels nothing.
    let answer =
        ask(&server, token, json!({"query": create.replace('F', "status"), "variables": {"sql": SLOW_SQL}}));
    let id = id_of(&answer.await.ok()["data"]["createSqlQuery"]);
    let record = format!("{{ sqlQuery(where: {{id: \"{id}\"}}) {{ status statementId }} }}");
    let (_, stranger) = server.new_account("stranger").await;
    assert_eq!(refusal(&server, &stranger, &record, json!({})).await, "NOT_FOUND Query not found");
    let mine = ask(&server, token, json!({"query": record})).await.ok()["data"]["sqlQuery"].clone();
    let statement = mine["statementId"].as_str().expect("a statement").to_owned();
    let delete = format!("mutation {{ deleteStatement(where: {{id: \"{statement}\"}}) {{ id }} }}");
    ask(&server, &stranger, json!({"query": delete})).await.ok();
    let status = || async {
        ask(&server, token, json!({"query": record})).await.ok()["data"]["sqlQuery"]["status"].clone()
    };
    assert_ne!(status().await, "FAILED");
    let deleted = ask(&server, token, json!({"query": delete})).await.ok();
    assert_eq!(deleted["data"]["deleteStatement"]["id"], statement.as_str());
    assert_eq!(status().await, "FAILED");
}
