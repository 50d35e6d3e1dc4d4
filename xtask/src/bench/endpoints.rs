//! Calls of an endpoint: with cached results over the sample's rows, a view and a file; with a run each time; and
//! statements in one call. The latter two are compared with DuckDB behind FastAPI.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::json;

mod lives;
mod peer;

use peer::FastApi;

use super::Bench;
use super::process::programs;
use super::scenario::Scenario;
use super::server::Server;

/// Number of different calls of a scenario, each with a cached result of its own.
const CALLS: usize = 64;
/// Number of calls that run, one after the other.
const RUNS: usize = 100;
/// Number of different statements.
const STATEMENTS: usize = 4096;

/// Numbers of connections that send them.
const STATEMENT_CONNECTIONS: [usize; 3] = [1, 16, 64];

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
            parameters: values(CALLS),
            connections: bench.connections,
            body: None,
            peers: Vec::new(),
        };
        scenario.run(bench)?;
    }
    let folder = programs()?.join("rowhouse-samples/tpch/tiny");
    let peer = FastApi::start(&bench.python, &folder)?;
    runs(bench, server, peer.as_ref())?;
    statements(bench, server, peer.as_ref())?;
    lives::run(bench, server, peer.as_ref())
}

/// Calls of an endpoint that runs each time, one after the other, and the engine's share of their time.
fn runs(bench: &Bench, server: &Server, peer: Option<&FastApi>) -> Result<()> {
    const NAME: &str = "endpoint that runs";
    if !bench.is_wanted(NAME) {
        return Ok(());
    }
    make(server, "bench_runs", &format!("-- Parameter: n integer required\n{GROUPS}"))?;
    let path = |number: usize| format!("/v1/data/demo/endpoint/bench_runs?n={number}");
    let scenario = Scenario {
        name: NAME.to_owned(),
        server: &server.process,
        requests: (0..CALLS).map(|number| server.get_request(&path(number))).collect(),
        parameters: values(CALLS),
        connections: 1,
        body: None,
        peers: peer.map(|peer| peer.of(NAME, "/groups?n={n}")).transpose()?.into_iter().collect(),
    };
    scenario.run(bench)?;
    let mut over = Vec::with_capacity(RUNS);
    let (mut planning, mut execution) = (0.0, 0.0);
    for number in 0..RUNS {
        let timing = server.header(&path(number), "server-timing")?;
        let [plan, run, total] = ["plan", "run", "total"].map(|part| duration(&timing, part));
        let (plan, run, total) = (plan?, run?, total?);
        over.push(total - run);
        planning += plan;
        execution += run;
    }
    over.sort_by(f64::total_cmp);
    let runs = RUNS as f64;
    println!(
        "  of {RUNS} calls: p50 {:.2} ms above the running, which takes {:.2} ms; planning {:.2} ms (both without parts of \
         milliseconds)",
        over[RUNS / 2],
        execution / runs,
        planning / runs
    );
    Ok(())
}

/// `SELECT` of a different number each time, with one `POST /query`.
fn statements(bench: &Bench, server: &Server, peer: Option<&FastApi>) -> Result<()> {
    const NAME: &str = "SELECT in one call";
    for connections in STATEMENT_CONNECTIONS {
        let name = format!("{NAME}, {connections} connections");
        let body = |number: usize| json!({ "workspaceId": server.workspace_id, "sql": format!("SELECT {number} AS a"), "wait": 30, "rows": 10 });
        let scenario = Scenario {
            requests: (0..STATEMENTS)
                .map(|number| server.post_request("/api/v1/query", &body(number)))
                .collect(),
            parameters: values(STATEMENTS),
            server: &server.process,
            connections,
            body: Some(body(0)),
            peers: peer.map(|peer| peer.of(&name, "/number?n={n}")).transpose()?.into_iter().collect(),
            name,
        };
        scenario.run(bench)?;
    }
    Ok(())
}

fn values(count: usize) -> Vec<Vec<(&'static str, String)>> {
    (0..count).map(|number| vec![("n", number.to_string())]).collect()
}

/// A part of `Server-Timing`, in milliseconds.
fn duration(timing: &str, part: &str) -> Result<f64> {
    let found = timing.split(", ").find_map(|entry| entry.strip_prefix(part)?.strip_prefix(";dur="));
    Ok(found.with_context(|| format!("no {part} in {timing}"))?.parse()?)
}

/// Saves an endpoint, unless an earlier run has.
fn make(server: &Server, name: &str, sql: &str) -> Result<()> {
    let saved = server.get(&format!("/api/v1/sqls?workspaceId={}", server.workspace_id))?;
    let known = saved.as_array().context("a list")?.iter().any(|saved| saved["sqlName"] == name);
    if !known {
        let body = json!({ "workspaceId": server.workspace_id, "title": name, "sqlName": name, "sql": sql });
        server.post("/api/v1/sql", &body)?;
    }
    Ok(())
}
