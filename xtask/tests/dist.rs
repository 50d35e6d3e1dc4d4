//! The packages of `cargo xtask dist`, installed and started: the tarball unpacked, the wheel in a virtual environment.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rowhouse_tests::{Server, binary, has_program, skip};
use serde_json::json;
use tempfile::TempDir;

#[track_caller]
fn run<const N: usize>(program: impl AsRef<OsStr>, arguments: [&OsStr; N]) -> String {
    let shown = program.as_ref().to_string_lossy().into_owned();
    let output = Command::new(program).args(arguments).output().expect("it starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown} {arguments:?}: {complaint}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn the_one(folder: &Path, ending: &str) -> PathBuf {
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    assert_eq!(found.len(), 1, "{ending}: {found:?}");
    found.remove(0)
}

#[tokio::test]
async fn packages_can_be_installed_and_serve() {
    if !["strip", "objdump", "tar", "gzip"].into_iter().all(has_program) {
        return;
    }
    let out = TempDir::new().expect("a folder");
    let printed = run(
        env!("CARGO_BIN_EXE_xtask"),
        [
            "dist".as_ref(),
            "--binary".as_ref(),
            binary().as_os_str(),
            "--out".as_ref(),
            out.path().as_os_str(),
        ],
    );
    eprintln!("{printed}");
    check_tarball(out.path());
    let wheel = the_one(out.path(), ".whl");
    let name = wheel.file_name().and_then(OsStr::to_str).expect("a name");
    assert!(name.contains("-py3-none-manylinux_2_"), "{name}");

    if !has_program("python3") {
        return;
    }
    let environment = out.path().join("environment");
    let made =
        Command::new("python3").args(["-m", "venv"]).arg(&environment).output().expect("python3 starts");
    if !made.status.success() {
        skip("venv", String::from_utf8_lossy(&made.stdout));
        return;
    }
    let pip = environment.join("bin/pip");
    run(pip, ["install".as_ref(), "--no-index".as_ref(), "--quiet".as_ref(), wheel.as_os_str()]);
    let program = environment.join("bin/rowhouse");
    assert!(run(&program, ["--version".as_ref()]).starts_with("rowhouse "));
    let server = Server::builder().program(&program).start();
    let workspace = server.new_workspace("wheel").await;
    // By a worker, which is the same program.
    assert_eq!(server.rows(&workspace, "SELECT 6 * 7").await, json!([[42]]));
}

#[track_caller]
fn check_tarball(out: &Path) {
    let tarball = the_one(out, ".tar.gz");
    let unpacked = out.join("unpacked");
    fs::create_dir(&unpacked).expect("a folder");
    run("tar", ["-xzf".as_ref(), tarball.as_os_str(), "-C".as_ref(), unpacked.as_os_str()]);
    let folder = the_one(&unpacked, "-linux-gnu");
    for file in ["LICENSE", "README.md", "rowhouse.service", "completions/rowhouse.bash"] {
        assert!(fs::metadata(folder.join(file)).is_ok_and(|found| found.len() > 0), "{file}");
    }
    let notices = fs::read_to_string(folder.join("THIRD-PARTY.txt")).expect("notices");
    // A crate, a C library inside of one, and a package of the page.
    for part in ["\npolars 0.", "Copyright (c) Meta Platforms", "\npreact "] {
        assert!(notices.contains(part), "{part:?} is not in the notices");
    }
    let program = folder.join("rowhouse");
    assert!(run(&program, ["--version".as_ref()]).starts_with("rowhouse "));
    let (packed, built) = (fs::metadata(&program), fs::metadata(binary()));
    assert!(packed.expect("a program").len() < built.expect("a binary").len(), "it is not stripped");
}
