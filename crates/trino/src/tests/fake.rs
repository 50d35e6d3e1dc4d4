//! A server that replays a recorded exchange, one page per request, with injected faults; and an executor for it.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rowhouse_model::{Column, EngineKind, QueryError, StatementId, StatementParameters, Timestamp};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::{TrinoCluster, TrinoExecutor};
use rowhouse_executor::catalog::CatalogSnapshot;
use rowhouse_executor::clock::{Clock, ManualClock, SystemClock};
use rowhouse_executor::{Execution, ExecutionEvent, Statement};
use rowhouse_rows::{ArrowFile, ProjectedColumn, RowFormat, RowSelection, RowShape};

/// A fault instead of a page.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// A status and headers, without a body.
    Status(u16, &'static str),
    /// The page's head and half of its body, then the end of the connection.
    ResetInMidPage,
    /// The end of the connection before any byte.
    Close,
    /// The page in two halves with a pause between them.
    Slow(Duration),
    /// Another body.
    Body(String),
    /// A status and a body that does not end.
    Endless(u16),
    /// No answer at all.
    Hang,
}

/// A received request: method and path, and the headers in lower case.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) line: String,
    pub(super) headers: Vec<String>,
}

pub(super) struct FakeTrino {
    pub(super) address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Pages by method and path.
    pages: HashMap<String, Vec<u8>>,
    /// Redirects: a target path, by method and path.
    moved: HashMap<String, String>,
    /// Requests that are never answered, by method and path.
    held: HashSet<String>,
    /// Faults by the number of the request, from 0.
    faults: BTreeMap<usize, VecDeque<Fault>>,
    seen: Vec<Seen>,
}

impl FakeTrino {
    /// Replays these pages; `{BASE}` in them is this server.
    pub(super) async fn replay(pages: &[String]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut state = State::default();
        let mut path = "POST /v1/statement".to_owned();
        for page in pages {
            let page = page.replace("{BASE}", &format!("http://{address}"));
            let head: serde_json::Value = serde_json::from_str(&page).unwrap_or_default();
            let next = head["nextUri"].as_str().map(str::to_owned);
            state.pages.insert(path.clone(), page.into_bytes());
            if let Some(next) = next {
                path = format!("GET {}", next.trim_start_matches(&format!("http://{address}")));
            }
        }
        let state = Arc::new(Mutex::new(state));
        tokio::spawn(accept(listener, Arc::clone(&state)));
        Self { address, state }
    }

    /// Injects a fault at a request, counted from 0; several for one number apply to consecutive requests.
    pub(super) fn plan(&self, request: usize, fault: Fault) {
        self.state.lock().unwrap().faults.entry(request).or_default().push_back(fault);
    }

    /// Serves a body at a path.
    pub(super) fn put(&self, path: &str, body: impl Into<Vec<u8>>) {
        self.state.lock().unwrap().pages.insert(format!("GET {path}"), body.into());
    }

    /// Redirects one path to another.
    pub(super) fn redirect(&self, path: &str, place: &str) {
        self.state.lock().unwrap().moved.insert(format!("GET {path}"), place.to_owned());
    }

    /// Never answers requests for a path.
    pub(super) fn hold(&self, path: &str) {
        self.state.lock().unwrap().held.insert(format!("GET {path}"));
    }

    /// The requests so far.
    pub(super) fn seen(&self) -> Vec<Seen> {
        self.state.lock().unwrap().seen.clone()
    }

    pub(super) fn count(&self, method: &str) -> usize {
        self.seen().iter().filter(|seen| seen.line.starts_with(method)).count()
    }

    pub(super) fn cluster(&self) -> TrinoCluster {
        TrinoCluster::new(format!("http://{}", self.address))
    }

    /// Runs a statement against it in a temporary folder.
    pub(super) async fn run(&self) -> Outcome {
        Bench::new(self.cluster()).run("SELECT 1").await
    }
}

/// How a statement ended, and its events.
pub(super) struct Outcome {
    pub(super) result: Result<Execution, QueryError>,
    pub(super) events: Vec<ExecutionEvent>,
    pub(super) output: std::path::PathBuf,
    folder: Arc<tempfile::TempDir>,
}

impl Outcome {
    /// The rows as JSON arrays.
    pub(super) fn rows(&self) -> Vec<serde_json::Value> {
        let columns = &self.result.as_ref().unwrap().columns;
        serde_json::from_slice(&encoded(&self.output, columns, RowFormat::Json)).unwrap()
    }

    /// Number of remaining journal entries.
    pub(super) fn notes(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("trino")).map_or(0, Iterator::count)
    }
}

pub(super) fn encoded(path: &std::path::Path, columns: &[Column], format: RowFormat) -> Vec<u8> {
    let file = ArrowFile::open(path).unwrap();
    let columns: Vec<_> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| ProjectedColumn { name: column.name.clone(), index })
        .collect();
    let all = RowSelection::Range { offset: 0, limit: u64::MAX };
    let mut source = rowhouse_rows::encode(file, &columns, all, RowShape::Arrays, format).unwrap();
    let mut bytes = Vec::new();
    while let Some(chunk) = source.next_chunk().unwrap() {
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

/// An executor with one cluster.
pub(super) struct Bench {
    pub(super) folder: Arc<tempfile::TempDir>,
    pub(super) executor: Arc<TrinoExecutor>,
}

impl Bench {
    pub(super) fn new(cluster: TrinoCluster) -> Self {
        Self::with_clock(cluster, Arc::new(SystemClock::new()))
    }

    pub(super) fn with_clock(cluster: TrinoCluster, clock: Arc<dyn Clock>) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let clusters = BTreeMap::from([(None, cluster)]);
        let executor = Arc::new(TrinoExecutor::new(&clusters, folder.path(), &clock).unwrap());
        Self { folder, executor }
    }

    pub(super) fn statement(&self, sql: &str) -> Statement {
        Statement {
            id: StatementId::new("20260101_000000_00000_local"),
            engine: EngineKind::Trino { cluster: None },
            sql: sql.to_owned(),
            parameters: StatementParameters::default(),
            catalog: CatalogSnapshot {
                default_catalog: "rowhouse".to_owned(),
                default_schema: "demo".to_owned(),
                own_schema: "demo".to_owned(),
                other_schemas: Vec::new(),
                queries: Vec::new(),
                session_properties: Vec::new(),
                tables: Vec::new(),
                tpch_dir: None,
            },
            session: rowhouse_executor::StatementSession::default(),
            user: "ann".to_owned(),
            now: Timestamp::from_millis(0),
            output: self.folder.path().join("rows.arrow.partial"),
            output_limit: None,
        }
    }

    pub(super) async fn run(&self, sql: &str) -> Outcome {
        let events = Arc::new(Mutex::new(Vec::new()));
        let sink = {
            let events = Arc::clone(&events);
            Box::new(move |event| events.lock().unwrap().push(event))
        };
        let statement = self.statement(sql);
        let output = statement.output.clone();
        let result = self.executor.execute(statement, sink).await;
        self.executor.settle().await;
        let events = std::mem::take(&mut *events.lock().unwrap());
        Outcome { result, events, output, folder: Arc::clone(&self.folder) }
    }
}

/// A clock that a task advances, so that back-off costs no time.
pub(super) fn driven_clock() -> Arc<ManualClock> {
    let clock = Arc::new(ManualClock::new(Timestamp::from_millis(0)));
    let driven = Arc::clone(&clock);
    tokio::spawn(async move {
        loop {
            driven.advance(Duration::from_millis(500));
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    clock
}

/// The pages of a recorded exchange.
pub(super) fn recorded(name: &str) -> Vec<String> {
    let text = match name {
        "types" => include_str!("recorded/types.jsonl"),
        "nation" => include_str!("recorded/nation.jsonl"),
        "division_by_zero" => include_str!("recorded/division_by_zero.jsonl"),
        "no_such_table" => include_str!("recorded/no_such_table.jsonl"),
        _ => panic!("{name} was not recorded"),
    };
    text.lines().map(str::to_owned).collect()
}

async fn accept(listener: TcpListener, state: Arc<Mutex<State>>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, Arc::clone(&state)));
    }
}

async fn serve(stream: TcpStream, state: Arc<Mutex<State>>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok().filter(|length| *length > 0)?;
        let mut headers = Vec::new();
        loop {
            let mut header = String::new();
            stream.read_line(&mut header).await.ok()?;
            let header = header.trim().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            headers.push(header);
        }
        let length = headers.iter().find_map(|header| header.strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        stream.read_exact(&mut body).await.ok()?;
        let asked = line.trim().trim_end_matches(" HTTP/1.1").to_owned();
        let (fault, page, place) = {
            let mut state = state.lock().unwrap();
            let number = state.seen.len();
            state.seen.push(Seen { line: asked.clone(), headers });
            let planned = state.faults.get_mut(&number).and_then(VecDeque::pop_front);
            let fault = if state.held.contains(&asked) { Some(Fault::Hang) } else { planned };
            (fault, state.pages.get(&asked).cloned(), state.moved.get(&asked).cloned())
        };
        let out = stream.get_mut();
        let answer = |status: &str, extra: &str, body: &[u8]| {
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{extra}\r\n", body.len());
            [head.as_bytes(), body].concat()
        };
        let whole = match (&page, &place) {
            _ if asked.starts_with("DELETE") => b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(),
            (Some(page), _) => answer("200 OK", "", page),
            (None, Some(place)) => answer("303 See Other", &format!("location: {place}\r\n"), b""),
            (None, None) => answer("404 Not Found", "", b""),
        };
        match fault {
            None => out.write_all(&whole).await.ok()?,
            Some(Fault::Status(status, extra)) => {
                out.write_all(&answer(&format!("{status} Planned"), extra, b"")).await.ok()?;
            }
            Some(Fault::Body(body)) => out.write_all(&answer("200 OK", "", body.as_bytes())).await.ok()?,
            Some(Fault::Close) => return None,
            Some(Fault::ResetInMidPage) => {
                out.write_all(&whole[..whole.len() / 2]).await.ok()?;
                return None;
            }
            Some(Fault::Slow(pause)) => {
                let (first, second) = whole.split_at(whole.len() / 2);
                out.write_all(first).await.ok()?;
                tokio::time::sleep(pause).await;
                out.write_all(second).await.ok()?;
            }
            Some(Fault::Endless(status)) => {
                let head = format!("HTTP/1.1 {status} Planned\r\ncontent-length: 1000000000\r\n\r\n");
                out.write_all(head.as_bytes()).await.ok()?;
                loop {
                    out.write_all(&[b'x'; 100]).await.ok()?;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
            Some(Fault::Hang) => std::future::pending().await,
        }
    }
}
