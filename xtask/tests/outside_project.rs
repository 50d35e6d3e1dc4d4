//! The publishable crates as dependents see them. A project outside the workspace that depends on `rowhouse-model`
//! alone builds few crates, and its JSON map stays sorted by name: features are unified over a whole build, so a test
//! inside the workspace cannot show this. All publishable crates are packaged.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// serde and serde_json with what is below them, the model, the project.
const MAX_CRATES: usize = 16;
const PROGRAM: &str = r#"
fn main() {
    let map = [("b", 1), ("a", 2)].map(|(name, value)| (name.to_owned(), value.into()));
    println!("{}", serde_json::Value::Object(map.into_iter().collect()));
    println!("{}", serde_json::from_str::<serde_json::Value>("1.10").unwrap());
    println!("{:?}", rowhouse_model::Column::new("price", "decimal(15,2)").type_signature.raw_type);
}
"#;

/// The publishable crates; their packages contain what their manifests name.
const PUBLISHED: &[&str] = &["model", "filters", "executor", "client", "sql", "rows"];

/// The output of cargo in `folder`; it builds into `target`.
#[track_caller]
fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    // Variables of this test's build are not for another build.
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    for name in names.filter(|name| name.starts_with("CARGO_") && name != "CARGO_HOME" || name == "RUSTFLAGS")
    {
        command.env_remove(name);
    }
    let output = command
        .args(arguments)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_model_alone_builds_few_crates_and_keeps_the_json_map_of_its_users() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    let project = TempDir::new().expect("a folder");
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         rowhouse-model = {{ path = {:?} }}\nserde_json = \"1\"\n",
        workspace.join("crates/model")
    );
    fs::write(project.path().join("Cargo.toml"), manifest).expect("a manifest");
    // The same versions, which are already downloaded: nothing is fetched.
    fs::copy(workspace.join("Cargo.lock"), project.path().join("Cargo.lock")).expect("a lock file");
    fs::create_dir(project.path().join("src")).expect("a folder");
    fs::write(project.path().join("src/main.rs"), PROGRAM).expect("a program");

    let target = project.path().join("target");
    let listing = cargo(project.path(), &target, &["tree", "--prefix", "none", "--edges", "normal,build"]);
    let crates: std::collections::BTreeSet<&str> =
        listing.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(crates.len() <= MAX_CRATES, "{crates:?}");
    let printed = cargo(project.path(), &target, &["run", "--quiet"]);
    // Sorted, and a number is a double: neither `preserve_order` nor `arbitrary_precision` is enabled.
    assert_eq!(printed, "{\"a\":2,\"b\":1}\n1.1\n\"decimal\"\n");
}

#[test]
fn every_published_crate_can_be_packaged() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder");
    let target = TempDir::new().expect("a folder");
    let names: Vec<String> = PUBLISHED.iter().map(|name| format!("rowhouse-{name}")).collect();
    // Not built here: the packages of all six would be built a second time.
    let mut arguments = vec!["package", "--no-verify", "--allow-dirty"];
    arguments.extend(names.iter().flat_map(|name| ["--package", name]));
    cargo(workspace, target.path(), &arguments);
    for name in PUBLISHED {
        let listing = cargo(
            workspace,
            target.path(),
            &["package", "--list", "--allow-dirty", "--package", &format!("rowhouse-{name}")],
        );
        let files: Vec<&str> = listing.lines().collect();
        assert!(files.contains(&"README.md"), "{name}: {files:?}");
        assert!(files.iter().any(|file| file.starts_with("examples/")), "{name}: {files:?}");
        let package =
            target.path().join(format!("package/rowhouse-{name}-{}.crate", env!("CARGO_PKG_VERSION")));
        assert!(package.is_file(), "{}", package.display());
    }
}
