//! A server of bytes: each request takes the next step of the script, regardless of its content. It scripts faults of a
//! connection exactly, which an HTTP server library would not do.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rowhouse_client::{Client, ClientBuilder, RetryPolicy};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// The answer to a request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// These bytes; the connection stays.
    Send(Vec<u8>),
    /// These bytes, then the connection is closed.
    SendAndClose(Vec<u8>),
    /// The connection is closed without a byte.
    Close,
    /// A pause, then these bytes.
    Late(Duration, Vec<u8>),
    /// These pieces, flushed one by one.
    Pieces(Vec<Vec<u8>>),
}

/// A received request.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// `GET /path?query`
    pub(crate) line: String,
    /// The head's further lines, in lower case.
    pub(crate) headers: Vec<String>,
    /// The body.
    pub(crate) body: String,
}

pub(crate) struct ScriptedServer {
    address: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl ScriptedServer {
    pub(crate) fn start(script: impl IntoIterator<Item = Step>) -> Self {
        Self::start_after(Duration::ZERO, script)
    }

    /// A server whose port is reserved at once and refuses connections until the pause is over.
    pub(crate) fn start_after(pause: Duration, script: impl IntoIterator<Item = Step>) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a free port");
        let address = format!("http://{}", socket.local_addr().expect("an address"));
        let seen = Arc::default();
        let script = Arc::new(Mutex::new(script.into_iter().collect::<VecDeque<Step>>()));
        let listen = |socket: TcpSocket| socket.listen(16).expect("the port is taken already");
        let seen_there = Arc::clone(&seen);
        if pause.is_zero() {
            tokio::spawn(serve(listen(socket), script, seen_there));
        } else {
            tokio::spawn(async move {
                tokio::time::sleep(pause).await;
                serve(listen(socket), script, seen_there).await;
            });
        }
        Self { address, seen }
    }

    /// A client with short pauses and deadlines.
    pub(crate) fn builder(&self) -> ClientBuilder {
        Client::builder(&self.address)
            .token("secret-of-the-test")
            .response_timeout(Duration::from_secs(1))
            .read_timeout(Duration::from_secs(1))
            .retry(RetryPolicy { first_pause: Duration::from_millis(5), ..RetryPolicy::default() })
    }

    pub(crate) fn client(&self) -> Client {
        self.builder().build().expect("a client")
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("no test panics with the lock").clone()
    }

    /// `GET /path?query` of each request.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }
}

/// An answer with a length.
pub(crate) fn answer(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n{headers}\r\n{body}").into_bytes()
}

/// 200 with this body.
pub(crate) fn ok(body: impl ToString) -> Step {
    Step::Send(answer(200, "", &body.to_string()))
}

/// An error body of this status and code; `headers` end with CRLF.
pub(crate) fn refusal(status: u16, code: &str, headers: &str) -> Step {
    let body = serde_json::json!({ "code": code, "message": format!("it is {code}"), "requestId": "req_7" });
    Step::Send(answer(status, headers, &body.to_string()))
}

async fn serve(listener: TcpListener, script: Arc<Mutex<VecDeque<Step>>>, seen: Arc<Mutex<Vec<Seen>>>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(connection(stream, Arc::clone(&script), Arc::clone(&seen)));
    }
}

async fn connection(
    mut stream: TcpStream,
    script: Arc<Mutex<VecDeque<Step>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
) -> Option<()> {
    loop {
        let request = read_request(&mut stream).await?;
        seen.lock().expect("no test panics with the lock").push(request);
        let step = script.lock().expect("no test panics with the lock").pop_front();
        match step.unwrap_or_else(|| refusal(418, "SCRIPT_IS_OVER", "")) {
            Step::Send(bytes) => stream.write_all(&bytes).await.ok()?,
            Step::Late(pause, bytes) => {
                tokio::time::sleep(pause).await;
                stream.write_all(&bytes).await.ok()?;
            }
            Step::Pieces(pieces) => {
                for piece in pieces {
                    stream.write_all(&piece).await.ok()?;
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            }
            Step::SendAndClose(bytes) => {
                stream.write_all(&bytes).await.ok()?;
                return None;
            }
            Step::Close => return None,
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.lines();
    let line = lines.next()?.trim_end_matches(" HTTP/1.1").to_owned();
    let headers: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_lowercase).collect();
    let length: usize = headers
        .iter()
        .find_map(|header| header.strip_prefix("content-length: "))
        .map_or(0, |length| length.parse().expect("a length"));
    while bytes.len() < head_end + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(Seen { line, headers, body: String::from_utf8_lossy(&bytes[head_end..]).into_owned() })
}
