//! Bundles the page of `crates/server/page` with npm. The bundle is checked in, so that building the server needs no
//! Node.js; `--check` verifies that it corresponds to the sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command::root;

const PAGE: &str = "crates/server/page";
const BUNDLE: &str = "dist";
/// The output folder of the check, beside the bundle.
const CHECKED: &str = "node_modules/.checked-bundle";

pub(crate) fn run(is_check: bool) -> Result<()> {
    if !has_npm() {
        if is_check {
            println!("\nSKIPPED: npm is not installed, the page's bundle is not compared with its sources");
            return Ok(());
        }
        bail!("npm is not installed: the page is bundled by Node.js 20 or later");
    }
    npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
    npm(&["run", "--silent", "check"])?;
    npm(&["run", "--silent", "test"])?;
    if !is_check {
        return npm(&["run", "--silent", "build"]);
    }
    npm(&["run", "--silent", "build", "--", CHECKED])?;
    let page = root().join(PAGE);
    let (checked_in, built) = (files(&page.join(BUNDLE))?, files(&page.join(CHECKED))?);
    let names = checked_in.keys().chain(built.keys());
    let mut faults: Vec<_> = names.filter(|&name| checked_in.get(name) != built.get(name)).cloned().collect();
    faults.sort();
    faults.dedup();
    if !faults.is_empty() {
        bail!("{PAGE}/{BUNDLE} is not what its sources give: run cargo xtask page\n{}", faults.join("\n"));
    }
    println!("page: the bundle is what its sources give");
    Ok(())
}

fn has_npm() -> bool {
    let mut command = Command::new("npm");
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn npm(arguments: &[&str]) -> Result<()> {
    let shown = arguments.join(" ");
    println!("\n$ npm {shown}");
    let mut command = Command::new("npm");
    let status = command.args(arguments).current_dir(root().join(PAGE)).status();
    let status = status.with_context(|| format!("npm {shown} did not start"))?;
    if !status.success() {
        bail!("npm {shown} ended with {status}");
    }
    Ok(())
}

/// The files of a folder by name. Compression differs between versions of Node.js: only the existence of a compressed
/// file counts, and a test of the server unpacks it.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = if path.extension().is_some_and(|extension| extension == "gz") {
            Vec::new()
        } else {
            fs::read(&path).with_context(|| path.display().to_string())?
        };
        files.insert(name, bytes);
    }
    Ok(files)
}
