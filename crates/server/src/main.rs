//! The binary `rowhouse`: reads the command line and ends with its exit code.

mod allocator;

use std::process::ExitCode;

use allocator::Mimalloc;
use clap::Parser as _;
use rowhouse_engine::CountingAllocator;
use rowhouse_server::{CommandLine, missing_instructions};

#[global_allocator]
static ALLOCATOR: CountingAllocator<Mimalloc> = CountingAllocator::new(Mimalloc);

fn main() -> ExitCode {
    if let Some(missing) = missing_instructions() {
        eprintln!(
            "rowhouse: this build needs a processor with {missing} (x86-64-v3); for an older one build it with \
             RUSTFLAGS=-Ctarget-cpu=native"
        );
        return ExitCode::FAILURE;
    }
    CommandLine::parse().run().unwrap_or_else(|error| {
        eprintln!("rowhouse: {}", full_message(&error));
        ExitCode::FAILURE
    })
}

/// An error and its causes, except those that its own message contains.
fn full_message(error: &anyhow::Error) -> String {
    error.chain().skip(1).fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        if text.contains(&cause) { text } else { format!("{text}: {cause}") }
    })
}
