//! The external crates according to `cargo metadata` and `cargo tree`: versions, licences, folders.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::command::cargo_program;

/// An external crate, as its package describes it.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression; older packages write `/` for OR.
    pub(crate) license: Option<String>,
    pub(crate) repository: Option<String>,
    pub(crate) folder: PathBuf,
    /// Where cargo gets it from: `registry+https://…`.
    pub(crate) source: String,
}

/// All external crates that may be built on this machine's target, sorted by name: the lock file without the crates of
/// other systems. Some of them belong to a feature that is never enabled.
pub(crate) fn packages(root: &Path) -> Result<Vec<Package>> {
    let target = host()?;
    let arguments = ["metadata", "--locked", "--format-version", "1", "--filter-platform", &target];
    let metadata: Value =
        serde_json::from_str(&output(root, &arguments)?).context("the answer of cargo metadata")?;
    let resolved = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let ids: BTreeSet<&str> = resolved.filter_map(|node| node["id"].as_str()).collect();
    let listed = metadata["packages"].as_array().into_iter().flatten();
    let used = listed.filter(|package| package["id"].as_str().is_some_and(|id| ids.contains(id)));
    let text = |package: &Value, field: &str| package[field].as_str().map(str::to_owned);
    let mut packages = Vec::new();
    for package in used {
        // The workspace's own crates have no source.
        let Some(source) = text(package, "source") else { continue };
        let manifest = text(package, "manifest_path").context("a package without a manifest")?;
        packages.push(Package {
            name: text(package, "name").context("a package without a name")?,
            version: text(package, "version").context("a package without a version")?,
            license: text(package, "license"),
            repository: text(package, "repository"),
            folder: Path::new(&manifest).parent().context("a manifest without a folder")?.to_owned(),
            source,
        });
    }
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}

/// Names and versions of the crates that are built for `package` or for the whole workspace; `edges` as in
/// `cargo tree`.
pub(crate) fn built(root: &Path, package: Option<&str>, edges: &str) -> Result<BTreeSet<(String, String)>> {
    let of = package.map_or_else(|| vec!["--workspace"], |package| vec!["--package", package]);
    let listing = tree(root, &[&["--edges", edges, "--format", "{p}"], of.as_slice()].concat())?;
    let named = listing.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    });
    Ok(named.collect())
}

/// The lines of `cargo tree`, without its branches.
pub(crate) fn tree(root: &Path, arguments: &[&str]) -> Result<String> {
    output(root, &[&["tree", "--locked", "--prefix", "none"], arguments].concat())
}

/// The target that this machine's compiler builds for by default.
pub(crate) fn host() -> Result<String> {
    let version = Command::new("rustc").arg("-vV").output().context("rustc did not start")?;
    let text = String::from_utf8_lossy(&version.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc -vV names no host")
}

fn output(root: &Path, arguments: &[&str]) -> Result<String> {
    let shown = arguments.join(" ");
    let output = Command::new(cargo_program())
        .args(arguments)
        .current_dir(root)
        .output()
        .with_context(|| format!("cargo {shown} did not start"))?;
    if !output.status.success() {
        bail!("cargo {shown}: {}", String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).with_context(|| format!("cargo {shown}"))
}
