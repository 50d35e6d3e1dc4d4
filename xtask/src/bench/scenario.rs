//! One measurement: the same requests in rounds to the server, to bare hyper with responses of the same size, and to
//! peers. Rounds alternate, so that other load on the machine affects all of them.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::Bench;
use super::load::{Load, Outcome};
use super::process::Process;
use super::server::request_bytes;

/// Requests of a scenario.
#[derive(Debug)]
pub(super) struct Scenario<'s> {
    pub(super) name: String,
    pub(super) server: &'s Process,
    pub(super) requests: Vec<Vec<u8>>,
    /// Values of each request for peers' templates, by name.
    pub(super) parameters: Vec<Vec<(&'static str, String)>>,
    pub(super) connections: usize,
    /// The body of a POST; without it, requests are GETs.
    pub(super) body: Option<Value>,
    /// Peers that this run has started, in addition to the user's.
    pub(super) peers: Vec<Peer>,
}

/// Another server: `NAME:SCENARIO=http://host:port/path?with={parameters}`.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    name: String,
    scenario: String,
    authority: String,
    path: String,
}

impl std::str::FromStr for Peer {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text.split_once('=').and_then(|(who, url)| Some((who.split_once(':')?, url)));
        let ((name, scenario), url) = parts.context("expected NAME:SCENARIO=URL")?;
        let rest = url.strip_prefix("http://").context("expected an address that begins with http://")?;
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if path.is_empty() {
            bail!("expected a path behind {authority}");
        }
        let own = |text: &str| text.to_owned();
        Ok(Self { name: own(name), scenario: own(scenario), authority: own(authority), path: own(path) })
    }
}

impl Peer {
    fn request(&self, parameters: &[(&str, String)]) -> Vec<u8> {
        let path = parameters
            .iter()
            .fold(self.path.clone(), |path, (name, value)| path.replace(&format!("{{{name}}}"), value));
        request_bytes("GET", &self.authority, &path, "", None)
    }
}

impl Scenario<'_> {
    /// Measures and prints a line, if it is selected.
    pub(super) fn run(&self, bench: &Bench) -> Result<()> {
        if !bench.is_wanted(&self.name) {
            return Ok(());
        }
        let load = |address, requests| Load { address, connections: self.connections, requests };
        let own = load(self.server.address, &self.requests);
        // A first run determines the size of the responses.
        let warm = own.run(Duration::ZERO, bench.warm_up)?;
        let method = if self.body.is_some() { "POST" } else { "GET" };
        let path = format!("/{}", warm.mean_body_bytes());
        let limit_requests = [request_bytes(method, "bare", &path, "", self.body.as_ref())];
        let limit = load(bench.limit.address, &limit_requests);
        let peers =
            bench.peers.iter().chain(&self.peers).filter(|peer| self.name.starts_with(&peer.scenario));
        let peers: Vec<(&Peer, SocketAddr, Vec<Vec<u8>>)> = peers
            .map(|peer| {
                let address = peer.authority.to_socket_addrs()?.next().context("no address")?;
                Ok((peer, address, self.parameters.iter().map(|values| peer.request(values)).collect()))
            })
            .collect::<Result<_>>()?;
        let mut of_limit = Vec::new();
        let mut of_own = Vec::new();
        let mut of_peers = vec![Vec::new(); peers.len()];
        for _ in 0..bench.rounds {
            of_limit.push(timed(&limit, &bench.limit, bench)?);
            of_own.push(timed(&own, self.server, bench)?);
            for (outcomes, (_, address, requests)) in of_peers.iter_mut().zip(&peers) {
                outcomes.push(load(*address, requests).run(bench.warm_up, bench.time)?);
            }
        }
        let (limit, own) = (median(of_limit), median(of_own));
        let ratio = own.per_second() / limit.per_second();
        println!(
            "{:<34} {:>9.0}/s {:>9.0}/s {:>6.1} %  {:>8} B  p50 {:.2} ms  p99 {:.2} ms  \
             CPU {:.1} µs, {:.1} µs  p50 of bare hyper {:.2} ms",
            self.name,
            own.per_second(),
            limit.per_second(),
            100.0 * ratio,
            own.mean_body_bytes(),
            own.latency(0.5),
            own.latency(0.99),
            own.cpu_micros,
            limit.cpu_micros,
            limit.latency(0.5),
        );
        for (outcomes, (peer, ..)) in of_peers.into_iter().zip(&peers) {
            let outcome = median(outcomes);
            let of_limit = 100.0 * outcome.per_second() / limit.per_second();
            println!(
                "  {:<32} {:>9.0}/s {:>12} {of_limit:>6.1} %  {:>8} B  p50 {:.2} ms  p99 {:.2} ms",
                peer.name,
                outcome.per_second(),
                "",
                outcome.mean_body_bytes(),
                outcome.latency(0.5),
                outcome.latency(0.99),
            );
        }
        Ok(())
    }
}

/// A round, with the CPU time that the server used for it.
fn timed(load: &Load<'_>, process: &Process, bench: &Bench) -> Result<Outcome> {
    let before = process.cpu_seconds()?;
    let mut outcome = load.run(bench.warm_up, bench.time)?;
    // The load is the same during the warm-up.
    let share = bench.time.as_secs_f64() / (bench.warm_up + bench.time).as_secs_f64();
    outcome.cpu_micros = (process.cpu_seconds()? - before) * share / outcome.answers.max(1) as f64 * 1e6;
    Ok(outcome)
}

/// The outcome of the median round.
pub(super) fn median(mut outcomes: Vec<Outcome>) -> Outcome {
    outcomes.sort_by(|left, right| left.per_second().total_cmp(&right.per_second()));
    let middle = outcomes.len() / 2;
    outcomes.swap_remove(middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_are_parsed_as_name_scenario_and_template() {
        let peer: Peer = "postgrest:point=http://h:1/orders?key=eq.{key}".parse().expect("a peer");
        let request = String::from_utf8(peer.request(&[("key", "42".to_owned())])).expect("text");
        assert_eq!(request, "GET /orders?key=eq.42 HTTP/1.1\r\nhost: h:1\r\n\r\n");
        assert!("postgrest=http://h:1/".parse::<Peer>().is_err());
        assert!("a:b=https://h:1/".parse::<Peer>().is_err());
    }
}
