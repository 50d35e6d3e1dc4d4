//! The binary `rowhouse`: reads the command line and ends with its exit code.

use std::process::ExitCode;

use clap::Parser as _;
use mimalloc::MiMalloc;
use rowhouse_engine::CountingAllocator;
use rowhouse_server::CommandLine;

#[global_allocator]
static ALLOCATOR: CountingAllocator<MiMalloc> = CountingAllocator::new(MiMalloc);

fn main() -> ExitCode {
    CommandLine::parse().run().unwrap_or_else(|error| {
        eprintln!("rowhouse: {}", told(&error));
        ExitCode::FAILURE
    })
}

/// An error and its causes, save those that it tells itself.
fn told(error: &anyhow::Error) -> String {
    error.chain().skip(1).fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        if text.contains(&cause) { text } else { format!("{text}: {cause}") }
    })
}
