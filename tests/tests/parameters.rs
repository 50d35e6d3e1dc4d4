//! Invalid requests: numbers of a wrong form (D7), repeated or empty parameters, bodies of a wrong form (D2), and texts
//! over their limits (D27). Each fault is 400 and its message names the parameter or field.

use std::sync::Arc;

use hyper::Method;
use rowhouse_tests::{Response, Server, SharedServer, id_of};
use serde_json::{Value, json};
use tokio::sync::Mutex;

static SERVER: SharedServer = SharedServer::new(&[]);

/// One test at a time creates the objects that all tests of this file use.
static FIXTURE: Mutex<()> = Mutex::const_new(());

/// The server with a query, a saved SQL and a filled view.
struct Fixture {
    server: Arc<Server>,
    workspace: String,
    query: String,
    saved_sql: String,
    view: String,
}

async fn fixture() -> Fixture {
    let server = SERVER.get();
    let workspace = server.demo().await;
    let query = id_of(&server.run(&workspace, "SELECT n_nationkey FROM tpch.tiny.nation").await);
    let body = json!({ "workspaceId": workspace, "title": "t", "sql": "SELECT 1" });
    let saved_sql = id_of(&server.post("/api/v1/sql", body).await.ok());
    let guard = FIXTURE.lock().await;
    let views = server.get(&format!("/api/v1/materializedViews?workspaceId={workspace}")).await.ok();
    let present =
        views.as_array().expect("views").iter().find(|view| view["sqlName"] == "parameters").cloned();
    let view = match present {
        Some(view) => id_of(&view),
        None => {
            let sql = "SELECT n_nationkey, n_name FROM tpch.tiny.nation";
            let body = json!({ "workspaceId": workspace, "sqlName": "parameters", "sql": sql });
            let view = server.post("/api/v1/materializedView", body).await.ok();
            server.finish(&workspace, view["refreshQueryId"].as_str().expect("a refresh")).await;
            id_of(&view)
        }
    };
    drop(guard);
    Fixture { server, workspace, query, saved_sql, view }
}

impl Fixture {
    /// Each address with `limit` and `offset`, ready for a further parameter.
    fn paged(&self) -> [String; 3] {
        let Self { workspace, query, .. } = self;
        [
            format!("/api/v1/queries?workspaceId={workspace}"),
            format!("/api/v1/query/{query}/result?workspaceId={workspace}"),
            "/v1/data/demo/materializedView/parameters?x=1".to_owned(),
        ]
    }

    /// Each GET that requires `workspaceId`, without it.
    fn scoped(&self) -> Vec<String> {
        let Self { query, saved_sql, view, .. } = self;
        vec![
            "/api/v1/queries".to_owned(),
            format!("/api/v1/query/{query}"),
            format!("/api/v1/query/{query}/result"),
            "/api/v1/sqls".to_owned(),
            format!("/api/v1/sql/{saved_sql}"),
            "/api/v1/tables".to_owned(),
            "/api/v1/materializedViews".to_owned(),
            format!("/api/v1/materializedView/{view}"),
        ]
    }

    /// Each request with a body: method, path, and a body in which the named fields are required.
    fn with_body(&self) -> Vec<(Method, String, Value, &'static [&'static str])> {
        let Self { workspace, query, saved_sql, view, .. } = self;
        let (w, sql) = (workspace, "SELECT 1");
        vec![
            (
                Method::POST,
                "/api/v1/query".into(),
                json!({ "workspaceId": w, "sql": sql }),
                &["workspaceId", "sql"],
            ),
            (
                Method::POST,
                "/api/v1/sql".into(),
                json!({ "workspaceId": w, "sql": sql, "title": "t" }),
                &["workspaceId", "sql", "title"],
            ),
            (Method::POST, format!("/api/v1/sql/{saved_sql}"), json!({ "workspaceId": w }), &["workspaceId"]),
            (
                Method::PUT,
                format!("/api/v1/query/{query}/cancel"),
                json!({ "workspaceId": w }),
                &["workspaceId"],
            ),
            (Method::PUT, "/api/v1/service/SQL_ENGINE".into(), json!({ "state": true }), &["state"]),
            (
                Method::POST,
                "/api/v1/workspace".into(),
                json!({ "title": "t", "sqlName": "never_made" }),
                &["title", "sqlName"],
            ),
            (
                Method::PUT,
                format!("/api/v1/workspace/{w}/member"),
                json!({ "accountId": "nobody", "role": "ANALYST" }),
                &["accountId", "role"],
            ),
            (Method::POST, "/api/v1/account".into(), json!({ "username": "never_made" }), &["username"]),
            (Method::POST, "/api/v1/token".into(), json!({ "name": "never made" }), &["name"]),
            (
                Method::POST,
                "/api/v1/table".into(),
                json!({ "workspaceId": w, "name": "never_made", "location": "/nowhere/a.csv" }),
                &["workspaceId", "name", "location"],
            ),
            (
                Method::POST,
                "/api/v1/materializedView".into(),
                json!({ "workspaceId": w, "sqlName": "never_made", "sql": sql }),
                &["workspaceId", "sqlName", "sql"],
            ),
            (
                Method::POST,
                format!("/api/v1/materializedView/{view}/refresh"),
                json!({ "workspaceId": w }),
                &["workspaceId"],
            ),
        ]
    }

    async fn send(&self, method: &Method, path: &str, body: &str) -> Response {
        self.server
            .request(method.clone(), path, Some(self.server.admin_token()), Some(body.to_owned()))
            .await
    }
}

#[tokio::test]
async fn a_number_is_decimal_digits_and_nothing_else() {
    let fixture = fixture().await;
    for path in fixture.paged() {
        for parameter in ["limit", "offset"] {
            for value in [
                "",
                "-1",
                "-0",
                "%2B1",
                "+1",
                "1.0",
                "1.5",
                "1e3",
                "0x10",
                "abc",
                "1a",
                "1%20",
                "%201",
                "1_000",
                "1,000",
                "9223372036854775808",
                "18446744073709551616",
                "99999999999999999999999999",
                "%D9%A1",
                "null",
                "%zz",
                "%00",
                "NaN",
                "Infinity",
            ] {
                let answer = fixture.server.get(&format!("{path}&{parameter}={value}")).await;
                assert_eq!(answer.status, 400, "{path}&{parameter}={value}");
                answer.error(400, "INVALID_ARGUMENTS", [parameter]);
            }
            for twice in [format!("{parameter}=1&{parameter}=1"), format!("{parameter}=1&x=1&{parameter}=2")]
            {
                let answer = fixture.server.get(&format!("{path}&{twice}")).await;
                answer.error(400, "INVALID_ARGUMENTS", [parameter]);
            }
            let bare = fixture.server.get(&format!("{path}&{parameter}")).await;
            bare.error(400, "INVALID_ARGUMENTS", [parameter]);
        }
        for good in
            ["limit=0", "limit=007", "offset=0", "offset=000", "offset=9223372036854775807", "limit=%31"]
        {
            let answer = fixture.server.get(&format!("{path}&{good}")).await;
            assert_eq!(answer.status, 200, "{path}&{good}: {:?}", answer.body);
        }
    }
    let [_, result, view] = fixture.paged();
    for path in [result, view] {
        let answer = fixture.server.get(&format!("{path}&limit=9223372036854775807&offset=24")).await.ok();
        let rows = if answer.is_array() { &answer } else { &answer["result"] };
        assert_eq!(rows.as_array().map(Vec::len), Some(1), "{path}");
    }
}

#[tokio::test]
async fn the_workspace_must_be_named_once() {
    let fixture = fixture().await;
    let workspace = &fixture.workspace;
    for path in fixture.scoped() {
        for query in [
            String::new(),
            "?workspaceId=".to_owned(),
            "?workspaceId".to_owned(),
            "?workspaceid=x".to_owned(),
            format!("?workspaceId={workspace}&workspaceId={workspace}"),
        ] {
            let answer = fixture.server.get(&format!("{path}{query}")).await;
            assert_eq!(answer.status, 400, "{path}{query}");
            answer.error(400, "INVALID_ARGUMENTS", ["workspaceId"]);
        }
        let answer =
            fixture.server.get(&format!("{path}?&&workspaceId={workspace}&unknown=&unknown=%20&=&y")).await;
        assert_eq!(answer.status, 200, "{path}: unknown parameters are ignored");
    }
}

#[tokio::test]
async fn text_parameters_must_be_unique_and_not_empty() {
    let fixture = fixture().await;
    let (workspace, query) = (&fixture.workspace, &fixture.query);
    let result = format!("/api/v1/query/{query}/result?workspaceId={workspace}");
    let view = "/v1/data/demo/materializedView/parameters?x=1".to_owned();
    for (path, parameter, value) in
        [(&result, "shape", "arrays"), (&result, "format", "json"), (&view, "columnNames", "n_name")]
    {
        for query in [format!("{parameter}="), format!("{parameter}={value}&{parameter}={value}")] {
            fixture.server.get(&format!("{path}&{query}")).await.error(400, "INVALID_ARGUMENTS", [parameter]);
        }
        fixture.server.get(&format!("{path}&{parameter}={value}")).await.ok();
    }
    fixture.server.get(&format!("{result}&format=xml")).await.error(400, "INVALID_ARGUMENTS", ["format"]);
    fixture.server.get(&format!("{view}&filters=")).await.error(400, "INVALID_ARGUMENTS", ["filters"]);
    // `filters` may be repeated.
    let two = fixture.server.get(&format!("{view}&filters=n_nationkey:GT:3&filters=n_nationkey:LT:5")).await;
    assert_eq!(two.ok(), json!([{ "n_nationkey": 4, "n_name": "EGYPT" }]));
}

#[tokio::test]
async fn a_plus_is_a_space_and_invalid_percent_encoding_is_no_internal_error() {
    let fixture = fixture().await;
    let view = "/v1/data/demo/materializedView/parameters?x=1";
    let expected = json!([{ "n_nationkey": 24, "n_name": "UNITED STATES" }]);
    for value in ["UNITED+STATES", "UNITED%20STATES", "%55NITED+STATES"] {
        let rows = fixture.server.get(&format!("{view}&filters=n_name:EQ:{value}")).await.ok();
        assert_eq!(rows, expected, "{value}");
    }
    let plus = fixture.server.get(&format!("{view}&filters=n_name:EQ:UNITED%2BSTATES")).await.ok();
    assert_eq!(plus, json!([]), "an encoded plus is a plus");
    for query in
        ["filters=%zz", "filters=%", "columnNames=%ff", "filters=n_name:EQ:%ff", "filters=n_name:EQ:%e2%82"]
    {
        let answer = fixture.server.get(&format!("{view}&{query}")).await;
        assert!(answer.status == 400 || answer.status == 200, "{query}: {}", answer.status);
    }
    for path in [
        "/api/v1/queries?workspaceId=%ff",
        "/api/v1/queries?workspaceId=%zz",
        "/api/v1/query/%ff%00?workspaceId=x",
    ] {
        let answer = fixture.server.get(path).await;
        assert!(answer.status == 400 || answer.status == 404, "{path}: {}", answer.status);
    }
}

#[tokio::test]
async fn a_body_is_one_json_object() {
    let fixture = fixture().await;
    let deep = format!("{{\"sql\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for (method, path, body, _) in fixture.with_body() {
        let doubled = format!("{body} {body}");
        let cut = &body.to_string()[..body.to_string().len() - 1];
        for text in [
            "", " ", "no json", "null", "true", "1", "\"text\"", "[]", "{", "{]", "{\"a\":}", "{'a': 1}",
            &doubled, cut, &deep,
        ] {
            let answer = fixture.send(&method, &path, text).await;
            assert_eq!(answer.status, 400, "{method} {path}: {}", &text[..text.len().min(60)]);
            assert_eq!(
                answer.json()["code"],
                "INVALID_ARGUMENTS",
                "{method} {path}: {}",
                &text[..text.len().min(60)]
            );
        }
        let array = format!("[{body}]");
        fixture.send(&method, &path, &array).await.error(400, "INVALID_ARGUMENTS", []);
    }
}

#[tokio::test]
async fn a_required_field_must_be_present_and_of_its_type() {
    let fixture = fixture().await;
    for (method, path, body, required) in fixture.with_body() {
        for field in required {
            let mut without = body.clone();
            without.as_object_mut().expect("an object").remove(*field);
            let answer = fixture.send(&method, &path, &without.to_string()).await;
            assert_eq!(answer.status, 400, "{method} {path} without {field}");
            answer.error(400, "INVALID_ARGUMENTS", [field]);
            for wrong in [json!(1), json!(null), json!(["a"]), json!({ "a": 1 }), json!("")] {
                if *field == "role" && wrong.is_null() {
                    continue; // That takes the membership away.
                }
                let mut changed = body.clone();
                changed[*field] = wrong.clone();
                let answer = fixture.send(&method, &path, &changed.to_string()).await;
                assert_eq!(answer.status, 400, "{method} {path} with {field} = {wrong}");
                answer.error(400, "INVALID_ARGUMENTS", [field]);
            }
        }
        // The body itself has the right form, whatever the request's result is; unknown keys are ignored.
        let mut extended = body;
        extended["unknown"] = json!({ "a": [1, null] });
        if ["/api/v1/workspace", "/api/v1/account", "/api/v1/materializedView"].contains(&path.as_str()) {
            continue; // These would create something.
        }
        let answer = fixture.send(&method, &path, &extended.to_string()).await;
        let is_expected = match path.as_str() {
            "/api/v1/table" => {
                answer.status == 400 && !answer.json()["message"].to_string().contains("unknown")
            }
            path if path.ends_with("/member") => answer.status == 404,
            _ => answer.status == 200,
        };
        assert!(is_expected, "{method} {path}: {} {:?}", answer.status, answer.body);
    }
}

#[tokio::test]
async fn an_optional_field_must_be_of_its_type() {
    let fixture = fixture().await;
    let workspace = &fixture.workspace;
    let query = json!({ "workspaceId": workspace, "sql": "SELECT 1", "cacheTTL": 60, "cacheRefresh": false });
    let saved = json!({ "workspaceId": workspace, "sql": "SELECT 1", "title": "t" });
    let view = json!({ "workspaceId": workspace, "sqlName": "never_made", "sql": "SELECT 1 AS a" });
    let token = json!({ "name": "never made" });
    let cases = [
        (
            "/api/v1/query",
            &query,
            "cacheTTL",
            vec![json!(-1), json!(1.5), json!("60"), json!(true), json!([]), json!({})],
        ),
        (
            "/api/v1/query",
            &query,
            "cacheRefresh",
            vec![json!("true"), json!(1), json!(0), json!([]), json!({})],
        ),
        ("/api/v1/query", &query, "source", vec![json!(1), json!([]), json!({})]),
        ("/api/v1/sql", &saved, "description", vec![json!(1), json!([]), json!({})]),
        ("/api/v1/account", &json!({ "username": "never_made" }), "isAdmin", vec![json!("yes"), json!(1)]),
        (
            "/api/v1/token",
            &token,
            "expiresInDays",
            vec![json!(-1), json!(3651), json!(1.5), json!("7"), json!(true)],
        ),
        ("/api/v1/token", &token, "accountId", vec![json!(1), json!([])]),
        (
            "/api/v1/materializedView",
            &view,
            "schedule",
            vec![
                json!(1),
                json!("every day"),
                json!("61 * * * *"),
                json!("@every 0m"),
                json!("@every x"),
                json!("* * * *"),
            ],
        ),
        ("/api/v1/materializedView", &view, "title", vec![json!(1)]),
    ];
    for (path, body, field, values) in cases {
        for value in values {
            let mut changed = (*body).clone();
            changed[field] = value.clone();
            let answer = fixture.send(&Method::POST, path, &changed.to_string()).await;
            assert_eq!(answer.status, 400, "{path} with {field} = {value}");
            answer.error(400, "INVALID_ARGUMENTS", [field]);
        }
    }
    let saved = format!("/api/v1/sql/{}", fixture.saved_sql);
    let body = json!({ "workspaceId": workspace, "source": 1 });
    fixture.server.post(&saved, body).await.error(400, "INVALID_ARGUMENTS", ["source"]);
    let body = json!({ "workspaceId": workspace, "title": "" });
    fixture.server.put(&saved, body).await.error(400, "INVALID_ARGUMENTS", ["title"]);
}

#[tokio::test]
async fn sql_names_are_validated() {
    let fixture = fixture().await;
    let workspace = &fixture.workspace;
    let long = "a".repeat(64);
    for name in ["A", "1a", "a-b", "a b", "a.b", "ä", "a/b", "-a", long.as_str(), "a\n", " a", "a;"] {
        let body = json!({ "title": "t", "sqlName": name });
        fixture.server.post("/api/v1/workspace", body).await.error(400, "INVALID_ARGUMENTS", ["sqlName"]);
        let body = json!({ "workspaceId": workspace, "sqlName": name, "sql": "SELECT 1 AS a" });
        fixture.server.post("/api/v1/materializedView", body).await.error(
            400,
            "INVALID_ARGUMENTS",
            ["sqlName"],
        );
        let body = json!({ "workspaceId": workspace, "name": name, "location": "/nowhere/a.csv" });
        fixture.server.post("/api/v1/table", body).await.error(400, "INVALID_ARGUMENTS", ["name"]);
    }
    let longest = "a".repeat(63);
    fixture.server.new_workspace(&longest).await;
    let body = json!({ "title": "again", "sqlName": longest });
    fixture.server.post("/api/v1/workspace", body).await.error(409, "ALREADY_EXISTS", []);
    let body = json!({ "workspaceId": workspace, "sqlName": "parameters", "sql": "SELECT 1 AS a" });
    fixture.server.post("/api/v1/materializedView", body).await.error(409, "ALREADY_EXISTS", []);
}

#[tokio::test]
async fn texts_over_a_limit_are_refused_with_the_limit() {
    let fixture = fixture().await;
    let workspace = &fixture.workspace;
    let of_length = |bytes: usize| format!("SELECT 1 /*{}*/", "x".repeat(bytes - 13));
    let submit = async |sql: String| {
        fixture.server.post("/api/v1/query", json!({ "workspaceId": workspace, "sql": sql })).await
    };
    submit(of_length(1 << 20)).await.ok();
    let answer = submit(of_length((1 << 20) + 1)).await;
    answer.error(400, "INVALID_ARGUMENTS", ["sql"]);
    assert_names_limit(&answer, &["1 MiB", "1MiB", "1048576"]);
    let body = json!({ "workspaceId": workspace, "title": "t", "sql": of_length((1 << 20) + 1) });
    assert_names_limit(&fixture.server.post("/api/v1/sql", body).await, &["1 MiB", "1MiB", "1048576"]);

    for path in ["/api/v1/query", "/api/v1/sql", "/api/v1/account", "/api/v1/token"] {
        let body = json!({ "workspaceId": workspace, "sql": "SELECT 1", "pad": "x".repeat(2 << 20) });
        let answer = fixture.server.post(path, body).await;
        answer.error(413, "PAYLOAD_TOO_LARGE", []);
    }
    // Two bytes of padding less than two mebibytes: exactly at the limit.
    let mut body = json!({ "workspaceId": workspace, "sql": "SELECT 1", "pad": "" });
    body["pad"] = json!("x".repeat((2 << 20) - body.to_string().len()));
    assert_eq!(body.to_string().len(), 2 << 20);
    fixture.server.post("/api/v1/query", body).await.ok();

    let view = "/v1/data/demo/materializedView/parameters?";
    let filters = |count: usize| vec!["filters=n_nationkey:LT:3"; count].join("&");
    assert_eq!(
        fixture.server.get(&format!("{view}{}", filters(64))).await.ok().as_array().map(Vec::len),
        Some(3)
    );
    let answer = fixture.server.get(&format!("{view}{}", filters(65))).await;
    answer.error(400, "INVALID_ARGUMENTS", ["64"]);
    let long = |bytes: usize| format!("{view}filters=n_name:EQ:{}", "x".repeat(bytes - "n_name:EQ:".len()));
    assert_eq!(fixture.server.get(&long(4096)).await.ok(), json!([]));
    let answer = fixture.server.get(&long(4097)).await;
    answer.error(400, "INVALID_ARGUMENTS", []);
    assert_names_limit(&answer, &["4 KiB", "4KiB", "4096"]);
}

#[track_caller]
fn assert_names_limit(answer: &Response, spellings: &[&str]) {
    assert_eq!(answer.status, 400);
    let body = answer.json();
    let message = body["message"].as_str().expect("a message");
    assert!(spellings.iter().any(|spelling| message.contains(spelling)), "no limit in '{message}'");
}
