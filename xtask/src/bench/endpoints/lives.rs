//! The life of a small statement as clients of the interface drive it: a submit, a poll, its rows. Each statement is
//! another one, so none is cached, and each has a durable record. DuckDB behind FastAPI answers the same in one call and
//! keeps no record.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use super::super::Bench;
use super::super::load::{Load, Requests, drive};
use super::super::scenario::median;
use super::super::server::{Server, request_bytes};
use super::peer::FastApi;
use super::{STATEMENT_CONNECTIONS, STATEMENTS};

const NAME: &str = "SELECT as submit, poll, rows";

/// Where a connection is in the life of its statement.
#[derive(Clone, Debug)]
enum Step {
    Start,
    /// The answer is the statement's record.
    Submitted {
        number: u64,
    },
    /// The same, to a poll.
    Polled {
        number: u64,
    },
    Rows {
        number: u64,
    },
}

/// What all connections send.
struct Lives<'s> {
    server: &'s Server,
    steps: Vec<Step>,
    /// Number of the next statement.
    next_number: u64,
    request: Vec<u8>,
}

pub(super) fn run(bench: &Bench, server: &Server, peer: Option<&FastApi>) -> Result<()> {
    let mut next_number = 0;
    for connections in STATEMENT_CONNECTIONS {
        let name = format!("{NAME}, {connections} connections");
        if !bench.is_wanted(&name) {
            continue;
        }
        let (mut own, mut of_peer) = (Vec::new(), Vec::new());
        let calls: Vec<Vec<u8>> = (0..STATEMENTS)
            .map(|number| request_bytes("GET", "peer", &format!("/number?n={number}"), "", None))
            .collect();
        for _ in 0..bench.rounds {
            let steps = vec![Step::Start; connections];
            let lives = Lives { server, steps, next_number, request: Vec::new() };
            own.push(drive(server.address(), connections, lives, bench.warm_up, bench.time)?);
            // Far more than were sent.
            next_number += 1_000_000;
            if let Some(peer) = peer {
                let load = Load { address: peer.address(), connections, requests: &calls };
                of_peer.push(load.run(bench.warm_up, bench.time)?);
            }
        }
        for (name, outcomes) in [(name.as_str(), own), ("  DuckDB, FastAPI, one call", of_peer)] {
            if outcomes.is_empty() {
                continue;
            }
            let outcome = median(outcomes);
            println!(
                "{name:<46} {:>9.0}/s  p50 {:.2} ms  p99 {:.2} ms",
                outcome.per_second(),
                outcome.latency(0.5),
                outcome.latency(0.99),
            );
        }
    }
    Ok(())
}

impl Requests for Lives<'_> {
    const READ_BODIES: bool = true;

    fn next(&mut self, connection: usize, body: &[u8]) -> Result<(bool, &[u8])> {
        let workspace = &self.server.workspace_id;
        let json = |body: &[u8]| {
            serde_json::from_slice::<Value>(body).with_context(|| String::from_utf8_lossy(body).into_owned())
        };
        let (is_complete, step) = match self.steps[connection] {
            Step::Start => (false, None),
            Step::Rows { number } => {
                let rows = json(body)?;
                ensure!(rows["result"] == json!([[number]]), "the rows of SELECT {number}: {rows}");
                (true, None)
            }
            Step::Submitted { number } | Step::Polled { number } => {
                let record = json(body)?;
                let id = record["id"].as_str().with_context(|| format!("a record without id: {record}"))?;
                let has_polled = matches!(self.steps[connection], Step::Polled { .. });
                let path = match record["status"].as_str() {
                    Some("FAILED") => bail!("SELECT {number} failed: {record}"),
                    Some("FINISHED") if has_polled => {
                        format!("/api/v1/query/{id}/result?workspaceId={workspace}&limit=10")
                    }
                    _ => format!("/api/v1/query/{id}?workspaceId={workspace}&wait=30"),
                };
                self.request = self.server.get_request(&path);
                let is_finished = has_polled && record["status"] == "FINISHED";
                (false, Some(if is_finished { Step::Rows { number } } else { Step::Polled { number } }))
            }
        };
        self.steps[connection] = match step {
            Some(step) => step,
            None => {
                let number = self.next_number;
                self.next_number += 1;
                let body = json!({ "workspaceId": workspace, "sql": format!("SELECT {number} AS a") });
                self.request = self.server.post_request("/api/v1/query", &body);
                Step::Submitted { number }
            }
        };
        Ok((is_complete, &self.request))
    }
}
