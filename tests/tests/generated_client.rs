//! A client generated from the OpenAPI document by a common generator, openapi-python-client, compiles and runs the
//! documented flow against the server that gave the document.

use rowhouse_tests::{Server, path_in_tests, python, run_script};

#[test]
fn a_generated_client_runs_the_documented_flow() {
    let Some(mut interpreter) = python(&["openapi_python_client"]) else { return };
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().join("rowhouse_api");
    // A part of the document that the generator cannot use would be missing from the client: that is a failure.
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
