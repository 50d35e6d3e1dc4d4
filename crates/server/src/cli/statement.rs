//! Source of a command's SQL: the argument, a file, or standard input.

use std::io::{self, IsTerminal, Read};
use std::path::Path;

use super::failure::Failure;

/// The text of the statement.
pub(super) fn statement_text(argument: Option<String>, file: Option<&Path>) -> Result<String, Failure> {
    let from_standard_input = || -> Result<String, Failure> {
        let mut text = String::new();
        io::stdin()
            .lock()
            .read_to_string(&mut text)
            .map_err(|error| Failure::Usage(format!("standard input: {error}")))?;
        Ok(text)
    };
    match (argument, file) {
        (Some(text), _) => Ok(text),
        (None, Some(path)) if path == Path::new("-") => from_standard_input(),
        (None, Some(path)) => std::fs::read_to_string(path)
            .map_err(|error| Failure::Usage(format!("{}: {error}", path.display()))),
        (None, None) if io::stdin().is_terminal() => Err(Failure::Usage(
            "no statement: give it as an argument, with -f, or on standard input".to_owned(),
        )),
        (None, None) => from_standard_input(),
    }
}
