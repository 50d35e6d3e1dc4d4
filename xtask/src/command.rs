//! Starts cargo and prints the command line first.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The repository's root, as cargo reports it at run time: the path at compile time may belong to another clone that
/// shares the target directory.
pub(crate) fn root() -> PathBuf {
    let manifest_dir =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let manifest_dir = Path::new(&manifest_dir);
    manifest_dir.parent().unwrap_or(manifest_dir).to_owned()
}

/// The cargo that runs this program, or the one on the path.
pub(crate) fn cargo_program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs cargo in the repository's root; an exit code other than 0 is an error.
pub(crate) fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    let shown = arguments.join(" ");
    println!("\n$ cargo {shown}");
    let mut command = Command::new(cargo_program());
    // `cargo run` passes variables about its package to this program. A build script of a dependency (ring's) watches
    // the same variables: if they were inherited, it would run again and everything above it, including Polars, would
    // be rebuilt.
    let inherited = std::env::vars_os().map(|(name, _)| name);
    for name in inherited.filter(|name| describes_a_package(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    let status = command
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .with_context(|| format!("cargo {shown} did not start"))?;
    if !status.success() {
        bail!("cargo {shown} ended with {status}");
    }
    Ok(())
}

/// Whether cargo sets the variable for the package that it runs.
fn describes_a_package(variable: &str) -> bool {
    variable.starts_with("CARGO_PKG_") || variable.starts_with("CARGO_MANIFEST_") || variable == "OUT_DIR"
}

/// Whether `cargo NAME` exists on this machine.
pub(crate) fn has_cargo_tool(name: &str) -> bool {
    Command::new(cargo_program())
        .args([name, "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variable: &str, expected: bool) {
        assert_eq!(describes_a_package(variable), expected, "{variable}");
    }

    #[test]
    fn package_variables_of_cargo_are_recognized() {
        check("CARGO_PKG_NAME", true);
        check("CARGO_MANIFEST_DIR", true);
        check("CARGO_TARGET_DIR", false);
        check("CARGO_HOME", false);
        check("CARGO", false);
    }
}
