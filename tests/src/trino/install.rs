//! The parts of a Trino server in `${XDG_CACHE_HOME:-~/.cache}/rowhouse/trino/VERSION`, fetched once with Maven:
//! 90 MB of its main program's jars (`tests/trino/pom.xml`) and two connectors of 17 MB.

use std::path::{Path, PathBuf};
use std::process::Command;

const CONNECTORS: &[&str] = &["tpch", "memory"];
/// The plug-in of Maven, in a version that does not change under the tests.
const DEPENDENCY_PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";

/// The folder, or why there is none.
pub(super) fn installation(version: &str) -> Result<PathBuf, String> {
    let cache = match std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(std::env::var_os("HOME").ok_or("there is no HOME")?).join(".cache"),
    };
    let folder = cache.join("rowhouse/trino");
    let installed = folder.join(version);
    check_java()?;
    if installed.is_dir() {
        return Ok(installed);
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Two test programs may fetch at once: each into a folder of its own, the first to be done gives it its name.
    let partial = tempfile::Builder::new().prefix("partial-").tempdir_in(&folder);
    let partial = partial.map_err(|error| format!("{}: {error}", folder.display()))?;
    eprintln!("fetching Trino {version} from Maven Central into {}", installed.display());
    fetch(version, partial.path())?;
    match std::fs::rename(partial.path(), &installed) {
        Ok(()) => {
            // OK to ignore: what was renamed is not there to be removed.
            let _ = partial.close();
        }
        Err(_) if installed.is_dir() => {}
        Err(error) => return Err(format!("{}: {error}", installed.display())),
    }
    Ok(installed)
}

fn fetch(version: &str, folder: &Path) -> Result<(), String> {
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
        // A zip is a jar: the JDK unpacks it.
        let archive = zip.join(format!("trino-{connector}-{version}.zip"));
        run(Command::new("jar").arg("xf").arg(archive).current_dir(&plugins))?;
    }
    std::fs::remove_dir_all(folder.join("zip")).map_err(|error| error.to_string())
}

/// Trino 435 runs on Java 17 and on later ones; its program is compiled as it starts, which needs a JDK.
fn check_java() -> Result<(), String> {
    let output = Command::new("javac").arg("-version").output();
    let output =
        output.map_err(|error| format!("javac does not start ({error}); install a JDK 17 or later"))?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let version: Option<u32> =
        said.trim().strip_prefix("javac ").and_then(|version| version.split('.').next()?.parse().ok());
    match version {
        Some(version) if version >= 17 => Ok(()),
        _ => Err(format!("javac says '{}', Trino needs Java 17 or later", said.trim())),
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{shown} does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = said.lines().filter(|line| line.contains("ERROR")).take(2).collect::<Vec<_>>().join(" ");
    Err(format!("{shown} ended with {}: {last}", output.status))
}
