//! `rowhouse mcp`: the Model Context Protocol over standard input and output, for a running server. Each request is
//! forwarded to the server's `/mcp` and its answer is returned; neither the server nor this program stores any state of
//! a client.

use std::collections::HashMap;
use std::io::{BufRead as _, Read as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use http::{HeaderName, HeaderValue};
use rowhouse_client::Client;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};

use super::connection::ConnectionFlags;
use super::failure::Failure;

/// Maximum length of a message.
const MAX_MESSAGE_BYTES: u64 = 16 << 20;
/// Concurrent requests; others wait.
const CONCURRENCY: usize = 16;
/// Maximum number of queued lines.
const WAITING_LINES: usize = 64;
/// Maximum time of an answer; the server ends a call sooner (`mcp.timeout`).
const MAX_CALL_TIME: Duration = Duration::from_secs(3600);

/// Which server, and which of its workspaces.
#[derive(Debug, Args)]
pub(super) struct McpCommand {
    /// SQL name of the workspace [default: the only one that the token can read]
    #[arg(short, long, value_name = "NAME", env = "ROWHOUSE_WORKSPACE")]
    workspace: Option<String>,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// Requests in progress, by their ids as JSON.
type UnderWay = Arc<Mutex<HashMap<String, AbortHandle>>>;

impl McpCommand {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let Self { workspace, connection } = self;
        let client = connection.client()?;
        let workspace: Option<Arc<str>> = workspace.filter(|name| !name.is_empty()).map(Arc::from);
        let mut lines = lines();
        let under_way = UnderWay::default();
        let places = Arc::new(Semaphore::new(CONCURRENCY));
        let mut tasks = JoinSet::new();
        while let Some(line) = lines.recv().await {
            let line = line.map_err(|error| Failure::Refused(format!("standard input: {error}")))?;
            while tasks.try_join_next().is_some() {}
            let message = match Incoming::read(&line) {
                Ok(message) => message,
                Err(refusal) => {
                    print(&refusal)?;
                    continue;
                }
            };
            match message {
                Incoming::Request { id, headers, has_progress } => {
                    let (client, workspace, places) =
                        (client.clone(), workspace.clone(), Arc::clone(&places));
                    let sent = Sent { line, headers, has_progress };
                    let name = id.to_string();
                    let answered = async move {
                        let _place = places.acquire().await;
                        answered(&client, workspace.as_deref(), sent, &id).await
                    };
                    spawn_known(&mut tasks, &under_way, name, answered, |answer| print(&answer));
                }
                // The server sees the disconnection.
                Incoming::Cancellation(id) => {
                    if let Some(task) = lock(&under_way).remove(&id) {
                        task.abort();
                    }
                }
                // The server does not need them.
                Incoming::Other => {}
            }
        }
        // A client that closes its end may still want the answers to its requests.
        while let Some(ended) = tasks.join_next().await {
            if let Ok(Err(failure)) = ended {
                return Err(failure);
            }
        }
        Ok(())
    }
}

/// Spawns a task that is known by its name until it has its answer. It cannot remove the name before it is known, because the
/// lock is held meanwhile.
fn spawn_known<T: Send + 'static>(
    tasks: &mut JoinSet<Result<(), Failure>>,
    under_way: &UnderWay,
    name: String,
    answered: impl Future<Output = T> + Send + 'static,
    print: impl FnOnce(T) -> Result<(), Failure> + Send + 'static,
) {
    let mut known = lock(under_way);
    let (own_name, own) = (name.clone(), Arc::clone(under_way));
    let task = tasks.spawn(async move {
        let answer = answered.await;
        lock(&own).remove(&own_name);
        print(answer)
    });
    known.insert(name, task);
}

/// A message of a client.
enum Incoming {
    Request {
        id: Value,
        headers: Vec<(HeaderName, HeaderValue)>,
        /// Whether it requests progress notifications.
        has_progress: bool,
    },
    /// Cancels the request with this id, as JSON.
    Cancellation(String),
    Other,
}

#[derive(Deserialize)]
struct Message {
    id: Option<Value>,
    method: Option<String>,
    params: Option<Box<RawValue>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Params {
    name: Option<String>,
    uri: Option<String>,
    request_id: Option<Value>,
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    protocol_version: Option<String>,
    #[serde(rename = "progressToken")]
    progress_token: Option<Value>,
}

impl Incoming {
    /// Parses a line; the error is the answer to it.
    fn read(line: &str) -> Result<Self, String> {
        let refused =
            |error: serde_json::Error| error_answer(&Value::Null, -32700, &format!("the line: {error}"));
        let Message { id, method, params } = serde_json::from_str(line).map_err(refused)?;
        let params: Params =
            params.and_then(|params| serde_json::from_str(params.get()).ok()).unwrap_or_default();
        Ok(match (id, method) {
            (Some(id), Some(method)) => Self::Request {
                headers: headers(&method, &params),
                id,
                has_progress: params.meta.is_some_and(|meta| meta.progress_token.is_some()),
            },
            (None, Some(method)) if method == "notifications/cancelled" => {
                Self::Cancellation(params.request_id.unwrap_or_default().to_string())
            }
            _ => Self::Other,
        })
    }
}

/// Fields that versions from 2026-07-28 on also send as headers.
fn headers(method: &str, params: &Params) -> Vec<(HeaderName, HeaderValue)> {
    let Some(version) = params.meta.as_ref().and_then(|meta| meta.protocol_version.as_deref()) else {
        return Vec::new();
    };
    let name = match method {
        "tools/call" => params.name.as_deref(),
        "resources/read" => params.uri.as_deref(),
        _ => None,
    };
    let all = [("mcp-protocol-version", Some(version)), ("mcp-method", Some(method)), ("mcp-name", name)];
    let made = all.into_iter().filter_map(|(header, text)| {
        let text = text?;
        let is_plain =
            text.bytes().all(|byte| (0x21..0x7f).contains(&byte)) && !text.starts_with("=?base64?");
        let value = if is_plain { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) };
        Some((HeaderName::from_static(header), HeaderValue::from_str(&value).ok()?))
    });
    made.collect()
}

/// A request on its way to the server.
struct Sent {
    line: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    has_progress: bool,
}

async fn answered(client: &Client, workspace: Option<&str>, sent: Sent, id: &Value) -> String {
    let Sent { line, headers, has_progress } = sent;
    let answer = if has_progress {
        // OK to ignore: a client that does not read notifications may still read the answer.
        let on_notification = |message: &[u8]| drop(print(&String::from_utf8_lossy(message)));
        client.mcp_with_progress(workspace, line, headers, MAX_CALL_TIME, on_notification).await
    } else {
        client.mcp(workspace, line, headers, MAX_CALL_TIME).await
    };
    match answer {
        Ok(answer) => match answer.refusal() {
            None => String::from_utf8_lossy(&answer.body).into_owned(),
            Some(error) => error_answer(id, -32603, &error.to_string()),
        },
        Err(error) => error_answer(id, -32603, &error.to_string()),
    }
}

fn error_answer(id: &Value, code: i32, message: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }).to_string()
}

/// Lines of standard input, read by a separate thread, which ends with the process.
fn lines() -> mpsc::Receiver<std::io::Result<String>> {
    let (sender, receiver) = mpsc::channel(WAITING_LINES);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = String::new();
            let read = (&mut input).take(MAX_MESSAGE_BYTES).read_line(&mut line);
            let read = match read {
                Ok(0) => return,
                Ok(_) if line.len() as u64 == MAX_MESSAGE_BYTES && !line.ends_with('\n') => {
                    Err(std::io::Error::other(format!("a line has more than {MAX_MESSAGE_BYTES} bytes")))
                }
                Ok(_) if line.trim().is_empty() => continue,
                Ok(_) => Ok(line),
                Err(error) => Err(error),
            };
            let is_end = read.is_err();
            if sender.blocking_send(read).is_err() || is_end {
                return;
            }
        }
    });
    receiver
}

/// One message per line, flushed at once.
fn print(message: &str) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    let written = writeln!(output, "{}", message.trim_end()).and_then(|()| output.flush());
    written.map_err(|_| Failure::ClosedPipe)
}

fn lock(under_way: &UnderWay) -> std::sync::MutexGuard<'_, HashMap<String, AbortHandle>> {
    under_way.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a task that ended before it was known stayed known for ever.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_request_is_known_until_it_is_answered() {
        let (under_way, mut tasks) = (UnderWay::default(), JoinSet::new());
        for number in 0..10_000 {
            spawn_known(&mut tasks, &under_way, number.to_string(), async {}, |()| Ok(()));
        }
        spawn_known(&mut tasks, &under_way, "slow".to_owned(), std::future::pending(), |()| Ok(()));
        for _ in 0..10_000 {
            tasks.join_next().await.expect("a task").expect("no panic").expect("printed");
        }
        assert_eq!(lock(&under_way).keys().collect::<Vec<_>>(), ["slow"]);
    }

    #[test]
    fn messages_are_classified_and_get_their_headers() {
        let check = |line: &str, expected: &str| {
            let found = match Incoming::read(line) {
                Ok(Incoming::Request { id, headers, has_progress }) => {
                    let headers: Vec<String> =
                        headers.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
                    let progress = if has_progress { "progress " } else { "" };
                    format!("{id} {progress}{}", headers.join(" "))
                }
                Ok(Incoming::Cancellation(id)) => format!("cancel {id}"),
                Ok(Incoming::Other) => "nothing".to_owned(),
                Err(answer) => answer,
            };
            assert_eq!(found.trim(), expected, "{line}");
        };
        check(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "1");
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":0}}}"#,
            "1 progress",
        );
        check(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "nothing");
        check(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#,
            "cancel \"a\"",
        );
        check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "nothing");
        check(
            r#"{"id":"x","method":"tools/call","params":{"name":"é","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
            r#""x" mcp-protocol-version="2026-07-28" mcp-method="tools/call" mcp-name="=?base64?w6k=?=""#,
        );
        assert!(Incoming::read("{").is_err_and(|answer| answer.contains("-32700")));
    }
}
