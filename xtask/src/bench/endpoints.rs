//! Calls of an endpoint: of those whose kept results answer, over the sample's rows, a view and a file, and of one that runs each
//! time.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::json;

use super::Bench;
use super::scenario::Scenario;
use super::server::Server;

/// Number of different calls of a scenario, each with a cached result of its own.
const CALLS: usize = 64;
/// Number of calls that run, one after the other.
const RUNS: usize = 100;

/// Sums of 60 thousand rows in four groups.
const GROUPS: &str = "SELECT l_returnflag, l_linestatus, sum(l_quantity) AS quantity, count(*) AS n FROM tpch.tiny.lineitem \
                      WHERE l_linenumber <> :n GROUP BY l_returnflag, l_linestatus";

pub(super) fn run(bench: &Bench, server: &Server, data_dir: &Path) -> Result<()> {
    let declared = "-- Parameter: n integer required\n-- Cache: 6d\n";
    let of_sample = format!("{declared}{GROUPS}");
    make(server, "bench_groups", &of_sample)?;
    server.make_view("bench_regions", "SELECT r_regionkey, r_name FROM tpch.tiny.region")?;
    let of_view = "SELECT r_regionkey, r_name FROM bench_regions WHERE r_regionkey <> :n";
    make(server, "bench_regions", &format!("{declared}{of_view}"))?;
    let rows = "SELECT o_orderkey, o_custkey, o_orderstatus, o_totalprice, o_orderdate FROM tpch.tiny.orders \
                WHERE o_orderkey > :n ORDER BY o_orderkey LIMIT 100";
    make(server, "bench_rows", &format!("{declared}{rows}"))?;
    let numbers = data_dir.join("numbers.csv");
    if !numbers.exists() {
        let lines: Vec<String> = (0..1000).map(|number| format!("{number},{}", number * 7)).collect();
        std::fs::write(&numbers, format!("a,b\n{}\n", lines.join("\n")))?;
        let table =
            json!({ "workspaceId": server.workspace_id, "name": "bench_numbers", "location": numbers });
        server.post("/api/v1/table", &table)?;
    }
    let of_file = "SELECT count(*) AS n, sum(b) AS sum FROM bench_numbers WHERE a >= :n";
    make(server, "bench_file", &format!("{declared}{of_file}"))?;
    for (name, endpoint) in [
        ("endpoint, 4 groups", "bench_groups"),
        ("endpoint, 100 rows", "bench_rows"),
        ("endpoint of a view", "bench_regions"),
        ("endpoint of a file", "bench_file"),
    ] {
        let paths: Vec<String> =
            (0..CALLS).map(|number| format!("/v1/data/demo/endpoint/{endpoint}?n={number}")).collect();
        for path in &paths {
            // Called twice, so that its result is cached from then on.
            server.get(path)?;
            server.get(path)?;
        }
        let scenario = Scenario {
            name: name.to_owned(),
            server: &server.process,
            requests: paths.iter().map(|path| server.get_request(path)).collect(),
            parameters: (0..CALLS).map(|number| vec![("n", number.to_string())]).collect(),
            connections: bench.connections,
            body: None,
        };
        scenario.run(bench)?;
    }
    if bench.is_wanted("endpoint that runs") {
        make(server, "bench_runs", &format!("-- Parameter: n integer required\n{GROUPS}"))?;
        let mut times: Vec<f64> = (0..RUNS)
            .map(|number| {
                let begun = Instant::now();
                server.get(&format!("/v1/data/demo/endpoint/bench_runs?n={number}"))?;
                Ok(begun.elapsed().as_secs_f64() * 1000.0)
            })
            .collect::<Result<_>>()?;
        times.sort_by(f64::total_cmp);
        let at = |quantile: f64| times[(times.len() as f64 * quantile) as usize];
        println!(
            "{:<34} p50 {:.2} ms  p99 {:.2} ms, on a new connection",
            "endpoint that runs",
            at(0.5),
            at(0.99)
        );
    }
    Ok(())
}

/// Saves an endpoint, unless an earlier run has saved it.
fn make(server: &Server, name: &str, sql: &str) -> Result<()> {
    let saved = server.get(&format!("/api/v1/sqls?workspaceId={}", server.workspace_id))?;
    let known = saved.as_array().context("a list")?.iter().any(|saved| saved["sqlName"] == name);
    if !known {
        let body = json!({ "workspaceId": server.workspace_id, "title": name, "sqlName": name, "sql": sql });
        server.post("/api/v1/sql", &body)?;
    }
    Ok(())
}
