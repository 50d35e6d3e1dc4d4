//! Clients that common generators produce from the OpenAPI document compile and run the documented flow against the
//! server that returned the document: openapi-python-client, and openapi-typescript with openapi-fetch.

use std::path::Path;
use std::process::{Command, Stdio};

use rowhouse_tests::{Server, path_in_tests, python, run_script, skip};

#[test]
fn a_client_in_python_runs_the_documented_flow() {
    let Some(mut interpreter) = python(&["openapi_python_client"]) else { return };
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().join("rowhouse_api");
    // A part of the document that the generator cannot use would be missing in the client: that is a failure.
    interpreter.args([
        "-B",
        "-m",
        "openapi_python_client",
        "generate",
        "--fail-on-warning",
        "--meta",
        "none",
    ]);
    interpreter
        .args(["--url", &format!("{}/api/v1/openapi.json", server.url()), "--output-path"])
        .arg(&package);
    interpreter.arg("--config").arg(path_in_tests("python/openapi_python_client.yml"));
    let generated = interpreter.output().expect("the generator starts");
    let printed = String::from_utf8_lossy(&generated.stdout);
    let complaint = String::from_utf8_lossy(&generated.stderr);
    assert!(generated.status.success(), "{}\n{printed}\n{complaint}", generated.status);

    let mut compiler = python(&["compileall"]).expect("the interpreter that was there before");
    let compiled = compiler.args(["-m", "compileall", "-q"]).arg(&package).output().expect("it starts");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));

    let mut interpreter = python(&["httpx"]).expect("what a generated client needs");
    interpreter.env("PYTHONPATH", folder.path());
    let input = format!("{}\n{}\n", server.url(), server.admin_token());
    assert_eq!(run_script(interpreter, "generated_client.py", &[], &input), "the flow ran\n");
}

/// The compiler checks every request of the flow, and every field that it reads, against the document.
#[test]
fn a_client_in_typescript_compiles_and_runs_the_documented_flow() {
    let sources = path_in_tests("typescript");
    let modules = sources.join("node_modules");
    let node = Command::new("node").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !node.is_ok_and(|status| status.success()) || !modules.join("openapi-typescript").is_dir() {
        skip("typescript", "install Node.js, npm ci --prefix tests/typescript");
        return;
    }
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["flow.ts", "tsconfig.json", "package.json"] {
        std::fs::copy(sources.join(name), folder.path().join(name)).expect(name);
    }
    std::os::unix::fs::symlink(&modules, folder.path().join("node_modules")).expect("a link");
    let document = format!("{}/api/v1/openapi.json", server.url());
    node_runs(
        folder.path(),
        &["node_modules/openapi-typescript/bin/cli.js", &document, "--output", "api.ts"],
    );
    node_runs(folder.path(), &["node_modules/typescript/bin/tsc"]);
    let output = node_runs(folder.path(), &["built/flow.js", &server.url(), server.admin_token()]);
    assert_eq!(output, "the flow ran\n");
}

/// Runs a program of Node.js, which must succeed; returns its output.
fn node_runs(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("node").args(arguments).current_dir(folder).output().expect("node starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {}\n{printed}\n{complaint}", arguments[0], output.status);
    printed
}
