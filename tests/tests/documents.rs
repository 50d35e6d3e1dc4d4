//! The examples of the API reference run unchanged, in their order, in one shell.

use std::process::Command;

use rowhouse_tests::{Server, has_program, path_in_tests};

#[test]
fn every_example_of_the_api_reference_runs() {
    if !has_program("curl") {
        return;
    }
    let document = path_in_tests("../docs/api.md");
    let document = std::fs::read_to_string(document).expect("the API reference");
    let server = Server::start();
    let script = shell_blocks(&document)
        .replace("http://127.0.0.1:8080", &server.url())
        .replace("rowhouse-data/admin-token", &server.data_dir().join("admin-token").to_string_lossy());
    assert!(script.contains("curl"), "the reference has examples");
    // Each failing command ends the script and shows its line.
    let script = format!("set -euo pipefail\ntrap 'echo \"failed: $BASH_COMMAND\" >&2' ERR\n{script}");
    let output = Command::new("bash").arg("-c").arg(&script).output().expect("bash runs");
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&output.stdout)
    );
}

/// The text of all blocks that are marked as `sh`.
fn shell_blocks(document: &str) -> String {
    let blocks = document.split("```sh\n").skip(1);
    blocks.filter_map(|block| block.split("```").next()).collect()
}
