//! Tests that need a program that is not installed.

use std::fmt::Display;

/// Tools that a CI machine may lack, separated by spaces; `.ci/run` sets it.
const MAY_SKIP: &str = "ROWHOUSE_TEST_MAY_SKIP";

/// Reports on standard error that a test, or a part of one, is skipped because `tool` is missing.
///
/// # Panics
/// If `CI` is set, unless `ROWHOUSE_TEST_MAY_SKIP` names the tool: a skipped test would go unnoticed.
pub fn skip(tool: &str, reason: impl Display) {
    let is_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    let may_skip = std::env::var(MAY_SKIP).unwrap_or_default();
    assert!(!is_ci || may_skip.split_whitespace().any(|named| named == tool), "{tool} is missing: {reason}");
    eprintln!("\nSKIPPED for want of {tool}: {reason}\n");
}

/// Whether a program starts; reports if it does not.
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
