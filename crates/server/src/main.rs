//! The binary `rowhouse`: reads the command line and ends with its exit code.

use std::process::ExitCode;

use clap::Parser as _;
use rowhouse_server::CommandLine;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    CommandLine::parse().run().unwrap_or_else(|error| {
        eprintln!("rowhouse: {error:#}");
        ExitCode::FAILURE
    })
}
