//! A program that a test drives line by line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running program; it is killed when this is dropped.
#[derive(Debug)]
pub struct Stepwise {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stepwise {
    /// Starts the program.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take().expect("its input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        Self { child, input, output }
    }

    /// Writes a line to the program's standard input.
    ///
    /// # Panics
    /// If the program does not read any more.
    pub fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it reads its input");
    }

    /// The next line that the program prints; empty at its end.
    ///
    /// # Panics
    /// If it prints no UTF-8.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    }
}

impl Drop for Stepwise {
    fn drop(&mut self) {
        // OK to ignore: it may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
