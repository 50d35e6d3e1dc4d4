//! Programs that Trino is made ready with.

use std::process::Command;

/// Runs one to its end; what it says of its failure.
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
