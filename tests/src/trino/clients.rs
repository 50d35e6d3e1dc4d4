//! Published Java clients of Trino: its JDBC driver and its command line, fetched once with Maven into the user's cache
//! beside the server's files.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::command::run;
use super::install::{DEPENDENCY_PLUGIN, Installation};
use crate::{Stepwise, path_in_tests};

/// Terminates a statement in the programs' input.
const END: char = '\0';

/// The clients, ready to run.
#[derive(Clone, Debug)]
pub struct TrinoClients {
    installation: Installation,
    folder: PathBuf,
}

impl TrinoClients {
    /// The clients of the Trino that the tests run, or none if it is unavailable.
    ///
    /// # Panics
    /// If they cannot be fetched though the server could.
    pub fn get() -> Option<Self> {
        // Two tests that request them at once must not fetch into one file.
        static CLIENTS: OnceLock<Option<TrinoClients>> = OnceLock::new();
        CLIENTS.get_or_init(Self::fetched).clone()
    }

    fn fetched() -> Option<Self> {
        let installation = super::installation()?;
        let folder = installation.folder.join("clients");
        let clients = Self { installation, folder };
        for (artifact, file) in [
            ("trino-jdbc:VERSION", clients.driver()),
            ("trino-cli:VERSION:jar:executable", clients.program()),
        ] {
            if !file.is_file() {
                clients.fetch(artifact);
            }
        }
        Some(clients)
    }

    /// What the JDBC driver returns for statements, an entry each.
    ///
    /// # Panics
    /// If the program fails.
    pub fn jdbc(&self, url: &str, token: &str, statements: &[String]) -> Vec<String> {
        let mut java = self.java();
        java.arg("-cp").arg(self.driver()).arg(path_in_tests("trino/JdbcTranscript.java"));
        java.arg(url.replacen("http:", "jdbc:trino:", 1)).args(["alice", token]);
        let mut input = statements.join(&END.to_string());
        input.push(END);
        let printed = output_of(java, &input);
        printed.split("\n> ").map(|entry| entry.trim_start_matches("> ").trim_end().to_owned()).collect()
    }

    /// What the JDBC driver returns besides statements: metadata, setters, getters and a cancel, a line each.
    ///
    /// # Panics
    /// If the program fails.
    pub fn jdbc_metadata(
        &self,
        url: &str,
        token: &str,
        (catalog, schema): (&str, &str),
        slow: &str,
    ) -> Vec<String> {
        let mut java = self.java();
        java.arg("-cp").arg(self.driver()).arg(path_in_tests("trino/JdbcMetadata.java"));
        java.arg(url.replacen("http:", "jdbc:trino:", 1)).args(["alice", token, catalog, schema, slow]);
        output_of(java, "").lines().map(str::to_owned).collect()
    }

    /// Rows and milliseconds of reading all rows of a statement with the JDBC driver.
    ///
    /// # Panics
    /// If the program fails.
    pub fn jdbc_drain(&self, url: &str, token: &str, sql: &str, properties: &[String]) -> String {
        let mut java = self.java();
        java.arg("-cp").arg(self.driver()).arg(path_in_tests("trino/JdbcDrain.java"));
        java.arg(url.replacen("http:", "jdbc:trino:", 1)).args(["alice", token, sql]).args(properties);
        output_of(java, "")
    }

    /// The JDBC driver with a statement, to be driven line by line: `cancel` or `pause`.
    ///
    /// # Panics
    /// If it does not start.
    pub fn jdbc_steps(&self, url: &str, token: &str, what: &str, sql: &str) -> Stepwise {
        let mut java = self.java();
        java.arg("-cp").arg(self.driver()).arg(path_in_tests("trino/JdbcSteps.java"));
        java.arg(url.replacen("http:", "jdbc:trino:", 1)).args(["alice", token, what, sql]);
        Stepwise::start(java)
    }

    /// What the command line prints of a statement, without the statement's id.
    ///
    /// # Panics
    /// If it does not start.
    pub fn command_line(&self, url: &str, token: &str, sql: &str) -> String {
        let mut java = self.java();
        java.arg("-jar").arg(self.program()).args(["--server", url, "--user", "alice"]);
        java.args(["--output-format", "CSV_HEADER", "--execute", sql]);
        if !token.is_empty() {
            java.arg("--extra-credential").arg(format!("token={token}"));
        }
        let output = java.stdin(Stdio::null()).output().expect("java starts");
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let is_told = |line: &&str| !line.starts_with("WARNING") && !line.contains("jline");
        let without_id = |line: &str| match line.split_once(" failed: ") {
            Some((_, fault)) => format!("failed: {fault}"),
            None => line.to_owned(),
        };
        printed.lines().filter(is_told).map(without_id).collect::<Vec<_>>().join("\n")
    }

    fn driver(&self) -> PathBuf {
        self.folder.join(format!("trino-jdbc-{}.jar", self.installation.version))
    }

    fn program(&self) -> PathBuf {
        self.folder.join(format!("trino-cli-{}-executable.jar", self.installation.version))
    }

    fn java(&self) -> Command {
        self.installation.java.command("java")
    }

    fn fetch(&self, artifact: &str) {
        let artifact =
            format!("-Dartifact=io.trino:{}", artifact.replace("VERSION", self.installation.version));
        let mut maven = Command::new("mvn");
        maven.args(["-q", "-B"]).arg(format!("{DEPENDENCY_PLUGIN}:copy")).arg(&artifact);
        maven.arg(format!("-DoutputDirectory={}", self.folder.display()));
        run(&mut maven).unwrap_or_else(|error| panic!("{artifact}: {error}"));
    }
}

fn output_of(mut command: Command, input: &str) -> String {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("java starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let input = input.to_owned();
    let writing = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writing.join().expect("its input was given").expect("it reads its input");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {complaint}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}
