//! The steps of CI. The tests come last, so that a run ends with their summary.

use anyhow::{Result, bail};

use crate::command::{cargo, has_cargo_tool};
use crate::{page, tidy};

pub(crate) fn run(skip_tests: bool) -> Result<()> {
    optional("fmt", &["fmt", "--all", "--check"])?;
    // The release profile throughout: a second profile would build Polars a second time.
    optional("clippy", &["clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    // Private items are documented too, so a link to one resolves.
    let deny = [("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links")];
    cargo(&["doc", "--release", "--workspace", "--no-deps", "--document-private-items"], &deny)?;
    tidy::run()?;
    page::run(true)?;
    if skip_tests {
        return Ok(());
    }
    cargo(&["test", "--release", "--workspace", "--no-fail-fast"], &[("INSTA_UPDATE", "no")])
}

/// Runs a step whose tool may be missing on a developer's machine, but not on CI.
fn optional(tool: &str, arguments: &[&str]) -> Result<()> {
    if has_cargo_tool(tool) {
        return cargo(arguments, &[]);
    }
    if std::env::var_os("CI").is_some() {
        bail!("cargo {tool} is not installed: rustup component add {tool}");
    }
    println!("\nSKIPPED: cargo {tool} is not installed");
    Ok(())
}
