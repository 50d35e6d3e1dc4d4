//! The OpenAPI document against the running server: schemathesis makes requests from it, good and bad ones, single
//! and in sequences, and holds every answer to it.

use std::path::Path;

use rowhouse_tests::{Server, python};

/// Cases of each operation and phase: a bounded look; more are a matter of patience.
const MAX_EXAMPLES: &str = "5";

/// What would take the ground from under the others: it disables the engine, or revokes the token in use.
const LEFT_OUT: [&str; 2] = ["setService", "revokeToken"];

#[test]
fn every_answer_is_as_the_document_says() {
    let Some(mut interpreter) = python(&["schemathesis"]) else { return };
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/schemathesis.toml");
    interpreter.args(["-m", "schemathesis.cli", "--config-file"]).arg(config).arg("run");
    interpreter.arg(format!("{}/api/v1/openapi.json", server.url())).args(["--url", &server.url()]);
    interpreter.args(["--header", &format!("Authorization: Token {}", server.admin_token())]);
    interpreter.args(["--max-examples", MAX_EXAMPLES, "--workers", "1", "--no-color"]);
    // A long poll takes up to a minute.
    interpreter.args(["--request-timeout", "90"]);
    for operation in LEFT_OUT {
        interpreter.args(["--exclude-operation-id", operation]);
    }
    // It keeps its findings in the folder that it is started in.
    let output = interpreter.current_dir(folder.path()).output().expect("schemathesis starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{printed}\n{complaint}", output.status);
    // That it looked at all.
    for phase in ["Examples", "Coverage", "Fuzzing", "Stateful"] {
        assert!(
            printed.lines().any(|line| line.contains('✅') && line.contains(phase)),
            "{phase}:\n{printed}"
        );
    }
}
