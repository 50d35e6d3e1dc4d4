//! CORS: off unless configured; preflights need no token; answers say which page may read them.

use http::Method;
use rowhouse_tests::{Response, Server, SharedServer};

static SERVER: SharedServer = SharedServer::new(&[
    "--cors-allowed-origins",
    "https://app.example.com",
    "--cors-allowed-origins",
    "http://localhost:3000",
    "--cors-max-age",
    "90s",
]);

async fn preflight(server: &Server, path: &str, origin: &str) -> Response {
    let headers = [("origin", origin), ("access-control-request-method", "PUT")];
    server.request_with(Method::OPTIONS, path, headers, None).await
}

fn vary(answer: &Response) -> Vec<String> {
    let values = answer.headers.get_all("vary").iter();
    values.flat_map(|value| value.to_str().expect("text").split(", ")).map(str::to_ascii_lowercase).collect()
}

#[tokio::test]
async fn a_preflight_is_answered_without_a_token() {
    let server = SERVER.get();
    let answer = preflight(&server, "/api/v1/query", "https://app.example.com").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example.com"));
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, HEAD, POST, PUT, DELETE"));
    assert!(
        answer.header("access-control-allow-headers").is_some_and(|names| names.contains("authorization"))
    );
    assert_eq!(answer.header("access-control-max-age"), Some("90"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    assert!(vary(&answer).contains(&"origin".to_owned()));
    assert!(answer.body.is_empty());

    // Another host, another port, a longer name: an ordinary OPTIONS request, which no route accepts.
    for origin in
        ["https://evil.example.com", "http://localhost:3001", "https://app.example.com.evil.com", "null"]
    {
        let answer = preflight(&server, "/api/v1/query", origin).await;
        answer.error(405, "METHOD_NOT_ALLOWED", []);
        assert_eq!(answer.header("access-control-allow-origin"), None, "{origin}");
        assert!(vary(&answer).contains(&"origin".to_owned()));
    }
    // An OPTIONS request that is not a preflight.
    let headers = [("origin", "https://app.example.com")];
    server.request_with(Method::OPTIONS, "/api/v1/query", headers, None).await.error(
        405,
        "METHOD_NOT_ALLOWED",
        [],
    );
}

#[tokio::test]
async fn answers_and_refusals_can_be_read_by_the_page_that_asked() {
    let server = SERVER.get();
    let token = format!("Token {}", server.admin_token());
    let get = async |origin: &str, token: &str| {
        let headers = [("origin", origin), ("authorization", token)];
        server.request_with(Method::GET, "/api/v1/workspaces", headers, None).await
    };
    let answer = get("http://localhost:3000", &token).await;
    assert_eq!(
        (answer.status, answer.header("access-control-allow-origin")),
        (200, Some("http://localhost:3000"))
    );
    let exposed = answer.header("access-control-expose-headers").expect("exposed headers");
    assert!(exposed.contains("etag") && exposed.contains("x-request-id"), "{exposed}");
    let refused = get("http://localhost:3000", "Token wrong").await;
    assert_eq!(
        (refused.status, refused.header("access-control-allow-origin")),
        (401, Some("http://localhost:3000"))
    );
    let stranger = get("https://evil.example.com", &token).await;
    assert_eq!((stranger.status, stranger.header("access-control-allow-origin")), (200, None));
    assert!(vary(&stranger).contains(&"origin".to_owned()));
    // Answers with rows keep their other `Vary` values.
    let workspace = server.demo().await;
    let rows = server.rows(&workspace, "SELECT 1").await;
    assert_eq!(rows, serde_json::json!([[1]]));
    let view = "/v1/data/demo/materializedView/orders_by_customer?filters=o_custkey:EQ:370";
    let headers = [("origin", "http://localhost:3000"), ("authorization", token.as_str())];
    let view = server.request_with(Method::GET, view, headers, None).await;
    let vary = vary(&view);
    for name in ["accept", "accept-encoding", "authorization", "origin"] {
        assert!(vary.contains(&name.to_owned()), "{name} in {vary:?}");
    }
}

#[tokio::test]
async fn no_cors_headers_without_configuration() {
    let server = Server::start();
    let answer = preflight(&server, "/api/v1/query", "https://app.example.com").await;
    answer.error(405, "METHOD_NOT_ALLOWED", []);
    assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
    assert!(!vary(&answer).contains(&"origin".to_owned()));
}

#[tokio::test]
async fn a_wildcard_origin_excludes_credentials() {
    let server = Server::builder().arguments(["--cors-allowed-origins", "*"]).start();
    let answer = preflight(&server, "/api/v1/query", "https://any.example.com").await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);

    let refused = std::process::Command::new(rowhouse_tests::binary())
        .args(["serve", "--cors-allowed-origins", "*", "--cors-allow-credentials", "true"])
        .output()
        .expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(stderr.contains("list the origins"), "{stderr}");

    let server = Server::builder()
        .arguments(["--cors-allowed-origins", "https://app.example.com", "--cors-allow-credentials", "true"])
        .start();
    let answer = preflight(&server, "/api/v1/query", "https://app.example.com").await;
    assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
}
