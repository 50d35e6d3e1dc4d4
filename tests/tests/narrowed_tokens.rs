//! A narrowed token opens the endpoints and views that it names, with the values that it fixes, and nothing else:
//! random attempts on every interface, none of which may return a row outside its grant.

#[path = "narrowed_tokens/mcp.rs"]
mod mcp;

use std::time::Duration;

use hyper::Method;
use rowhouse_tests::{Response, Server, id_of};
use serde_json::{Value, json};
use tempfile::TempDir;

const ATTEMPTS: usize = 2_000;
/// A file that was changed a moment ago has no version yet; this much later it has one.
const SETTLED: Duration = Duration::from_millis(60);
/// A text in every row that the token must not read.
const SECRET: &str = "SECRET";

/// A random number generator whose numbers are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// A workspace with rows of two regions, in a table, an endpoint and a view.
struct Scene {
    server: Server,
    workspace: String,
    view: String,
    saved: String,
    query: String,
    _folder: TempDir,
}

async fn scene() -> Scene {
    let server = Server::start();
    let workspace = server.new_workspace("narrow").await;
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("sales.csv");
    std::fs::write(&file, "region,name\nEU,alpha\nEU,beta\nUS,SECRET-one\nUS,SECRET-two\n").expect("a file");
    tokio::time::sleep(SETTLED).await;
    server.new_table(&workspace, "sales", &file).await;
    let endpoint = "-- Parameter: region varchar\n-- Parameter: names array(varchar)\n-- Cache: 60s\n-- Order by: name\n\
                    SELECT region, name FROM sales WHERE (:region IS NULL OR region = :region) \
                    AND (:names IS NULL OR contains(:names, name))";
    let save = async |name: &str, sql: &str| {
        let body = json!({ "workspaceId": workspace, "title": name, "sqlName": name, "sql": sql });
        id_of(&server.post("/api/v1/sql", body).await.ok())
    };
    let saved = save("sales", endpoint).await;
    save("all", "SELECT region, name FROM sales").await;
    let view = server.new_view(&workspace, "sales_view", "SELECT region, name FROM sales").await;
    server.new_view(&workspace, "other_view", "SELECT region, name FROM sales").await;
    let query = id_of(&server.run(&workspace, "SELECT region, name FROM sales").await);
    Scene { server, workspace, view, saved, query, _folder: folder }
}

impl Scene {
    fn allow(&self) -> Value {
        json!([
            { "workspaceId": self.workspace, "endpoint": "sales", "parameters": { "region": "EU" } },
            { "workspaceId": self.workspace, "view": "sales_view", "filters": ["region:EQ:EU"] },
        ])
    }

    async fn token(&self, allow: Value) -> String {
        let made =
            self.server.post("/api/v1/token", json!({ "name": "narrowed", "allow": allow })).await.ok();
        made["token"].as_str().expect("a secret").to_owned()
    }

    /// One attempt: a method, a path and a body.
    fn attempt(&self, random: &mut Random) -> (Method, String, Option<String>) {
        let Self { workspace, view, saved, query, .. } = self;
        let base = random.one(&["", "/web"]);
        match random.below(8) {
            0..=3 => return self.data_attempt(random, base),
            4 => return mcp::attempt(random, base),
            _ => {}
        }
        let body = |value: Value| Some(value.to_string());
        let scoped = |path: String| format!("{path}?workspaceId={workspace}");
        let sql = "SELECT region, name FROM sales";
        let (method, path, body) = match random.below(22) {
            0 => (
                Method::POST,
                "/api/v1/query".to_owned(),
                body(json!({ "workspaceId": workspace, "sql": sql, "wait": 5, "rows": 9 })),
            ),
            1 => (Method::GET, scoped(format!("/api/v1/query/{query}")), None),
            2 => (Method::GET, scoped(format!("/api/v1/query/{query}/result")), None),
            3 => (Method::GET, scoped(format!("/api/v1/query/{query}/result/signedUrls")), None),
            4 => (Method::GET, scoped("/api/v1/queries".to_owned()), None),
            5 => (Method::GET, scoped("/api/v1/sqls".to_owned()), None),
            6 => (
                Method::POST,
                format!("/api/v1/sql/{saved}"),
                body(json!({ "workspaceId": workspace, "wait": 5, "rows": 9 })),
            ),
            7 => (
                Method::PUT,
                format!("/api/v1/sql/{saved}"),
                body(json!({ "workspaceId": workspace, "sql": sql })),
            ),
            8 => (
                Method::POST,
                "/api/v1/sql".to_owned(),
                body(json!({ "workspaceId": workspace, "title": "t", "sqlName": "mine", "sql": sql })),
            ),
            9 => (Method::GET, scoped(format!("/api/v1/materializedView/{view}")), None),
            10 => (
                Method::POST,
                "/api/v1/materializedView".to_owned(),
                body(json!({ "workspaceId": workspace, "sqlName": "mine", "sql": sql })),
            ),
            11 => (Method::DELETE, scoped(format!("/api/v1/materializedView/{view}")), None),
            12 => (Method::POST, "/api/v1/token".to_owned(), body(json!({ "name": "whole" }))),
            13 => (
                Method::POST,
                "/api/v1/token".to_owned(),
                body(json!({ "name": "wider", "allow": [{ "workspaceId": workspace, "endpoint": "all" }] })),
            ),
            14 => (
                Method::GET,
                random
                    .one(&[
                        "/api/v1/tokens",
                        "/api/v1/accounts",
                        "/api/v1/workspaces",
                        "/api/v1/service/SQL_ENGINE",
                    ])
                    .to_owned(),
                None,
            ),
            15 => (Method::PUT, "/api/v1/service/SQL_ENGINE".to_owned(), body(json!({ "state": false }))),
            16 => (
                Method::GET,
                scoped(
                    random
                        .one(&[
                            "/api/v1/tables",
                            "/api/v1/catalog",
                            "/api/v1/materializedViews",
                            "/api/putSignedUrl",
                        ])
                        .to_owned(),
                ),
                None,
            ),
            17 => (
                Method::POST,
                "/v1/statement".to_owned(),
                Some(format!("SELECT region, name FROM narrow.{}", random.one(&["sales", "sales_view"]))),
            ),
            18 => {
                (Method::GET, random.one(&["/v1/statement", "/v1/data/narrow/openapi.json"]).to_owned(), None)
            }
            19 => (Method::GET, format!("/v1/query/{query}"), None),
            20 => {
                let text = format!(
                    "mutation {{ createSqlQuery(data: {{ sql: \"{sql}\" }}, where: {{ workspaceId: \"{workspace}\" }}) {{ id }} }}"
                );
                (Method::POST, "/graphql".to_owned(), body(json!({ "query": text })))
            }
            _ => (
                Method::POST,
                "/graphql".to_owned(),
                body(
                    json!({ "query": format!("{{ sqls(where: {{ workspaceId: \"{workspace}\" }}) {{ id sql }} }}") }),
                ),
            ),
        };
        (method, format!("{base}{path}"), body)
    }

    /// Reads of endpoints and views, with whatever a caller may add.
    fn data_attempt(&self, random: &mut Random, base: &str) -> (Method, String, Option<String>) {
        let suffix = random.one(&["", ".json", ".csv", ".ndjson", ".arrow", ".parquet", ".JSON", "%2e", "/"]);
        let target = match random.below(3) {
            0 => format!(
                "endpoint/{}{suffix}",
                random.one(&["sales", "sales", "sales", "all", "Sales", "sales_view"])
            ),
            1 => format!(
                "endpoint/{}",
                random.one(&["sales", "%73ales", "all", "..%2fmaterializedView%2fother_view"])
            ),
            _ => format!(
                "materializedView/{}",
                random.one(&["sales_view", "sales_view", "other_view", "sales", "all"])
            ),
        };
        let mut parts = Vec::new();
        for _ in 0..random.below(4) {
            parts.push(random.one(&[
                "region=US",
                "region=EU",
                "Region=US",
                "region=",
                "%72egion=US",
                "region=EU&region=US",
                "region=null",
                "names=SECRET-one",
                "names=alpha",
                "filters=region:EQ:US",
                "filters=region:NEQ:EU",
                "filters=region:IS_NOT:null",
                "filters=name:LIKE:SECRET%25",
                "filters=name:IN:SECRET-one,alpha",
                "filters=region:IN:US,EU",
                "columnNames=name",
                "columnNames=name,region",
                "orderBy=name:desc",
                "orderBy=region:desc",
                "limit=1",
                "limit=9",
                "offset=1",
                "offset=2",
                "count=exact",
                "format=csv",
                "format=json",
                "shape=arrays",
                "wait=0",
                "workspaceId=narrow",
                "allow=[]",
                "parameters=%7B%22region%22%3A%22US%22%7D",
            ]));
        }
        let query = if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) };
        let path = format!(
            "{base}/v1/data/{}/{target}{query}",
            random.one(&["narrow", "narrow", "narrow", "demo", "%6earrow"])
        );
        let bodies = [
            json!({}),
            json!({ "region": "US" }),
            json!({ "region": null }),
            json!({ "region": { "type": "varchar", "value": "US" } }),
            json!({ "names": ["SECRET-one", "SECRET-two"] }),
            json!({ "parameters": { "region": "US" } }),
            json!({ "Region": "US" }),
        ];
        match random.below(3) {
            0 => (Method::POST, path, Some(bodies[random.below(bodies.len())].to_string())),
            _ => (Method::GET, path, None),
        }
    }
}

async fn send(
    server: &Server,
    token: &str,
    (method, path, body): &(Method, String, Option<String>),
    form: usize,
) -> Response {
    let authorization = match form {
        0 => format!("Bearer {token}"),
        _ => format!("Token {token}"),
    };
    let extra = format!("token={token}");
    let headers = [
        ("authorization", authorization.as_str()),
        ("x-trino-user", "admin"),
        ("x-trino-extra-credential", &extra),
    ];
    // Trino's drivers send no other credential without TLS.
    let from = usize::from(form == 2 && path.contains("/v1/statement"));
    server.request_with(method.clone(), path, headers.into_iter().skip(from), body.clone()).await
}

fn is_own_read(path: &str) -> bool {
    let path = path.strip_prefix("/web").unwrap_or(path);
    let path = path.split('?').next().unwrap_or_default().replace("%6e", "n").replace("%73", "s");
    path == "/v1/data/narrow/materializedView/sales_view"
        || path
            .strip_prefix("/v1/data/narrow/endpoint/sales")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[tokio::test]
async fn two_thousand_attempts_with_a_narrowed_token_return_no_secret_row() {
    let scene = scene().await;
    let server = &scene.server;
    let token = scene.token(scene.allow()).await;
    // What the token permits.
    let rows = json!([{ "region": "EU", "name": "alpha" }, { "region": "EU", "name": "beta" }]);
    for path in ["endpoint/sales?orderBy=name", "materializedView/sales_view?orderBy=name"] {
        for base in ["", "/web"] {
            let found = server.get_as(&token, &format!("{base}/v1/data/narrow/{path}")).await;
            assert_eq!(found.ok(), rows, "{path}");
        }
    }
    let mut random = Random(7);
    let (mut answered, mut refused, mut called) = (0, 0, 0);
    for number in 0..ATTEMPTS {
        let attempt = scene.attempt(&mut random);
        let answer = send(server, &token, &attempt, random.below(3)).await;
        let text = String::from_utf8_lossy(&answer.body);
        if attempt.1.contains("/mcp") && answer.status == 200 {
            match mcp::has_own_rows(&text, number, &attempt) {
                true => called += 1,
                false => refused += 1,
            }
            continue;
        }
        // Refusals may repeat values of the attempt.
        let is_read = is_own_read(&attempt.1);
        match answer.status {
            200 => {
                assert!(is_read, "{number}: {attempt:?} is answered: {text}");
                assert!(!text.contains(SECRET), "{number}: {attempt:?} brings {text}");
                let total = answer.header("x-total-count").and_then(|total| total.parse::<u64>().ok());
                assert!(total.is_none_or(|total| total <= 2), "{number}: {attempt:?} counts {total:?}");
                answered += 1;
            }
            202 => assert!(is_read, "{number}: {attempt:?}"),
            400 | 401 | 404 | 405 => refused += 1,
            other => panic!("{number}: {attempt:?} is {other}: {text}"),
        }
    }
    assert!(
        answered > 100 && refused > 1000 && called > 10,
        "{answered} answered, {refused} refused, {called} calls of tools: the attempts say nothing"
    );
    // With a token that is not narrowed, the same attempts do return secret rows: they are meaningful.
    let mut random = Random(7);
    let mut found = 0;
    for _ in 0..300 {
        let attempt = scene.attempt(&mut random);
        let form = random.below(3);
        if attempt.0 == Method::GET || attempt.1.contains("/v1/data/") || attempt.1.contains("/mcp") {
            let answer = send(server, server.admin_token(), &attempt, form).await;
            found +=
                usize::from(answer.status == 200 && String::from_utf8_lossy(&answer.body).contains(SECRET));
        }
    }
    assert!(found > 10, "only {found} of the attempts mean anything");
    // Nothing was created or changed.
    let tokens = server.get("/api/v1/tokens").await.ok();
    assert!(tokens.as_array().is_some_and(|tokens| {
        tokens.iter().all(|token| token["name"] != "whole" && token["name"] != "wider")
    }));
    assert_ne!(server.get("/api/v1/service/SQL_ENGINE").await.ok()["status"], "DISABLED");
}

#[tokio::test]
async fn grants_are_validated_bound_to_their_objects_and_persistent() {
    let scene = scene().await;
    let server = &scene.server;
    let refused = async |allow: Value, status: u16, code: &str, text: &str| {
        let answer = server.post("/api/v1/token", json!({ "name": "n", "allow": allow })).await;
        answer.error(status, code, [text]);
    };
    let workspace = &scene.workspace;
    refused(json!([]), 400, "INVALID_ARGUMENTS", "1 to 50 elements").await;
    refused(json!({}), 400, "INVALID_ARGUMENTS", "allow").await;
    refused(json!([{ "workspaceId": workspace }]), 400, "INVALID_ARGUMENTS", "names an endpoint").await;
    refused(
        json!([{ "workspaceId": workspace, "endpoint": "sales", "view": "sales_view" }]),
        400,
        "INVALID_ARGUMENTS",
        "names an endpoint",
    )
    .await;
    refused(
        json!([{ "workspaceId": workspace, "endpoint": "sales", "filters": ["region:EQ:EU"] }]),
        400,
        "INVALID_ARGUMENTS",
        "names an endpoint",
    )
    .await;
    refused(
        json!([{ "workspaceId": workspace, "endpoint": "sales", "params": {} }]),
        400,
        "INVALID_ARGUMENTS",
        "params",
    )
    .await;
    refused(json!([{ "workspaceId": workspace, "endpoint": "nope" }]), 404, "NOT_FOUND", "nope").await;
    refused(json!([{ "workspaceId": "nope", "endpoint": "sales" }]), 404, "NOT_FOUND", "nope").await;
    refused(
        json!([{ "workspaceId": workspace, "endpoint": "sales", "parameters": { "regoin": "EU" } }]),
        400,
        "INVALID_ARGUMENTS",
        "regoin",
    )
    .await;
    refused(
        json!([{ "workspaceId": workspace, "endpoint": "sales", "parameters": { "region": 7 } }]),
        400,
        "INVALID_ARGUMENTS",
        "region",
    )
    .await;
    refused(
        json!([{ "workspaceId": workspace, "view": "sales_view", "filters": ["nope:EQ:1"] }]),
        400,
        "INVALID_ARGUMENTS",
        "nope",
    )
    .await;

    let token = scene.token(scene.allow()).await;
    let listed = server.get("/api/v1/tokens").await.ok();
    let listed = listed
        .as_array()
        .and_then(|tokens| tokens.iter().find(|token| token["name"] == "narrowed"))
        .expect("listed");
    assert_eq!(listed["allow"], scene.allow());
    server.get_as(&token, "/v1/data/narrow/endpoint/sales?region=EU").await.error(
        400,
        "INVALID_ARGUMENTS",
        ["the token fixes it"],
    );
    server.get_as(&token, "/v1/data/narrow/endpoint/all").await.error(404, "NOT_FOUND", ["all"]);
    server.get_as(&token, "/api/v1/workspaces").await.error(401, "PERMISSION_DENIED", ["narrowed"]);
    // A different object of the same name is not what the token was created for.
    let address = format!("/api/v1/sql/{}", scene.saved);
    let text = json!({ "workspaceId": workspace, "sql": "-- Parameter: other varchar\nSELECT region, name FROM sales WHERE :other IS NULL" });
    server.put(&address, text).await.ok();
    let gone = server.get_as(&token, "/v1/data/narrow/endpoint/sales").await;
    gone.error(400, "INVALID_ARGUMENTS", ["the token fixes", "any more"]);
    assert!(!String::from_utf8_lossy(&gone.body).contains("EU"), "the value that is fixed is told to nobody");
    server.delete(&format!("{address}?workspaceId={workspace}")).await;
    let body = json!({ "workspaceId": workspace, "title": "t", "sqlName": "sales", "sql": "SELECT region, name FROM sales" });
    server.post("/api/v1/sql", body).await.ok();
    server.get_as(&token, "/v1/data/narrow/endpoint/sales").await.error(404, "NOT_FOUND", []);
    assert_eq!(
        server
            .get_as(&token, "/v1/data/narrow/materializedView/sales_view")
            .await
            .ok()
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    server.delete(&format!("/api/v1/materializedView/{}?workspaceId={workspace}", scene.view)).await;
    server.new_view(workspace, "sales_view", "SELECT region, name FROM sales").await;
    server.get_as(&token, "/v1/data/narrow/materializedView/sales_view").await.error(404, "NOT_FOUND", []);
}

#[tokio::test]
async fn a_narrowed_token_is_narrow_after_a_restart() {
    let folder = TempDir::new().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::builder().data_dir(&data_dir).start();
    let workspace = server.new_workspace("narrow").await;
    let sql = "-- Parameter: n bigint default 1\nSELECT :n AS x";
    let body = json!({ "workspaceId": workspace, "title": "t", "sqlName": "one", "sql": sql });
    server.post("/api/v1/sql", body).await.ok();
    let allow = json!([{ "workspaceId": workspace, "endpoint": "one", "parameters": { "n": 7 } }]);
    let made = server.post("/api/v1/token", json!({ "name": "n", "allow": allow })).await.ok();
    let token = made["token"].as_str().expect("a secret").to_owned();
    server.kill();
    let server = Server::builder().data_dir(&data_dir).start();
    assert_eq!(server.get_as(&token, "/v1/data/narrow/endpoint/one").await.ok(), json!([{ "x": 7 }]));
    server.get_as(&token, "/api/v1/workspaces").await.error(401, "PERMISSION_DENIED", []);
    server.get_as(&token, "/v1/data/narrow/endpoint/one?n=8").await.error(
        400,
        "INVALID_ARGUMENTS",
        ["the token fixes it"],
    );
}
