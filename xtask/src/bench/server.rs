//! The server under test from a client's side: requests as prebuilt bytes, and the few plain requests of the set-up.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::process::Process;

/// Maximum time of a set-up statement: views of many rows are created.
const STATEMENT_PATIENCE: Duration = Duration::from_secs(600);

/// A running server and the token of its client.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) process: Process,
    token: String,
    pub(super) workspace_id: String,
}

impl Server {
    /// Starts it on a data directory, which is created if missing.
    pub(super) fn start(data_dir: &Path, arguments: &[&str]) -> Result<Self> {
        if let Some(parent) = data_dir.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let process = Process::rowhouse(data_dir, arguments)?;
        let token = std::fs::read_to_string(data_dir.join("admin-token"))?.trim().to_owned();
        let mut server = Self { process, token, workspace_id: String::new() };
        let workspaces = server.get("/api/v1/workspaces")?;
        let demo = workspaces.as_array().into_iter().flatten().find(|space| space["sqlName"] == "demo");
        let id = demo.and_then(|demo| demo["id"].as_str()).context("the workspace demo")?;
        server.workspace_id = id.to_owned();
        Ok(server)
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.process.address
    }

    /// A GET as the load generator sends it.
    pub(super) fn get_request(&self, path: &str) -> Vec<u8> {
        self.request("GET", path, "", None)
    }

    /// A GET with further headers, each ended by `\r\n`.
    pub(super) fn get_request_with(&self, path: &str, headers: &str) -> Vec<u8> {
        self.request("GET", path, headers, None)
    }

    /// A POST of JSON.
    pub(super) fn post_request(&self, path: &str, body: &Value) -> Vec<u8> {
        self.request("POST", path, "", Some(body))
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: Option<&Value>) -> Vec<u8> {
        let authorization = format!("authorization: Token {}\r\n{headers}", self.token);
        request_bytes(method, &self.address().to_string(), path, &authorization, body)
    }

    /// The JSON response of a GET.
    pub(super) fn get(&self, path: &str) -> Result<Value> {
        self.exchange(&self.request("GET", path, "connection: close\r\n", None)).context(path.to_owned())
    }

    /// The JSON response of a POST.
    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.exchange(&self.request("POST", path, "connection: close\r\n", Some(body)))
            .context(path.to_owned())
    }

    /// A header of the answer to a GET.
    pub(super) fn header(&self, path: &str, name: &str) -> Result<String> {
        let (head, _) = self.answer(&self.request("GET", path, "connection: close\r\n", None))?;
        let head = String::from_utf8(head)?;
        let value = head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        });
        value.with_context(|| format!("{path}: no {name}"))
    }

    fn exchange(&self, request: &[u8]) -> Result<Value> {
        let (head, body) = self.answer(request)?;
        let is_chunked = memchr::memmem::find(&head, b"transfer-encoding: chunked").is_some();
        Ok(if is_chunked { serde_json::from_slice(&joined(&body)?)? } else { serde_json::from_slice(&body)? })
    }

    /// Head and body of an answer that is 200.
    fn answer(&self, request: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
        let mut stream = TcpStream::connect(self.address())?;
        stream.write_all(request)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let end = memchr::memmem::find(&answer, b"\r\n\r\n").context("an answer without a head")?;
        let (head, body) = answer.split_at(end + 4);
        if head.get(9..12) != Some(b"200") {
            bail!("{}{}", String::from_utf8_lossy(head), String::from_utf8_lossy(body));
        }
        Ok((head.to_owned(), body.to_owned()))
    }

    /// Runs a statement to its end; returns its id.
    pub(super) fn run(&self, body: &Value) -> Result<String> {
        let mut body = body.clone();
        body["workspaceId"] = json!(self.workspace_id);
        let query = self.post("/api/v1/query", &body)?;
        let id = query["id"].as_str().context("a query without id")?;
        self.finish(id)?;
        Ok(id.to_owned())
    }

    fn finish(&self, id: &str) -> Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < STATEMENT_PATIENCE {
            let query = self.get(&format!("/api/v1/query/{id}?workspaceId={}&wait=30", self.workspace_id))?;
            match query["status"].as_str() {
                Some("FINISHED") => return Ok(()),
                Some("FAILED") => bail!("a statement failed: {}", query["error"]),
                _ => {}
            }
        }
        bail!("a statement took more than {STATEMENT_PATIENCE:?}")
    }

    /// Creates a view, unless an earlier run has created it.
    pub(super) fn make_view(&self, name: &str, sql: &str) -> Result<()> {
        let workspace = &self.workspace_id;
        let views = self.get(&format!("/api/v1/materializedViews?workspaceId={workspace}"))?;
        let known = views.as_array().into_iter().flatten().find(|view| view["sqlName"] == name);
        if known.is_some_and(|view| view["sql"] == sql && !view["generation"].is_null()) {
            return Ok(());
        }
        if let Some(id) = known.and_then(|view| view["id"].as_str()) {
            bail!("the view {name} ({id}) is another one: remove the data directory");
        }
        let body = json!({ "workspaceId": workspace, "sqlName": name, "sql": sql });
        let view = self.post("/api/v1/materializedView", &body)?;
        let refresh = view["refreshQueryId"].as_str().with_context(|| format!("{view}"))?;
        self.finish(refresh)
    }
}

/// The body of a chunked response.
fn joined(mut chunks: &[u8]) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = memchr::memmem::find(chunks, b"\r\n").context("a chunk without a length")?;
        let length = usize::from_str_radix(std::str::from_utf8(&chunks[..end])?, 16)?;
        if length == 0 {
            return Ok(body);
        }
        body.extend_from_slice(chunks.get(end + 2..end + 2 + length).context("a chunk that was cut off")?);
        chunks = chunks.get(end + 2 + length + 2..).context("a chunk that was cut off")?;
    }
}

/// An HTTP/1.1 request.
pub(super) fn request_bytes(
    method: &str,
    host: &str,
    path: &str,
    headers: &str,
    body: Option<&Value>,
) -> Vec<u8> {
    let body = body.map(Value::to_string);
    let length = body.as_ref().map_or_else(String::new, |body| {
        format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len())
    });
    let body = body.unwrap_or_default();
    format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\n{headers}{length}\r\n{body}").into_bytes()
}
