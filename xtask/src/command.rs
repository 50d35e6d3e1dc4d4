//! Starting cargo, with the command line shown before it runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
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
    let status = Command::new(cargo_program())
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

/// Whether `cargo NAME` exists on this machine.
pub(crate) fn has_cargo_tool(name: &str) -> bool {
    Command::new(cargo_program())
        .args([name, "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
