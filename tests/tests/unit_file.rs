//! The unit for systemd: systemd knows every directive in it. Skipped with a message if systemd's tools are not
//! installed.

use std::process::Command;

use rowhouse_tests::{binary, path_in_tests, skip};

#[test]
fn systemd_understands_the_unit() {
    let unit =
        std::fs::read_to_string(path_in_tests("../docs/operations/rowhouse.service")).expect("the unit");
    let installed = "/usr/local/bin/rowhouse";
    assert!(unit.contains(installed), "{unit}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rowhouse.service");
    // The check requires that the program exists.
    std::fs::write(&path, unit.replace(installed, &binary().to_string_lossy())).expect("written");
    let Ok(verified) = Command::new("systemd-analyze").arg("verify").arg(&path).output() else {
        skip("systemd-analyze", "it is not installed, so the unit is not looked at");
        return;
    };
    let said = String::from_utf8_lossy(&verified.stderr);
    let about_it: Vec<&str> = said.lines().filter(|line| line.contains("rowhouse.service")).collect();
    assert!(verified.status.success() && about_it.is_empty(), "{said}");
}
