//! What `cargo xtask bench clients` measures: how fast published clients of Trino read 6 million rows from this server
//! and from a Trino on the same machine, in turn. Arguments: the number of rounds, and a prefix of the names of the
//! ways to measure. Without a Trino that spools it prints a message and measures nothing.

use std::process::Command;

use rowhouse_tests::{Server, Trino, TrinoClients, python, run_script, spooling_trino};
use serde_json::json;

const LINEITEM: &str = "SELECT * FROM tpch.sf1.lineitem";
const LINEITEM_ROWS: u64 = 6_001_215;

/// A client and its options.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    is_java: bool,
    /// Encoding of the spooling protocol; none for rows in pages.
    encoding: Option<&'static str>,
}

const WAYS: [Way; 6] = [
    Way { name: "JDBC, pages", is_java: true, encoding: None },
    Way { name: "JDBC, json", is_java: true, encoding: Some("json") },
    Way { name: "JDBC, json+zstd", is_java: true, encoding: Some("json+zstd") },
    Way { name: "JDBC, json+lz4", is_java: true, encoding: Some("json+lz4") },
    Way { name: "Python, pages", is_java: false, encoding: None },
    Way { name: "Python, json+zstd", is_java: false, encoding: Some("json+zstd") },
];

/// A server to read from.
struct Peer<'a> {
    url: &'a str,
    token: &'a str,
}

fn main() {
    let rounds: usize =
        std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).expect("a number of rounds");
    let (Some(trino), Some(clients), Some(_)) = (spooling_trino(), TrinoClients::get(), python(&["trino"]))
    else {
        return;
    };
    println!(
        "{:<34} {:>10} {:>10} {:>8}   server's peak MiB",
        "drain of 6 M rows", "rowhouse s", "trino s", "ratio"
    );
    let wanted = std::env::args().nth(2).unwrap_or_default();
    for way in WAYS.into_iter().filter(|way| way.name.starts_with(&wanted)) {
        // A separate server for each, because results are stored and each is a gigabyte.
        measure(way, rounds, &Server::start(), &trino, &clients);
    }
}

fn measure(way: Way, rounds: usize, server: &Server, trino: &Trino, clients: &TrinoClients) {
    let (own_url, trino_url) = (server.url(), trino.url());
    let own = Peer { url: &own_url, token: server.admin_token() };
    let theirs = Peer { url: &trino_url, token: "" };
    let mut seconds: Vec<(f64, f64)> = Vec::new();
    for round in 0..=rounds {
        let (ours, its) = if round % 2 == 0 {
            let ours = drain(way, &own, clients);
            (ours, drain(way, &theirs, clients))
        } else {
            let its = drain(way, &theirs, clients);
            (drain(way, &own, clients), its)
        };
        // The first round warms up both.
        if round > 0 {
            seconds.push((ours, its));
        }
    }
    let median = |of: &dyn Fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = seconds.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    println!(
        "{:<34} {:>10.2} {:>10.2} {:>8.2}   {:>8}",
        way.name,
        median(&|pair| pair.0),
        median(&|pair| pair.1),
        median(&|pair| pair.1 / pair.0),
        server.memory_bytes("VmHWM") >> 20,
    );
}

/// Seconds from the statement to its last row.
fn drain(way: Way, peer: &Peer<'_>, clients: &TrinoClients) -> f64 {
    let printed = if way.is_java {
        let property = match way.encoding {
            Some(encoding) => format!("encoding={encoding}"),
            None => "sessionProperties=spooling_enabled:false".to_owned(),
        };
        clients.jdbc_drain(peer.url, peer.token, LINEITEM, &[property])
    } else {
        let interpreter: Command = python(&["trino"]).expect("it was there");
        let (host, port) = peer.url.trim_start_matches("http://").split_once(':').expect("a host and a port");
        let port: u16 = port.parse().expect("a port");
        let task = json!({
            "host": host, "port": port, "user": "alice", "token": peer.token, "encoding": way.encoding, "sql": LINEITEM,
        });
        run_script(interpreter, "trino_drain.py", &[], &task.to_string())
    };
    let (rows, milliseconds) = printed.trim().split_once(' ').expect("rows and milliseconds");
    assert_eq!(rows.parse(), Ok(LINEITEM_ROWS), "{}: {printed}", way.name);
    milliseconds.parse::<f64>().expect("milliseconds") / 1000.0
}
