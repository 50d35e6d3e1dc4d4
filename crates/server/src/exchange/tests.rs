use futures_util::FutureExt as _;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use http_body_util::{BodyExt as _, Full};
use rowhouse_engine::{Bootstrap, Clock, Engine, EngineConfig, RandomIdSource, SystemClock};
use rowhouse_model::{Account, AccountId};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::watch;

use super::*;
use crate::answer_memory::AnswerMemory;
use crate::audit::AuditLog;
use crate::config::{Config, LiveConfig, ServeFlags};
use crate::connection::Activity;
use crate::encoders::Encoders;
use crate::reload::status::ReloadStatus;
use crate::request_ids::RequestIds;
use crate::response::{JSON, unchanged, whole};
use crate::waiting_segments::{self, Segment, SegmentCell};

/// A server without a listener, on an engine whose workers cannot start: everything but running SQL.
struct House {
    app: Arc<App>,
    bootstrap: Bootstrap,
    _data_dir: TempDir,
    _stop: watch::Sender<bool>,
}

/// An answer as tests look at it.
struct Seen {
    status: u16,
    headers: HeaderMap,
    body: Value,
}

impl House {
    async fn open() -> Self {
        let data_dir = TempDir::new().expect("a temporary folder");
        let engine =
            EngineConfig { worker_program: Some("/bin/false".into()), ..EngineConfig::new(data_dir.path()) };
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let ids = Arc::new(RandomIdSource);
        let config = Config::load(&ServeFlags::default(), &|_| None).expect("the defaults can be used");
        let engine = Engine::open(engine, Arc::clone(&clock), ids.clone()).await.expect("the engine opens");
        let bootstrap = engine.bootstrap().expect("a first start");
        let (stop, stopping) = watch::channel(false);
        let app = App {
            config: LiveConfig::new(config),
            audit: AuditLog::default(),
            tls: None,
            reloads: ReloadStatus::default(),
            engine,
            encoders: Encoders::start(&clock).expect("threads"),
            clock,
            request_ids: RequestIds::new(ids.as_ref()),
            metrics: Arc::default(),
            answer_memory: AnswerMemory::new(16 << 20),
            head_memory: crate::head_memory::HeadMemory::new(1 << 20),
            answer_cache: crate::answer_cache::AnswerCache::default(),
            segments: crate::waiting_segments::WaitingSegments::default(),
            pause_slots: crate::pause_slots::PauseSlots::default(),
            tool_calls: crate::tool_calls::ToolCalls::default(),
            stopping,
        };
        Self { app: Arc::new(app), bootstrap, _data_dir: data_dir, _stop: stop }
    }

    async fn send(&self, token: Option<&str>, line: &str, body: &str) -> Seen {
        let (method, address) = line.split_once(' ').expect("a method and an address");
        let mut request = Request::builder().method(method).uri(address).header(HOST, "x");
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Token {token}"));
        }
        let request = request.body(Full::new(Bytes::from(body.to_owned()))).expect("a request");
        let in_flight = Arc::new(Activity::default()).begin(false);
        let Ok(answer) = exchange(Arc::clone(&self.app), in_flight, request).await;
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let seen = Seen { status: parts.status.as_u16(), headers: parts.headers, body };
        if seen.status != 200 && !bytes.is_empty() {
            // The one shape of every refusal (D3).
            let request_id = seen.headers[X_REQUEST_ID].to_str().expect("ASCII");
            assert_eq!(seen.body["requestId"], request_id, "{line}");
            assert_eq!(seen.headers[CONTENT_TYPE], "application/json", "{line}");
            assert!(
                seen.body["code"].is_string() && seen.body["message"].is_string(),
                "{line}: {}",
                seen.body
            );
        }
        seen
    }

    /// Sends with the admin's token; `W` in address and body means the demo workspace.
    async fn check(&self, line: &str, body: &str, expected: &str) {
        let workspace = self.bootstrap.workspace_id.as_str();
        let (line, body) = (line.replace("$W", workspace), body.replace("$W", workspace));
        let seen = self.send(Some(&self.bootstrap.admin_token), &line, &body).await;
        let text = |name: &str| seen.body[name].as_str().unwrap_or_default().to_owned();
        let found = format!("{} {} {}", seen.status, text("code"), text("message"));
        assert!(found.trim().starts_with(expected), "{line} {body}: {found}");
    }
}

fn answer_of(segment: Segment) -> Answer {
    let cell = SegmentCell::default();
    cell.set(segment).expect("an empty cell");
    waiting_segments::answer(cell)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

#[test]
fn every_fault_has_its_status_code_and_message() {
    runtime().block_on(async {
        let house = House::open().await;
        for (line, body, expected) in [
            ("GET /healthz", "", "200"),
            ("GET /web/readyz", "", "200"),
            ("GET /metrics", "", "200"),
            ("GET /api/v1/openapi.json", "", "200"),
            ("GET /nowhere", "", "404 NOT_FOUND there is nothing at \"/nowhere\""),
            ("DELETE /api/v1/queries", "", "405 METHOD_NOT_ALLOWED"),
            ("GET /api/v1/queries", "", "400 INVALID_ARGUMENTS parameter workspaceId is missing"),
            ("GET /api/v1/queries?workspaceId=", "", "400 INVALID_ARGUMENTS parameter workspaceId is empty"),
            (
                "GET /api/v1/queries?workspaceId=$W&workspaceId=$W",
                "",
                "400 INVALID_ARGUMENTS parameter workspaceId is given",
            ),
            ("GET /api/v1/queries?workspaceId=nope", "", "404 NOT_FOUND"),
            (
                "GET /api/v1/queries?workspaceId=$W&limit=1001",
                "",
                "400 INVALID_ARGUMENTS parameter limit: 1001",
            ),
            (
                "GET /api/v1/queries?workspaceId=$W&limit=ten",
                "",
                "400 INVALID_ARGUMENTS parameter limit: \"ten\"",
            ),
            ("GET /api/v1/queries?workspaceId=$W&limit=0&offset=00", "", "200"),
            ("GET /api/v1/query/nope?workspaceId=$W", "", "404 NOT_FOUND"),
            // The id is checked before the other parameters.
            ("GET /api/v1/query/nope/result?workspaceId=$W&limit=ten", "", "404 NOT_FOUND"),
            ("POST /api/v1/query", "", "400 INVALID_ARGUMENTS the body is empty"),
            ("POST /api/v1/query", "[]", "400 INVALID_ARGUMENTS the body: "),
            (
                "POST /api/v1/query",
                r#"{"sql":"SELECT 1"}"#,
                "400 INVALID_ARGUMENTS field workspaceId is missing",
            ),
            ("POST /api/v1/query", r#"{"workspaceId":"nope"}"#, "404 NOT_FOUND"),
            ("POST /api/v1/query", r#"{"workspaceId":"$W"}"#, "400 INVALID_ARGUMENTS field sql is missing"),
            (
                "POST /api/v1/query",
                r#"{"workspaceId":"$W","sql":7}"#,
                "400 INVALID_ARGUMENTS field sql: expected a string",
            ),
            (
                "POST /api/v1/query",
                r#"{"workspaceId":"$W","sql":"SELECT 1","cacheTTL":1.5}"#,
                "400 INVALID_ARGUMENTS field cacheTTL",
            ),
            ("PUT /api/v1/query/nope/cancel", r#"{"workspaceId":"$W"}"#, "404 NOT_FOUND"),
            ("GET /api/v1/sql/nope?workspaceId=$W", "", "404 NOT_FOUND"),
            ("PUT /api/v1/sql/nope", r#"{"workspaceId":"$W","title":""}"#, "404 NOT_FOUND"),
            (
                "POST /api/v1/sql",
                r#"{"workspaceId":"$W","sql":"SELECT 1","title":""}"#,
                "400 INVALID_ARGUMENTS field title is empty",
            ),
            ("GET /api/v1/service/NOPE", "", "404 NOT_FOUND"),
            (
                "PUT /api/v1/service/SQL_ENGINE",
                r#"{"state":"on"}"#,
                "400 INVALID_ARGUMENTS field state: expected true or false",
            ),
            (
                "PUT /api/v1/workspace/$W/member",
                r#"{"accountId":"x"}"#,
                "400 INVALID_ARGUMENTS field role is missing",
            ),
            (
                "POST /api/v1/token",
                r#"{"name":"x","expiresInDays":4000}"#,
                "400 INVALID_ARGUMENTS field expiresInDays",
            ),
            ("DELETE /api/v1/token/nope", "", "404 NOT_FOUND"),
            ("DELETE /api/v1/table/nope?workspaceId=$W", "", "404 NOT_FOUND"),
            ("GET /api/v1/materializedView/nope?workspaceId=$W", "", "404 NOT_FOUND"),
            ("GET /v1/data/nope/materializedView/v", "", "404 NOT_FOUND"),
            ("GET /v1/data/demo/materializedView/nope?limit=ten", "", "404 NOT_FOUND"),
        ] {
            house.check(line, body, expected).await;
        }
    });
}

#[test]
fn every_route_except_the_open_ones_checks_the_token_first() {
    runtime().block_on(async {
        let house = House::open().await;
        let document: Value =
            serde_json::from_str(include_str!("../routes/operation/openapi.json")).expect("the document");
        for (path, operations) in document["paths"].as_object().expect("paths") {
            for (method, operation) in operations.as_object().expect("operations") {
                let line = format!("{} {}", method.to_uppercase(), path.replace(['{', '}'], "x"));
                for token in [None, Some("rh_unknown")] {
                    let seen = house.send(token, &line, "{").await;
                    if operation["operationId"] == "getResultFile" {
                        // A link's signature replaces the token, and this request has none.
                        assert_eq!(seen.status, 400, "{line}");
                    } else if operation.get("security").is_some() {
                        assert_eq!(seen.status, 200, "{line}");
                    } else {
                        assert_eq!(
                            (seen.status, &seen.body["code"]),
                            (401, &Value::from("UNAUTHORIZED")),
                            "{line}"
                        );
                        assert_eq!(seen.headers["www-authenticate"], "Token", "{line}");
                    }
                }
            }
        }
    });
}

#[test]
fn roles_are_checked_before_ids() {
    runtime().block_on(async {
        let house = House::open().await;
        let (admin, workspace) = (house.bootstrap.admin_token.clone(), house.bootstrap.workspace_id.clone());
        let account = house.send(Some(&admin), "POST /api/v1/account", r#"{"username":"ada"}"#).await;
        let account = account.body["id"].as_str().expect("an id").to_owned();
        let body = format!(r#"{{"name":"x","accountId":"{account}"}}"#);
        let token = house.send(Some(&admin), "POST /api/v1/token", &body).await;
        let token = token.body["token"].as_str().expect("a token").to_owned();
        let line = format!("GET /api/v1/query/nope?workspaceId={workspace}");
        let status = async |line: &str, body: &str| {
            let seen = house.send(Some(&token), line, body).await;
            format!("{} {}", seen.status, seen.body["code"].as_str().unwrap_or_default())
        };
        assert_eq!(status(&line, "").await, "401 PERMISSION_DENIED", "a stranger");
        let member = format!(r#"{{"accountId":"{account}","role":"CONSUMER"}}"#);
        let set =
            house.send(Some(&admin), &format!("PUT /api/v1/workspace/{workspace}/member"), &member).await;
        assert_eq!(set.status, 200);
        assert_eq!(status(&line, "").await, "401 PERMISSION_DENIED", "a consumer");
        assert_eq!(status("GET /v1/data/demo/materializedView/nope", "").await, "404 NOT_FOUND");
        assert_eq!(status("POST /api/v1/workspace", "{}").await, "401 PERMISSION_DENIED");
        assert_eq!(status("POST /api/v1/account", "{}").await, "401 PERMISSION_DENIED");
    });
}

#[test]
fn request_ids_head_requests_and_base_paths() {
    runtime().block_on(async {
        let house = House::open().await;
        let get = async |name: &'static str, value: &'static str| {
            let request = Request::builder().uri("/healthz").header(name, value);
            let request = request.body(Full::new(Bytes::new())).expect("a request");
            let Ok(answer) =
                exchange(Arc::clone(&house.app), Arc::new(Activity::default()).begin(false), request).await;
            answer.headers()[X_REQUEST_ID].to_str().expect("ASCII").to_owned()
        };
        assert_eq!(get("x-request-id", "my-id.7").await, "my-id.7");
        assert_ne!(get("x-request-id", "a b").await, "a b");
        assert_ne!(get("x-request-id", "").await, "");
        for base in ["", "/web"] {
            let seen = house.send(None, &format!("HEAD {base}/healthz"), "").await;
            assert_eq!((seen.status, &seen.body), (200, &Value::Null));
            assert_eq!(seen.headers[CONTENT_LENGTH], "15");
        }
    });
}

/// An idle connection reserves memory for a whole exchange, and there may be ten thousand of them (D27).
#[test]
fn the_future_of_an_exchange_is_small() {
    runtime().block_on(async {
        let house = House::open().await;
        let request = Request::builder().uri("/healthz").body(Full::new(Bytes::new())).expect("a request");
        let exchange = exchange(Arc::clone(&house.app), Arc::new(Activity::default()).begin(false), request);
        let bytes = size_of_val(&exchange);
        assert!(bytes <= 4096, "{bytes} bytes");
    });
}

/// Regression: the budget of answers counted a segment twice while it was sent, by its own reservation and as an answer.
#[tokio::test]
async fn a_segment_is_counted_once() {
    const BYTES: usize = 1 << 20;
    let house = House::open().await;
    let (memory, note) = (&house.app.answer_memory, Note::default());
    let anna = Account {
        id: AccountId::from("a"),
        username: "anna".to_owned(),
        is_admin: false,
        is_disabled: false,
    };
    note.account(&Arc::new(anna));
    let reserved = memory.portion(&Share::of(&note)).try_reserve(BYTES).expect("room");
    let bytes = Bytes::from(vec![b' '; BYTES]);
    let segment = Segment { bytes, uncompressed_bytes: BYTES, _reserved: reserved };
    let mut answer = answer_of(segment);
    count(&house.app, &mut answer, &note, true).expect("room");
    assert_eq!(memory.used_bytes(), BYTES);
    let (_, body) = answer.into_parts();
    let sent = body.collect().await.expect("a body").to_bytes();
    assert_eq!((sent.len(), memory.used_bytes()), (BYTES, BYTES));
    drop(sent);
    assert_eq!(memory.used_bytes(), 0);

    // Compressed bytes do not belong to the reservation of the segment.
    let reserved = memory.portion(&Share::of(&note)).try_reserve(BYTES).expect("room");
    let bytes = Bytes::from(vec![b' '; BYTES]);
    let segment = Segment { bytes, uncompressed_bytes: BYTES, _reserved: reserved };
    let mut answer = answer_of(segment);
    compress(&house.app, &mut answer, Coding::Gzip, &note).await.expect("it is");
    count(&house.app, &mut answer, &note, true).expect("room");
    let (_, body) = answer.into_parts();
    let sent = body.collect().await.expect("a body").to_bytes();
    assert!(sent.len() < BYTES / 100 && memory.used_bytes() < BYTES / 100, "{}", memory.used_bytes());
    assert!(memory.used_bytes() == 0 || memory.used_bytes() == sent.len());
}

/// Regression: reads over POST, and a cancel of an ended query, took memory without a limit until nobody else could read (D165).
#[tokio::test]
async fn an_answer_to_a_request_that_changed_nothing_is_refused_without_room() {
    const BYTES: usize = 1 << 20;
    let house = House::open().await;
    let (memory, note) = (&house.app.answer_memory, Note::default());
    let answer = || whole(JSON, vec![b' '; BYTES]);
    let mut held = Vec::new();
    let refused = loop {
        let mut answer = unchanged(answer());
        match count(&house.app, &mut answer, &note, false) {
            Ok(()) => held.push(answer),
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::OutOfAnswerMemory));
    // Half of 16 MiB.
    assert_eq!((held.len(), memory.used_bytes()), (8, 8 * BYTES));
    // A change is answered all the same, and takes nothing from others.
    let mut changed = answer();
    count(&house.app, &mut changed, &note, false).expect("the answer to a change");
    let other = memory.portion(&Share::Account(AccountId::from("other")));
    assert!(other.try_reserve(4 * BYTES).is_some());
    drop((held, changed));
    assert_eq!(memory.used_bytes(), 0);
}

/// What an answer repeats is reserved before the change, so that an account that reads no answers makes no more changes.
#[test]
fn a_change_is_refused_before_it_is_made_if_its_answer_has_no_room() {
    runtime().block_on(async {
        let house = House::open().await;
        let token = house.bootstrap.admin_token.clone();
        let workspace = house.bootstrap.workspace_id.clone();
        let create =
            |text: &str| format!(r#"{{"workspaceId":"{workspace}","title":"x","sql":"SELECT '{text}'"}}"#);
        let accounts = house.send(Some(&token), "GET /api/v1/accounts", "").await.body;
        let share = Share::Account(AccountId::from(accounts[0]["id"].as_str().expect("the admin")));
        let portion = house.app.answer_memory.portion(&share);
        // A small change is refused only if the account holds more than its part of changes.
        let held = portion.try_reserve(16 << 20).expect("all of it");
        assert_eq!(house.send(Some(&token), "POST /api/v1/sql", &create("x")).await.status, 200);
        let held = (held, portion.reserve_at_any_rate(1 << 20));
        let long = create(&"x".repeat(20_000));
        let seen = house.send(Some(&token), "POST /api/v1/sql", &long).await;
        assert_eq!((seen.status, &seen.body["code"]), (503, &Value::from("GENERIC_INSUFFICIENT_RESOURCES")));
        assert_eq!(seen.headers["retry-after"], "1");
        let line = format!("GET /api/v1/sqls?workspaceId={workspace}");
        drop(held);
        assert_eq!(house.send(Some(&token), &line, "").await.body.as_array().map(Vec::len), Some(1));
        assert_eq!(house.send(Some(&token), "POST /api/v1/sql", &long).await.status, 200);
        assert_eq!(house.app.answer_memory.used_bytes(), 0);
    });
}

#[test]
fn a_change_is_made_even_if_its_client_leaves() {
    runtime().block_on(async {
        let house = House::open().await;
        let token = house.bootstrap.admin_token.clone();
        let workspace = house.bootstrap.workspace_id.clone();
        let create = format!(r#"{{"workspaceId":"{workspace}","title":"x","sql":"SELECT 1"}}"#);
        let answered = house.send(Some(&token), "POST /api/v1/sql", &create).now_or_never();
        assert!(answered.is_none(), "a change waits for the disk");
        let line = format!("GET /api/v1/sqls?workspaceId={workspace}");
        let made = async {
            while house.send(Some(&token), &line, "").await.body.as_array().map(Vec::len) != Some(1) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), made).await.expect("made");
    });
}
