//! `docs/dependencies.md` against `cargo metadata`: every direct dependency has one row, which names its users.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

const DOCUMENT: &str = "docs/dependencies.md";

/// Crates of the workspace that use a dependency, with whether they need it only for development.
type Users = BTreeMap<String, bool>;

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let used = used(&super::edges::packages(root)?);
    let text = fs::read_to_string(root.join(DOCUMENT)).context(DOCUMENT)?;
    Ok(faults(&used, &text))
}

fn faults(used: &BTreeMap<String, Users>, text: &str) -> Vec<String> {
    let mut listed = BTreeSet::new();
    let mut faults = Vec::new();
    for (names, documented) in rows(text) {
        let mut users = Users::new();
        for name in names {
            match used.get(name) {
                None => faults.push(format!("{DOCUMENT}: lists {name}, which nothing depends on")),
                Some(of_name) => {
                    for (user, is_development) in of_name {
                        let is_only_development = users.entry(user.clone()).or_insert(true);
                        *is_only_development &= is_development;
                    }
                }
            }
            if !listed.insert(name.to_owned()) {
                faults.push(format!("{DOCUMENT}: lists {name} twice"));
            }
        }
        if documented != users {
            faults
                .push(format!("{DOCUMENT}: says {documented:?}, used in (true: development only) {users:?}"));
        }
    }
    let missing = used.keys().filter(|name| !listed.contains(*name));
    faults.extend(missing.map(|name| format!("{DOCUMENT}: lacks {name}")));
    faults
}

/// Each dependency from outside the workspace, and its users by the short names of their crates.
fn used(packages: &[Value]) -> BTreeMap<String, Users> {
    let mut used = BTreeMap::<String, Users>::new();
    for package in packages {
        let user = short(package["name"].as_str().unwrap_or_default());
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let name = dependency["name"].as_str().unwrap_or_default();
            if name.starts_with("rowhouse-") {
                continue;
            }
            let is_development = dependency["kind"] == "dev";
            let users = used.entry(name.to_owned()).or_default();
            *users.entry(user.to_owned()).or_insert(true) &= is_development;
        }
    }
    used
}

fn short(name: &str) -> &str {
    name.strip_prefix("rowhouse-").unwrap_or(name)
}

/// The names and the users of each row of the first table: `a, b | engine; tests (development) | why`.
fn rows(text: &str) -> impl Iterator<Item = (Vec<&str>, Users)> {
    let table = text.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    table.take_while(|line| line.starts_with('|')).filter_map(|line| {
        let mut cells = line.split('|').skip(1).map(str::trim);
        let names = cells.next()?.split(", ").collect();
        let mut users = Users::new();
        for part in cells.next()?.split("; ") {
            let development = part.strip_suffix(" (development)");
            let listed = development.unwrap_or(part).split(", ");
            users.extend(listed.map(|user| (user.to_owned(), development.is_some())));
        }
        Some((names, users))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superfluous_rows_missing_rows_and_wrong_users_are_reported() {
        let metadata = serde_json::json!([
            {"name": "rowhouse-engine", "dependencies": [{"name": "bytes", "kind": null}, {"name": "insta", "kind": "dev"}]},
            {"name": "xtask", "dependencies": [{"name": "insta", "kind": null}, {"name": "rowhouse-engine", "kind": null}]},
        ]);
        let used = used(metadata.as_array().expect("packages"));
        let table = |rows: &str| format!("|---|---|---|\n{rows}\n\n| not | of | it |\n");
        let good = "| bytes | engine | x |\n| insta | xtask; engine (development) | y |";
        assert_eq!(faults(&used, &table(good)), Vec::<String>::new());
        assert_eq!(faults(&used, &table("| bytes | engine | x |")), ["docs/dependencies.md: lacks insta"]);
        let wrong = "| bytes, left-pad | server | x |\n| insta | xtask; engine (development) | y |";
        assert_eq!(faults(&used, &table(wrong)).len(), 2);
    }
}
