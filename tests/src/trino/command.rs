//! Runs the programs that prepare Trino.

use std::process::Command;

/// Runs a program to its end; the error is its output.
pub(super) fn run(command: &mut Command) -> Result<(), String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{shown} does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = said.lines().filter(|line| line.contains("ERROR")).take(2).collect::<Vec<_>>().join(" ");
    Err(format!("{shown} ended with {}: {last}", output.status))
}
