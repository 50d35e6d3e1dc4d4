//! Tests that need a program which is not there.

use std::fmt::Display;

/// Tools that a machine of CI cannot have, separated by spaces; `.ci/run` sets it.
const MAY_SKIP: &str = "ROWHOUSE_TEST_MAY_SKIP";

/// Says on standard error that a test, or a part of one, is not run for want of `tool`.
///
/// # Panics
/// Where `CI` is set, unless `ROWHOUSE_TEST_MAY_SKIP` names the tool: there a skipped test would go unseen.
pub fn skip(tool: &str, reason: impl Display) {
    let is_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    let may_skip = std::env::var(MAY_SKIP).unwrap_or_default();
    assert!(!is_ci || may_skip.split_whitespace().any(|named| named == tool), "{tool} is missing: {reason}");
    eprintln!("\nSKIPPED for want of {tool}: {reason}\n");
}

/// Whether a program starts; says so where it does not.
///
/// # Panics
/// As [`skip()`].
pub fn has_program(program: &str) -> bool {
    let started = std::process::Command::new(program)
        .arg("--version")
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status();
    if started.is_err() {
        skip(program, "it is not installed");
    }
    started.is_ok()
}
