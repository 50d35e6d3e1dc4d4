//! The files of a Trino server in `${XDG_CACHE_HOME:-~/.cache}/rowhouse/trino/VERSION`, fetched once with Maven: 90 MB
//! of its main program's jars (`tests/trino/pom.xml`) and two connectors of 17 MB.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::run;
use super::java::Java;

const CONNECTORS: &[&str] = &["tpch", "memory"];
/// The Maven plug-in, pinned to a version.
pub(super) const DEPENDENCY_PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";

/// Versions and the Java version that each needs, newest first. Later ones are not completely on Maven Central.
const VERSIONS: [(&str, u32); 2] = [("476", 24), ("435", 17)];
/// From this version on the JVM needs the flags that Trino's own launcher passes.
const FLAGS: [(u32, &[&str]); 1] = [(
    24,
    &[
        "--add-modules=jdk.incubator.vector",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
    ],
)];

/// A Trino installation that can be started.
#[derive(Clone, Debug)]
pub(super) struct Installation {
    pub(super) version: &'static str,
    pub(super) folder: PathBuf,
    pub(super) java: Java,
}

impl Installation {
    /// The newest version that this machine's Java runs, or why there is none.
    pub(super) fn newest() -> Result<Self, String> {
        let java = Java::newest().ok_or("there is no JDK (javac); install one, 17 or later")?;
        let version = VERSIONS.iter().find(|(_, needed)| *needed <= java.version);
        let (version, _) = version
            .ok_or_else(|| format!("the newest JDK is {}, Trino needs Java 17 or later", java.version))?;
        let folder = installed(version, &java)?;
        Ok(Self { version, folder, java })
    }

    /// The flags of its JVM.
    pub(super) fn flags(&self) -> &'static [&'static str] {
        FLAGS.iter().find(|(from, _)| *from <= self.java.version).map_or(&[], |(_, flags)| flags)
    }
}

fn installed(version: &str, java: &Java) -> Result<PathBuf, String> {
    let cache = match std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(std::env::var_os("HOME").ok_or("there is no HOME")?).join(".cache"),
    };
    let folder = cache.join("rowhouse/trino");
    let installed = folder.join(version);
    if installed.is_dir() {
        return Ok(installed);
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Two test programs may fetch at once: each into a folder of its own, and the first to finish renames its folder.
    let partial = tempfile::Builder::new().prefix("partial-").tempdir_in(&folder);
    let partial = partial.map_err(|error| format!("{}: {error}", folder.display()))?;
    eprintln!("fetching Trino {version} from Maven Central into {}", installed.display());
    fetch(version, java, partial.path())?;
    match std::fs::rename(partial.path(), &installed) {
        Ok(()) => {
            // OK to ignore: a renamed folder need not be removed.
            let _ = partial.close();
        }
        Err(_) if installed.is_dir() => {}
        Err(error) => return Err(format!("{}: {error}", installed.display())),
    }
    Ok(installed)
}

fn fetch(version: &str, java: &Java, folder: &Path) -> Result<(), String> {
    let pom = crate::path_in_tests("trino/pom.xml");
    let maven = |goal: &str, more: &[String]| {
        let mut command = Command::new("mvn");
        command.args(["-q", "-B", "-f"]).arg(&pom).arg(format!("-Dtrino.version={version}"));
        run(command.arg(format!("{DEPENDENCY_PLUGIN}:{goal}")).args(more))
    };
    let lib = format!("-DoutputDirectory={}", folder.join("lib").display());
    maven("copy-dependencies", &[lib, "-DincludeScope=runtime".to_owned()])?;
    for connector in CONNECTORS {
        let zip = folder.join("zip");
        let artifact = format!("-Dartifact=io.trino:trino-{connector}:{version}:zip");
        maven("copy", &[artifact, format!("-DoutputDirectory={}", zip.display())])?;
        let plugins = folder.join("plugin");
        std::fs::create_dir_all(&plugins).map_err(|error| error.to_string())?;
        // A zip has the format of a jar: the JDK unpacks it.
        let archive = zip.join(format!("trino-{connector}-{version}.zip"));
        run(java.command("jar").arg("xf").arg(archive).current_dir(&plugins))?;
    }
    std::fs::remove_dir_all(folder.join("zip")).map_err(|error| error.to_string())
}
