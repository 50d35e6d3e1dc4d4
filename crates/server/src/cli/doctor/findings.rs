//! Findings, one line each as they are found, with advice below those that are not good.

use std::fmt::Arguments;
use std::io::Write as _;

/// Whether there is any bad finding so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    has_bad: bool,
}

impl Findings {
    pub(super) fn good(&mut self, subject: &str, text: String) {
        print(format_args!("ok    {subject}: {text}"));
    }

    /// A server would run; the operator should know.
    pub(super) fn doubtful(&mut self, subject: &str, text: String, advice: &str) {
        print(format_args!("warn  {subject}: {text}\n      -> {advice}"));
    }

    /// A server would not run, or not well.
    pub(super) fn bad(&mut self, subject: &str, text: String, advice: &str) {
        self.has_bad = true;
        print(format_args!("FAIL  {subject}: {text}\n      -> {advice}"));
    }

    pub(super) const fn are_bad(&self) -> bool {
        self.has_bad
    }
}

/// Prints a line.
fn print(line: Arguments<'_>) {
    // OK to ignore: whoever has closed the pipe wants no more lines.
    let _ = writeln!(std::io::stdout(), "{line}");
}
