//! Personal access tokens: their forms in the header, expiry, revocation, and that a secret is shown once and stored
//! nowhere.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hyper::Method;
use rowhouse_tests::{Server, SharedServer, id_of};
use serde_json::{Value, json};

static SERVER: SharedServer = SharedServer::new(&[]);

#[tokio::test]
async fn the_header_is_a_scheme_one_space_and_the_token() {
    let server = SERVER.get();
    let token = server.admin_token();
    let get = async |header: &str| {
        server.request_with(Method::GET, "/api/v1/workspaces", [("authorization", header)], None).await
    };
    for header in [format!("Token {token}"), format!("Bearer {token}")] {
        get(&header).await.ok();
    }
    let cut = &token[..token.len() - 1];
    for header in [
        String::new(),
        "Token".into(),
        "Token ".into(),
        "Bearer".into(),
        token.into(),
        format!("Basic {token}"),
        format!("Token{token}"),
        format!("Token:{token}"),
        format!("Token {token} x"),
        format!("Token {cut}"),
        format!("Token {token}x"),
        format!("Token \"{token}\""),
        format!("Token {}", token.to_uppercase()),
        format!("Digest {token}"),
        "Token ' OR 1=1 --".into(),
        format!("Token {}", "a".repeat(8000)),
    ] {
        let answer = get(&header).await;
        assert_eq!(answer.status, 401, "{header}");
        answer.error(401, "UNAUTHORIZED", []);
        assert_eq!(answer.header("www-authenticate"), Some("Token"), "{header}");
        assert!(!String::from_utf8_lossy(&answer.body).contains(token), "the answer repeats the token");
    }
    let bytes =
        server.request_with(Method::GET, "/api/v1/workspaces", [("authorization", "Token \u{ff}")], None);
    bytes.await.error(401, "UNAUTHORIZED", []);
    let none = server.request(Method::GET, &format!("/api/v1/workspaces?token={token}"), None, None).await;
    none.error(401, "UNAUTHORIZED", []);
}

#[tokio::test]
async fn a_token_expires_at_its_requested_time() {
    let server = SERVER.get();
    for (given, days) in [
        (None, Some(90)),
        (Some(1), Some(1)),
        (Some(30), Some(30)),
        (Some(3650), Some(3650)),
        (Some(0), None),
    ] {
        let mut body = json!({ "name": "life" });
        if let Some(given) = given {
            body["expiresInDays"] = json!(given);
        }
        let token = server.post("/api/v1/token", body).await.ok();
        let expires_at = token.get("expiresAt").unwrap_or(&Value::Null);
        match days {
            None => assert!(expires_at.is_null(), "{token}"),
            Some(days) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
                let expected = now + days * 86_400;
                let found = unix_seconds(expires_at.as_str().expect("a timestamp"));
                assert!(found.abs_diff(expected) < 60, "{given:?}: {expires_at}");
            }
        }
        for field in ["id", "name", "token"] {
            assert!(token[field].is_string(), "{field} in {token}");
        }
    }
    let tokens = server.get("/api/v1/tokens").await.ok();
    let first = tokens.as_array().expect("tokens").iter().find(|token| token["name"] != "life");
    assert!(first.expect("the first admin token")["expiresAt"].is_null(), "{tokens}");
}

/// Seconds since 1970 of a timestamp such as `2026-01-31T23:59:59.999Z`.
fn unix_seconds(text: &str) -> u64 {
    assert!(text.len() == 24 && text.ends_with('Z'), "{text}");
    let number = |from: usize, to: usize| text[from..to].parse::<u64>().expect("digits");
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let before: u64 = (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let lengths = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let months: u64 = lengths.iter().take(usize::try_from(month - 1).expect("a month")).sum();
    ((before + months + day - 1) * 24 + number(11, 13)) * 3600 + number(14, 16) * 60 + number(17, 19)
}

#[tokio::test]
async fn a_revoked_token_is_refused() {
    let server = SERVER.get();
    let (account, first) = server.new_account("revoker").await;
    let second = server.post_as(&first, "/api/v1/token", json!({ "name": "second" })).await.ok();
    let secret = second["token"].as_str().expect("a secret").to_owned();
    server.get_as(&secret, "/api/v1/tokens").await.ok();
    let path = format!("/api/v1/token/{}", id_of(&second));
    assert_eq!(server.request(Method::DELETE, &path, Some(&first), None).await.status, 200);
    server.get_as(&secret, "/api/v1/tokens").await.error(401, "UNAUTHORIZED", []);
    server.get_as(&first, "/api/v1/tokens").await.ok();
    let listed = server.get_as(&first, "/api/v1/tokens").await.ok();
    let is_live = |token: &Value| token["id"] == second["id"] && token["revokedAt"].is_null();
    assert!(!listed.as_array().expect("tokens").iter().any(is_live), "{listed}");

    // Tokens of another account cannot be created or revoked.
    let (_, other) = server.new_account("not_the_revoker").await;
    let body = json!({ "name": "stolen", "accountId": account });
    server.post_as(&other, "/api/v1/token", body).await.error(401, "PERMISSION_DENIED", []);
    let own = listed
        .as_array()
        .expect("tokens")
        .iter()
        .find(|token| token["id"] != second["id"])
        .expect("the first");
    let path = format!("/api/v1/token/{}", id_of(own));
    let answer = server.request(Method::DELETE, &path, Some(&other), None).await;
    assert!(answer.status == 401 || answer.status == 404, "{}", answer.status);
    server.get_as(&first, "/api/v1/tokens").await.ok();
    let seen = server.get_as(&other, "/api/v1/tokens").await.ok();
    assert!(seen.as_array().expect("tokens").iter().all(|token| token["id"] != own["id"]), "{seen}");
}

#[tokio::test]
async fn a_secret_is_shown_once_and_not_stored() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log");
    let builder = Server::builder().log_file(&log).environment("RUST_LOG", "trace");
    let mut server = builder.data_dir(folder.path().join("data")).start();
    let (_, secret) = server.new_account("keeper").await;
    server.get_as(&secret, "/api/v1/workspaces").await.ok();
    server.get_as(&secret, "/api/v1/nope").await.error(404, "NOT_FOUND", []);
    let second = server.post_as(&secret, "/api/v1/token", json!({ "name": "second" })).await.ok();
    let second = second["token"].as_str().expect("a secret").to_owned();
    for text in [
        server.get_as(&secret, "/api/v1/tokens").await.body,
        server.get("/api/v1/tokens").await.body,
        server.get("/metrics").await.body,
    ] {
        let text = String::from_utf8_lossy(&text);
        assert!(!text.contains(&secret) && !text.contains(&second), "{text}");
    }
    // 256 random bits need at least 43 characters of base64.
    assert!(secret.len() >= 43, "{} characters", secret.len());
    assert_ne!(secret, second);
    let admin = server.admin_token().to_owned();
    server.terminate(std::time::Duration::from_secs(20));
    let mut searched = 0;
    for path in files(&folder.path().join("data")) {
        let bytes = std::fs::read(&path).expect("a file");
        searched += bytes.len();
        for (name, secret) in [("first", &secret), ("second", &second)] {
            assert!(!holds(&bytes, secret), "the {name} secret is in {}", path.display());
        }
        let is_its_file = path.file_name().is_some_and(|name| name == "admin-token");
        assert!(is_its_file || !holds(&bytes, &admin), "the admin's secret is in {}", path.display());
    }
    assert!(searched > 1000, "the data directory was searched");
    let log = std::fs::read(&log).expect("the log");
    assert!(holds(&log, "/api/v1/nope"), "the log was written");
    assert!(!holds(&log, &secret) && !holds(&log, &second) && !holds(&log, &admin), "a secret is in the log");
}

#[tokio::test]
async fn only_the_owner_can_read_the_admins_token_file() {
    use std::os::unix::fs::PermissionsExt;
    let server = SERVER.get();
    let metadata = std::fs::metadata(server.data_dir().join("admin-token")).expect("the file");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.is_file() {
            found.push(path);
        }
    }
    found
}
