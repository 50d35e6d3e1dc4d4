//! The layers: which crate of the workspace may depend on which, and which dependencies the light crates must not have.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::cargo_program;
use crate::dependency_graph::tree;

/// Crate, and the crates of the workspace that it may depend on. Tests and xtask are outside the layers.
const EDGES: &[(&str, &[&str])] = &[
    ("rowhouse-model", &[]),
    ("rowhouse-filters", &[]),
    ("rowhouse-executor", &["rowhouse-model"]),
    ("rowhouse-sql", &["rowhouse-model", "rowhouse-filters", "rowhouse-executor"]),
    ("rowhouse-rows", &["rowhouse-model", "rowhouse-filters"]),
    ("rowhouse-embedded", &["rowhouse-model", "rowhouse-executor", "rowhouse-sql", "rowhouse-rows"]),
    ("rowhouse-trino", &["rowhouse-model", "rowhouse-executor", "rowhouse-sql", "rowhouse-rows"]),
    (
        "rowhouse-engine",
        &[
            "rowhouse-model",
            "rowhouse-filters",
            "rowhouse-executor",
            "rowhouse-sql",
            "rowhouse-rows",
            "rowhouse-embedded",
            "rowhouse-trino",
        ],
    ),
    ("rowhouse-server", &["rowhouse-engine", "rowhouse-model", "rowhouse-filters", "rowhouse-client"]),
    ("rowhouse-client", &["rowhouse-model"]),
];

/// External dependencies, by the prefix of their names, and the only crates that may depend on them.
const OWNERS: &[(&str, &[&str])] = &[
    ("polars", &["rowhouse-embedded"]),
    ("sqlparser", &["rowhouse-sql"]),
    ("rusqlite", &["rowhouse-engine"]),
    ("hyper", &["rowhouse-trino", "rowhouse-server", "rowhouse-client"]),
];

/// Crate, and the only external dependencies that it may have.
const LIGHT: &[(&str, &[&str])] = &[("rowhouse-model", &["serde", "serde_json"]), ("rowhouse-filters", &[])];

/// Crate, dependency, and the features that it must not enable, directly or through others, because dependents of the
/// crate would get them: another map for their JSON, a server in their client.
const UNWANTED_FEATURES: &[(&str, &str, &[&str])] = &[
    ("rowhouse-model", "serde_json", &["preserve_order", "arbitrary_precision", "float_roundtrip"]),
    ("rowhouse-client", "serde_json", &["preserve_order", "arbitrary_precision", "float_roundtrip"]),
    ("rowhouse-client", "hyper", &["server"]),
    ("rowhouse-client", "hyper-util", &["server", "server-auto", "server-graceful"]),
    ("rowhouse-client", "tokio", &["full", "fs", "process", "signal", "rt-multi-thread"]),
];

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let packages = packages(root)?;
    let mut faults = Vec::new();
    for (name, allowed) in EDGES {
        let package = packages.iter().find(|package| package["name"] == *name);
        let Some(package) = package else {
            faults.push(format!("Cargo.toml: the workspace has no crate {name}"));
            continue;
        };
        let dependencies = normal_dependencies(package);
        for dependency in dependencies.iter().filter(|dependency| dependency.starts_with("rowhouse-")) {
            if !allowed.contains(&dependency.as_str()) {
                faults.push(format!("{name} depends on {dependency}: the layers allow {allowed:?}"));
            }
        }
        for (owned, owners) in OWNERS.iter().filter(|(_, owners)| !owners.contains(name)) {
            let foreign = dependencies.iter().filter(|dependency| dependency.starts_with(owned));
            faults.extend(foreign.map(|foreign| format!("{name} names {foreign}: only {owners:?} may")));
        }
        for (_, dependency, unwanted) in UNWANTED_FEATURES.iter().filter(|(of, ..)| of == name) {
            let features = resolved_features(root, name, dependency)?;
            let found = features.iter().filter(|feature| unwanted.contains(&feature.as_str()));
            faults.extend(found.map(|feature| format!("{name} switches on {dependency}'s {feature}")));
        }
        if let Some((_, allowed)) = LIGHT.iter().find(|(light, _)| light == name) {
            let foreign = dependencies.iter().filter(|dependency| !allowed.contains(&dependency.as_str()));
            faults.extend(foreign.map(|foreign| format!("{name} depends on {foreign}: it must stay light")));
        }
    }
    Ok(faults)
}

/// The packages of the workspace as `cargo metadata` describes them.
pub(super) fn packages(root: &Path) -> Result<Vec<Value>> {
    let output = Command::new(cargo_program())
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cargo metadata did not start")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let mut metadata: Value =
        serde_json::from_slice(&output.stdout).context("the answer of cargo metadata")?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        other => bail!("cargo metadata lists no packages but {other}"),
    }
}

/// Names of the dependencies other than dev- and build-dependencies: their kind is null.
fn normal_dependencies(package: &Value) -> Vec<String> {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let normal = dependencies.filter(|dependency| dependency["kind"].is_null());
    normal.filter_map(|dependency| dependency["name"].as_str().map(str::to_owned)).collect()
}

/// The features that a dependency has when a crate is built alone.
fn resolved_features(root: &Path, package: &str, dependency: &str) -> Result<Vec<String>> {
    let listing = tree(root, &["--edges", "normal,features", "--format", "{p}", "--package", package])?;
    let prefix = format!("{dependency} feature \"");
    let found = listing.lines().filter_map(|line| line.strip_prefix(&prefix)?.split('"').next());
    Ok(found.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect())
}
