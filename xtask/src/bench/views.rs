//! Reads of a materialized view of TPC-H `orders`: a row by its key, pages by a range of dates and at a random offset,
//! and all rows.

use anyhow::Result;

use super::Bench;
use super::export::Export;
use super::numbers::Numbers;
use super::scenario::Scenario;
use super::server::Server;

/// Number of different requests of a scenario: with few, a core's cache could hold all answers.
const REQUESTS: usize = 4096;
/// Months of `o_orderdate`, the last one incomplete.
const MONTHS: u64 = 79;

/// Rows of scale 1, and how many times they are repeated under other keys.
const ROWS: u64 = 1_500_000;
const KEYS: u64 = 6_000_000;

/// Creates the views, unless they exist: one that is read by key, one by date, one without required filters.
pub(super) fn prepare(server: &Server, copies: u64) -> Result<()> {
    let suffix = if copies == 1 { String::new() } else { format!("_x{copies}") };
    let source = match copies {
        1 => "SELECT * FROM tpch.sf1.orders".to_owned(),
        _ => {
            let columns = "o_custkey, o_orderstatus, o_totalprice, o_orderdate, o_orderpriority, o_clerk, \
                           o_shippriority, o_comment";
            let numbers: Vec<String> = (0..copies).map(|copy| format!("({copy})")).collect();
            format!(
                "SELECT o_orderkey + {KEYS} * c.n AS o_orderkey, {columns} FROM tpch.sf1.orders \
                 CROSS JOIN (VALUES {}) AS c(n)",
                numbers.join(", ")
            )
        }
    };
    for (name, required) in [("by_key", "\"o_orderkey:eq\""), ("by_date", "\"o_orderdate\""), ("orders", "")]
    {
        let comment = match required {
            "" => String::new(),
            _ => format!("-- Service API: required({required})\n"),
        };
        server.make_view(&format!("bench_{name}{suffix}"), &format!("{comment}{source}"))?;
    }
    Ok(())
}

/// Measures reads of the views with this many copies of `orders`.
pub(super) fn run(bench: &Bench, server: &Server, copies: u64) -> Result<()> {
    prepare(server, copies)?;
    let suffix = if copies == 1 { String::new() } else { format!("_x{copies}") };
    let path =
        |view: &str, query: &str| format!("/v1/data/demo/materializedView/bench_{view}{suffix}?{query}");
    let of_rows = |name: &str| format!("{name}, {:.1} M rows", (ROWS * copies) as f64 / 1e6);
    let mut numbers = Numbers::new();

    // TPC-H numbers orders sparsely: 8 of each 32 keys.
    let keys: Vec<u64> = (0..REQUESTS)
        .map(|_| {
            let order = numbers.below(ROWS * copies);
            order / 8 * 32 + order % 8 + 1
        })
        .collect();
    let scenario = |name: &str, paths: Vec<String>, parameters| Scenario {
        name: name.to_owned(),
        server: &server.process,
        requests: paths.iter().map(|path| server.get_request(path)).collect(),
        parameters,
        connections: bench.connections,
        body: None,
        peers: Vec::new(),
    };
    let paths = keys.iter().map(|key| path("by_key", &format!("filters=o_orderkey:EQ:{key}")));
    let parameters = keys.iter().map(|key| vec![("key", key.to_string())]);
    scenario(&of_rows("point"), paths.collect(), parameters.collect()).run(bench)?;

    let months: Vec<(String, String)> = (0..REQUESTS)
        .map(|_| {
            let month = numbers.below(MONTHS);
            let first = |month: u64| format!("{}-{:02}-01", 1992 + month / 12, month % 12 + 1);
            (first(month), first(month + 1))
        })
        .collect();
    let paths = months.iter().map(|(from, to)| {
        path("by_date", &format!("filters=o_orderdate:GTE:{from}&filters=o_orderdate:LT:{to}&limit=100"))
    });
    let parameters = months.iter().map(|(from, to)| vec![("from", from.clone()), ("to", to.clone())]);
    scenario(&of_rows("range page"), paths.collect(), parameters.collect()).run(bench)?;

    let offsets: Vec<u64> = (0..REQUESTS).map(|_| numbers.below(ROWS * copies - 100)).collect();
    let paths = offsets.iter().map(|offset| path("orders", &format!("limit=100&offset={offset}")));
    let parameters = offsets.iter().map(|offset| vec![("offset", offset.to_string())]);
    scenario(&of_rows("offset page"), paths.collect(), parameters.collect()).run(bench)?;

    for (name, headers) in [
        ("export", ""),
        ("export gzip", "accept-encoding: gzip\r\n"),
        ("export zstd", "accept-encoding: zstd\r\n"),
    ] {
        Export {
            name: of_rows(name),
            server,
            request: server.get_request_with(&path("orders", "format=json"), headers),
        }
        .run(bench)?;
    }
    Ok(())
}
