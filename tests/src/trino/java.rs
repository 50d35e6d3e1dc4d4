//! The JDK that Trino runs on: the newest of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::run;

/// A JDK.
#[derive(Debug, Clone)]
pub(super) struct Java {
    /// Its `bin` folder.
    bin: PathBuf,
    /// Version: 17, 25, …
    pub(super) version: u32,
}

impl Java {
    /// The newest of `JAVA_HOME`, the `PATH` and the system's folder of JDKs.
    pub(super) fn newest() -> Option<Self> {
        let homes =
            std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
        let homes =
            homes.chain(std::env::var_os("JAVA_HOME").map(PathBuf::from)).map(|home| home.join("bin"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = homes.chain(std::env::split_paths(&path)).collect();
        let found = folders.into_iter().filter_map(Self::at);
        found.max_by_key(|java| java.version)
    }

    fn at(bin: PathBuf) -> Option<Self> {
        let output = Command::new(bin.join("javac")).arg("-version").output().ok()?;
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        let version = said.trim().strip_prefix("javac ")?.split(['.', '-']).next()?.parse().ok()?;
        Some(Self { bin, version })
    }

    /// One of its programs.
    pub(super) fn command(&self, name: &str) -> Command {
        Command::new(self.bin.join(name))
    }

    /// Compiles a class into a jar that declares it as a service.
    pub(super) fn plugin(
        &self,
        source: &Path,
        classpath: &Path,
        service: &str,
        jar: &Path,
    ) -> Result<(), String> {
        let classes = tempfile::tempdir().map_err(|error| error.to_string())?;
        let services = classes.path().join("META-INF/services");
        let class = source.file_stem().unwrap_or_default().as_encoded_bytes();
        std::fs::create_dir_all(&services).map_err(|error| error.to_string())?;
        std::fs::write(services.join(service), class).map_err(|error| error.to_string())?;
        let mut compile = self.command("javac");
        run(compile.arg("-d").arg(classes.path()).arg("-cp").arg(classpath).arg(source))?;
        let mut pack = self.command("jar");
        run(pack.arg("cf").arg(jar).arg("-C").arg(classes.path()).arg("."))
    }
}
