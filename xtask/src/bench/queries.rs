//! The life of a statement: polling a record, a submit that the cache answers, and a tiny statement from its submit to
//! its rows. Every submit is durable before its answer.

use std::time::Instant;

use anyhow::Result;
use serde_json::json;

use super::Bench;
use super::scenario::Scenario;
use super::server::Server;

pub(super) const CACHE_SECONDS: u64 = 86_400 * 6;
const GROUP_COMMIT_CONNECTIONS: [usize; 3] = [1, 8, 512];
/// Number of tiny statements, run one after the other.
const TINY_STATEMENTS: usize = 200;

pub(super) fn run(bench: &Bench, server: &Server) -> Result<()> {
    let sql = "SELECT count(*) AS orders FROM tpch.tiny.orders";
    let body = json!({
        "workspaceId": server.workspace_id, "sql": sql, "cacheTTL": CACHE_SECONDS, "cacheRefresh": false,
    });
    let id = server.run(&body)?;
    let scenario = |name: &str, request: Vec<u8>, body: Option<serde_json::Value>| Scenario {
        name: name.to_owned(),
        server: &server.process,
        requests: vec![request],
        parameters: Vec::new(),
        connections: bench.connections,
        body,
        peers: Vec::new(),
    };
    let poll = format!("/api/v1/query/{id}?workspaceId={}", server.workspace_id);
    scenario("poll", server.get_request(&poll), None).run(bench)?;
    let submit = || server.post_request("/api/v1/query", &body);
    scenario("submit cached", submit(), Some(body.clone())).run(bench)?;
    // Group commit: one sync of the disk serves all waiting clients.
    for connections in GROUP_COMMIT_CONNECTIONS {
        let name = format!("submit cached, {connections} connections");
        Scenario { connections, ..scenario(&name, submit(), Some(body.clone())) }.run(bench)?;
    }

    let mut times: Vec<f64> = (0..TINY_STATEMENTS)
        .map(|number| {
            let begun = Instant::now();
            server.run(&json!({ "sql": format!("SELECT {number} AS a") }))?;
            Ok(begun.elapsed().as_secs_f64() * 1000.0)
        })
        .collect::<Result<_>>()?;
    times.sort_by(f64::total_cmp);
    let at = |quantile: f64| times[(times.len() as f64 * quantile) as usize];
    println!("{:<34} p50 {:.2} ms  p99 {:.2} ms, submit to FINISHED", "submit tiny", at(0.5), at(0.99));
    Ok(())
}
