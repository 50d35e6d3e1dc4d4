//! The OpenAPI document against the running server: schemathesis generates requests from it, valid and invalid ones,
//! single and in sequences, and checks every answer against it. `tests/python/conformance_hooks.py` gives the requests
//! existing objects. A run can be repeated with its seed, which it prints.

use rowhouse_tests::{Server, path_in_tests, python};

/// Cases of each operation and phase: a bounded number, more only take longer.
const MAX_EXAMPLES: &str = "25";

/// The seed, so that requests are the same in every run. [`SEED_VARIABLE`] sets another.
const SEED: &str = "1";

/// The environment variable with another seed.
const SEED_VARIABLE: &str = "ROWHOUSE_CONFORMANCE_SEED";

#[test]
fn every_answer_conforms_to_the_openapi_document() {
    let Some(mut interpreter) = python(&["schemathesis"]) else { return };
    let seed = std::env::var(SEED_VARIABLE).unwrap_or_else(|_| SEED.to_owned());
    println!("{SEED_VARIABLE}={seed}");
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    interpreter.args(["-B", "-m", "schemathesis.cli", "--config-file"]);
    interpreter.arg(path_in_tests("python/schemathesis.toml")).arg("run");
    interpreter.arg(format!("{}/api/v1/openapi.json", server.url())).args(["--url", &server.url()]);
    interpreter.args(["--header", &format!("Authorization: Token {}", server.admin_token())]);
    interpreter.args(["--seed", &seed, "--max-examples", MAX_EXAMPLES, "--workers", "1", "--no-color"]);
    // A long poll takes up to a minute.
    interpreter.args(["--request-timeout", "90"]);
    interpreter.env("SCHEMATHESIS_HOOKS", path_in_tests("python/conformance_hooks.py"));
    interpreter.env("ROWHOUSE_SERVER", server.url()).env("ROWHOUSE_TOKEN", server.admin_token());
    // It stores its findings in its working directory.
    let output = interpreter.current_dir(folder.path()).output().expect("schemathesis starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "seed {seed}: {}\n{printed}\n{complaint}", output.status);
    // It has run every phase and every operation.
    for phase in ["Examples", "Coverage", "Fuzzing", "Stateful"] {
        assert!(
            printed.lines().any(|line| line.contains('✅') && line.contains(phase)),
            "{phase}:\n{printed}"
        );
    }
    let selected =
        printed.lines().find_map(|line| line.trim().strip_prefix("Selected: ")).expect("a summary");
    let (tested, all) = selected.split_once('/').expect("of how many");
    assert_eq!(tested, all, "operations were left out:\n{printed}");
}
