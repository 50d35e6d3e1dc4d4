//! Python programs that observe the server from outside, with the packages of `tests/python/requirements.txt`.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::{path_in_tests, skip};

/// The interpreter that has the packages; `.ci/run` sets it.
const INTERPRETER: &str = "ROWHOUSE_TEST_PYTHON";

/// An interpreter that can import these modules. None, with a message on standard error, if there is none.
///
/// # Panics
/// If an interpreter was named and cannot, or if `CI` is set: a skipped test would go unnoticed.
pub fn python(modules: &[&str]) -> Option<Command> {
    let named = std::env::var_os(INTERPRETER).filter(|path| !path.is_empty());
    let interpreter = named.clone().unwrap_or_else(|| "python3".into());
    let program = format!("import {}", modules.join(", "));
    let tried = Command::new(&interpreter).args(["-c", &program]).output();
    let refusal = match tried {
        Ok(output) if output.status.success() => return Some(Command::new(interpreter)),
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(named.is_none(), "{INTERPRETER} is {}: {refusal}", interpreter.display());
    let reason = format!(
        "{} cannot import {}: pip install -r tests/python/requirements.txt, or name an interpreter in {INTERPRETER}",
        interpreter.display(),
        modules.join(", ")
    );
    skip("python", reason);
    None
}

/// Runs a program of `tests/python` with this standard input; returns its output.
///
/// # Panics
/// If it fails, with all of its output.
pub fn run_script(mut interpreter: Command, name: &str, arguments: &[&str], input: &str) -> String {
    let script = path_in_tests("python").join(name);
    let mut child = interpreter
        .arg("-B")
        .arg(script)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the interpreter starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {}\n{printed}\n{complaint}", output.status);
    printed
}
