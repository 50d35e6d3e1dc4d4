//! The Python wheel: no Python code, only the program as a script, so that `pip install` puts it on the path.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::VERSION;
use super::program::Program;
use super::zip_file::ZipFile;

const EXECUTABLE: u16 = 0o755;
const PLAIN: u16 = 0o644;
/// The workspace's description.
const SUMMARY: &str = "SQL in workspaces over HTTP, and materialized views as filtered JSON";
/// Files of the tarball's folder.
const LICENCES: &[&str] = &["LICENSE", "THIRD-PARTY.txt"];

/// Writes the wheel of the staged files into `out`.
pub(super) fn write(staged: &Path, program: &Program, out: &Path) -> Result<PathBuf> {
    // PEP 600: the glibc version that the program needs.
    let (glibc, processor) = (program.glibc, std::env::consts::ARCH);
    let tag = format!("py3-none-manylinux_{}_{}_{processor}", glibc.major, glibc.minor);
    let path = out.join(format!("rowhouse-{VERSION}-{tag}.whl"));
    let information = format!("rowhouse-{VERSION}.dist-info");
    let mut wheel = Wheel { zip: ZipFile::create(&path)?, record: String::new() };
    let read = |name: &str| fs::read(staged.join(name)).with_context(|| name.to_owned());
    wheel.add(&format!("rowhouse-{VERSION}.data/scripts/rowhouse"), EXECUTABLE, &read("rowhouse")?)?;
    let readme = String::from_utf8(read("README.md")?).context("README.md")?;
    wheel.add(&format!("{information}/METADATA"), PLAIN, metadata(&readme).as_bytes())?;
    let about = format!(
        "Wheel-Version: 1.0\nGenerator: rowhouse-xtask {VERSION}\nRoot-Is-Purelib: false\nTag: {tag}\n"
    );
    wheel.add(&format!("{information}/WHEEL"), PLAIN, about.as_bytes())?;
    for name in LICENCES {
        wheel.add(&format!("{information}/licenses/{name}"), PLAIN, &read(name)?)?;
    }
    wheel.finish(&format!("{information}/RECORD"))?;
    Ok(path)
}

fn metadata(readme: &str) -> String {
    let licences = LICENCES.iter().fold(String::new(), |mut text, name| {
        let _ = writeln!(text, "License-File: {name}");
        text
    });
    format!(
        "Metadata-Version: 2.4\nName: rowhouse\nVersion: {VERSION}\nSummary: {}\nLicense-Expression: Apache-2.0\n{licences}\
         Classifier: Operating System :: POSIX :: Linux\nClassifier: Topic :: Database :: Database Engines/Servers\n\
         Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{readme}",
        SUMMARY
    )
}

/// A zip file, and the list of its members.
struct Wheel {
    zip: ZipFile,
    record: String,
}

impl Wheel {
    fn add(&mut self, name: &str, mode: u16, bytes: &[u8]) -> Result<()> {
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        writeln!(self.record, "{name},sha256={hash},{}", bytes.len())?;
        self.zip.add(name, mode, bytes)
    }

    fn finish(mut self, record: &str) -> Result<()> {
        writeln!(self.record, "{record},,")?;
        self.zip.add(record, PLAIN, self.record.as_bytes())?;
        self.zip.finish()
    }
}
