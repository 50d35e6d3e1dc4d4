//! Pages of a result of 6 million rows, at its beginning, in its middle and at its end, and the whole result.

use anyhow::Result;
use serde_json::json;

use super::Bench;
use super::export::Export;
use super::scenario::Scenario;
use super::server::Server;

const SQL: &str = "SELECT * FROM tpch.sf1.lineitem";
const ROWS: u64 = 6_001_215;
const PAGE_ROWS: u64 = 100;
/// The statement need not run again in each run of the benchmark: the cache answers.
const CACHE_SECONDS: u64 = 86_400 * 6;

pub(super) fn run(bench: &Bench, server: &Server) -> Result<()> {
    let id = server.run(&json!({ "sql": SQL, "cacheTTL": CACHE_SECONDS, "cacheRefresh": false }))?;
    let workspace = &server.workspace_id;
    let path = |query: &str| format!("/api/v1/query/{id}/result?workspaceId={workspace}{query}");
    for (name, offset) in
        [("result page, start", 0), ("result page, middle", ROWS / 2), ("result page, end", ROWS - PAGE_ROWS)]
    {
        let request = server.get_request(&path(&format!("&limit={PAGE_ROWS}&offset={offset}")));
        Scenario {
            name: name.to_owned(),
            server: &server.process,
            requests: vec![request],
            parameters: Vec::new(),
            connections: bench.connections,
            body: None,
            peers: Vec::new(),
        }
        .run(bench)?;
    }
    Export { name: "result stream, 6.0 M rows".to_owned(), server, request: server.get_request(&path("")) }
        .run(bench)
}
