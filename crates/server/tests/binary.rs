//! The binary's exit codes before it serves anything. The existence of this file also makes `cargo test` build the
//! binary, which the whole-system tests start.

use std::process::{Command, Output};

fn rowhouse(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowhouse"));
    command.args(arguments).env_clear().output().expect("the binary starts")
}

#[test]
fn help_names_the_commands() {
    let output = rowhouse(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("text");
    for command in ["serve", "workspace", "table", "view", "query", "status"] {
        assert!(text.contains(command), "{command} is not in\n{text}");
    }
}

#[test]
fn invalid_usage_exits_with_2() {
    let output = rowhouse(&["serve", "--engine-memory-limit", "much"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("text");
    assert!(message.contains("engine-memory-limit") && message.contains("much"), "{message}");
}
