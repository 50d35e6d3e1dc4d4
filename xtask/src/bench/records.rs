//! The cost of a hundred thousand records: the start of the server, and pages of their list near its beginning, in its
//! middle and at its end.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::json;

use super::Bench;
use super::load::Load;
use super::queries::CACHE_SECONDS;
use super::server::Server;

const RECORDS: u64 = 100_000;
const PAGE: u64 = 1000;
const LOOKS: usize = 5;

/// Submits statements that the cache answers until there are enough records.
pub(super) fn fill(bench: &Bench, server: &Server) -> Result<()> {
    let body = json!({
        "workspaceId": server.workspace_id, "sql": "SELECT 1 AS a", "cacheTTL": CACHE_SECONDS, "cacheRefresh": false,
    });
    server.run(&body)?;
    let requests = [server.post_request("/api/v1/query", &body)];
    while count(server)? < RECORDS {
        Load { address: server.address(), connections: bench.connections, requests: &requests }
            .run(Duration::ZERO, Duration::from_secs(1))?;
    }
    Ok(())
}

/// Measures a server that was started with the records.
pub(super) fn run(server: &Server) -> Result<()> {
    let total = count(server)?;
    println!(
        "{:<34} starts in {:.0} ms",
        format!("{total} records"),
        server.process.start.as_secs_f64() * 1000.0
    );
    for offset in [0, total / 2, total - PAGE] {
        let path =
            format!("/api/v1/queries?workspaceId={}&limit={PAGE}&offset={offset}", server.workspace_id);
        let mut times: Vec<f64> = (0..LOOKS)
            .map(|_| {
                let begun = Instant::now();
                server.get(&path)?;
                Ok(begun.elapsed().as_secs_f64() * 1000.0)
            })
            .collect::<Result<_>>()?;
        times.sort_by(f64::total_cmp);
        println!("{:<34} {:.1} ms", format!("{PAGE} of them from {offset}"), times[LOOKS / 2]);
    }
    Ok(())
}

fn count(server: &Server) -> Result<u64> {
    let list = server.get(&format!("/api/v1/queries?workspaceId={}&limit=0", server.workspace_id))?;
    list["totalCount"].as_u64().context("a count of records")
}
