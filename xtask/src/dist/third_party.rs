//! The notices of the software inside the program: its crates, and the packages of its page. Identical texts are
//! written once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::dependency_graph::{Package, built, packages};

const SERVER: &str = "rowhouse-server";
/// Written by `cargo xtask page`.
const PAGE: &str = "crates/server/page/dist/third-party.txt";
/// Prefixes of the names of licence files.
const FILES: &[&str] = &["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
/// Maximum depth: C libraries are this deep in their crates.
const DEPTH: usize = 3;
/// Maximum size: a source file with the name of a licence is longer, or not text.
const MAX_BYTES: u64 = 200_000;
const RULE: &str = "--------------------------------------------------------------------------------";

pub(super) fn notices(root: &Path) -> Result<String> {
    let built = built(root, Some(SERVER), "normal")?;
    let packages = packages(root)?;
    let shipped: Vec<&Package> = packages
        .iter()
        .filter(|package| built.contains(&(package.name.clone(), package.version.clone())))
        .collect();
    if shipped.is_empty() {
        bail!("{SERVER} is built of no crates: cargo tree and cargo metadata do not agree");
    }
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut listing = String::new();
    for package in shipped {
        let (name, version) = (&package.name, &package.version);
        let license = package.license.as_deref().unwrap_or("no licence named");
        let repository = package.repository.as_deref().unwrap_or("https://crates.io");
        writeln!(listing, "{name} {version}: {license}, {repository}")?;
        let mut found = Vec::new();
        licences(&package.folder, DEPTH, &mut found)?;
        for text in found {
            let users = texts.entry(text).or_default();
            let user = format!("{name} {version}");
            if !users.contains(&user) {
                users.push(user);
            }
        }
    }
    let page = fs::read_to_string(root.join(PAGE)).with_context(|| PAGE.to_owned())?;
    let mut all = format!(
        "Rowhouse is under the Apache License 2.0 (LICENSE). Its program contains the crates below, each under its own \
         licence.\nA crate whose package has no text of its licence is under the text that its licence's name stands for.\
         \n\n{listing}"
    );
    for (text, users) in &texts {
        write!(all, "\n{RULE}\n{}\n\n{}\n", users.join(", "), text.trim())?;
    }
    write!(all, "\n{RULE}\nThe page at /web/\n\n{}\n", page.trim())?;
    Ok(all)
}

/// The licence texts in a folder and those below it.
fn licences(folder: &Path, depth: usize, found: &mut Vec<String>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if depth > 0 {
                licences(&path, depth - 1, found)?;
            }
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_licence = FILES.iter().any(|beginning| name.starts_with(beginning));
        if is_licence && fs::metadata(&path)?.len() <= MAX_BYTES {
            // A source file may have such a name too; a file that is not text is not a licence.
            let is_source = [".RS", ".C", ".H", ".JSON", ".PY"].iter().any(|ending| name.ends_with(ending));
            if let (false, Ok(text)) = (is_source, fs::read_to_string(&path)) {
                found.push(text.replace("\r\n", "\n"));
            }
        }
    }
    Ok(())
}
