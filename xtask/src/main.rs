//! `cargo xtask`: the commands of developers and CI besides cargo's own.

mod attacks;
mod bench;
mod chaos;
mod ci;
mod command;
mod dependency_graph;
mod dist;
mod fuzz;
mod page;
mod tidy;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Development commands of Rowhouse.
#[derive(Debug, Parser)]
#[command(name = "xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Everything that CI runs, in its order: format, lints, documentation, tidy, tests.
    Ci {
        /// Leave out the tests, which `.ci/run` calls as the README says.
        #[arg(long)]
        skip_tests: bool,
    },
    /// The rules that the compiler does not check: crate edges, file heads, file lengths, paths named in documents.
    Tidy,
    /// Measures the server beside bare hyper: views, results, queries, connections, starts.
    Bench(bench::Arguments),
    /// Measures the latencies of another user during an attack on the server, and its memory meanwhile.
    Attacks(attacks::Arguments),
    /// Bundles the page at `/web/`; needs Node.js and npm.
    Page {
        /// Only verifies that the checked-in bundle is what the sources give.
        #[arg(long)]
        check: bool,
    },
    /// Packs the stripped binary as a tarball and as a Python wheel.
    Dist(dist::Arguments),
    /// Kills the server again and again under load, on a full disk and under a clock that jumps.
    Chaos(chaos::Arguments),
    /// Compares random statements with an independent engine.
    Fuzz(fuzz::Arguments),
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Ci { skip_tests } => ci::run(skip_tests),
        Command::Tidy => tidy::run(),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Attacks(arguments) => attacks::run(&arguments),
        Command::Page { check } => page::run(check),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::Chaos(arguments) => chaos::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
    }
}
