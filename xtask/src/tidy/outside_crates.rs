//! The external crates: allowed licences, banned crates, and crates that may be present in two versions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use crate::dependency_graph::{built, packages};

/// Licences under which a crate may be part of the binary: permissive, and satisfied by the notices that
/// `cargo xtask dist` packs.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Banned crates, also as transitive dependencies, and why.
const BANNED: &[(&str, &str)] = &[
    ("openssl-sys", "TLS is rustls on ring: no system library to keep up to date"),
    ("native-tls", "TLS is rustls on ring: no system library to keep up to date"),
    ("aws-lc-sys", "a second cryptography library in C, which needs CMake"),
    ("tikv-jemalloc-sys", "the allocator is mimalloc"),
    ("actix-web", "HTTP is hyper without a framework"),
    ("axum", "HTTP is hyper without a framework"),
];

/// Crates that are built in several versions, and the dependency that needs the other one.
const DUPLICATES: &[(&str, &str)] = &[
    ("base64", "hyper-util has 0.23, Polars and this workspace 0.22"),
    ("block-buffer", "of the two digests"),
    ("cpufeatures", "of the two digests, and blake3 in Polars"),
    ("crypto-common", "of the two digests"),
    ("digest", "Polars' build script has 0.11; the hashes of SQL are those of 0.10"),
    ("foldhash", "of hashbrown 0.15"),
    ("getrandom", "ring has 0.2, ahash in Arrow 0.3"),
    ("hashbrown", "dashmap has 0.14, Polars' flatbuffers 0.15, simd-json in Polars 0.16"),
    ("itertools", "criterion has 0.13, object_store in Polars 0.14"),
    ("rand", "opentelemetry_sdk has 0.9"),
    ("rand_core", "of the two rands"),
    ("sha2", "Polars' build script has 0.11"),
    ("strum_macros", "croner has 0.27"),
    ("syn", "macros move from 2 to 3 one by one"),
    ("thiserror", "the parser of GraphQL has 1"),
    ("thiserror-impl", "of the two thiserrors"),
    ("zstd", "parquet has 0.14, Polars and this workspace 0.13; the C library below is one"),
    ("zstd-safe", "of the two zstds"),
];

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let packages = packages(root)?;
    let mut faults = Vec::new();
    for package in &packages {
        let (name, version) = (&package.name, &package.version);
        match package.license.as_deref() {
            None => faults.push(format!("{name} {version} names no licence")),
            Some(license) if !is_allowed(license) => {
                faults.push(format!("{name} {version} is under {license}: {} has what is allowed", file!()));
            }
            Some(_) => {}
        }
        if !package.source.starts_with("registry+") {
            faults.push(format!(
                "{name} {version} is from {}: only the registry's are locked for good",
                package.source
            ));
        }
    }
    let built = built(root, None, "normal,build,dev")?;
    let banned = BANNED.iter().filter(|(banned, _)| built.iter().any(|(name, _)| name == banned));
    faults.extend(banned.map(|(name, reason)| format!("{name} is banned: {reason}")));
    faults.extend(duplicate_faults(&built, DUPLICATES));
    Ok(faults)
}

/// Versions beyond the listed ones, and listed entries that are no longer needed.
fn duplicate_faults(built: &BTreeSet<(String, String)>, listed: &[(&str, &str)]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, version) in built {
        versions.entry(name).or_default().push(version);
    }
    let mut faults = Vec::new();
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        if !listed.iter().any(|(listed, _)| listed == name) {
            let versions = versions.join(" and ");
            faults.push(format!(
                "{name} is built as {versions}: list it in {} with the reason, or use one",
                file!()
            ));
        }
    }
    for (name, _) in listed {
        if versions.get(name).is_none_or(|versions| versions.len() < 2) {
            faults.push(format!("{name} is built in one version: take it off the list in {}", file!()));
        }
    }
    faults
}

/// Whether an SPDX expression can be satisfied by allowed licences: OR needs one side, AND both; AND binds closer.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().collect::<Vec<_>>();
    words.reverse();
    either(&mut words) && words.is_empty()
}

fn either(words: &mut Vec<&str>) -> bool {
    let mut allowed = both(words);
    while words.last() == Some(&"OR") {
        words.pop();
        // Both sides are parsed, regardless of the first one.
        allowed |= both(words);
    }
    allowed
}

fn both(words: &mut Vec<&str>) -> bool {
    let mut allowed = one(words);
    while words.last() == Some(&"AND") {
        words.pop();
        allowed &= one(words);
    }
    allowed
}

fn one(words: &mut Vec<&str>) -> bool {
    match words.pop() {
        Some("(") => {
            let allowed = either(words);
            words.pop() == Some(")") && allowed
        }
        Some(license) if words.last() == Some(&"WITH") => {
            words.pop();
            words
                .pop()
                .is_some_and(|exception| ALLOWED.contains(&format!("{license} WITH {exception}").as_str()))
        }
        Some(license) => ALLOWED.contains(&license),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, expected: bool) {
        assert_eq!(is_allowed(expression), expected, "{expression}");
    }

    #[test]
    fn licence_expressions_are_evaluated() {
        check("MIT", true);
        check("GPL-3.0", false);
        check("MIT/Apache-2.0", true);
        check("GPL-3.0 OR MIT", true);
        check("GPL-3.0 AND MIT", false);
        check("(MIT OR GPL-3.0) AND Unicode-3.0", true);
        check("GPL-3.0 AND MIT OR Apache-2.0", true);
        check("Apache-2.0 WITH LLVM-exception", true);
        check("Apache-2.0 WITH other-exception", false);
        check("Apache-2.0 WITH", false);
        check("(MIT", false);
        check("MIT MIT", false);
        check("", false);
    }

    #[test]
    fn crates_in_two_versions_must_be_listed() {
        let built = |versions: &[(&str, &str)]| {
            versions.iter().map(|(name, version)| ((*name).to_owned(), (*version).to_owned())).collect()
        };
        let two = built(&[("a", "1.0.0"), ("a", "2.0.0"), ("b", "1.0.0")]);
        assert_eq!(duplicate_faults(&two, &[("a", "why")]), Vec::<String>::new());
        assert_eq!(duplicate_faults(&two, &[]).len(), 1);
        assert_eq!(duplicate_faults(&two, &[("a", "why"), ("b", "why")]).len(), 1);
    }
}
