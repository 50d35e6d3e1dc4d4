//! `cargo xtask dist`: packages for installation without a toolchain. A tarball, and a Python wheel that contains the
//! binary, both of the same stripped program.

mod program;
mod third_party;
mod wheel;
mod zip_file;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use crate::command::{cargo, root};
use program::Program;

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Files of the repository that are packed with the program.
const FILES: &[&str] = &["README.md", "LICENSE", "CHANGELOG.md", "docs/operations/rowhouse.service"];
const SHELLS: &[&str] = &["bash", "zsh", "fish"];

/// What is packed, and where to.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A binary that was built already; by default one is built with the profile `dist`, which takes half an hour.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// The folder that gets the tarball and the wheel; by default `packages` in the target directory.
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("cargo xtask dist packs for Linux with glibc: run it there");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let binary = match &arguments.binary {
        Some(binary) => binary.clone(),
        None => {
            // Naming the engine enables its features, as in the tests.
            cargo(
                &["build", "--profile", "dist", "--locked", "-p", "rowhouse-server", "-p", "rowhouse-engine"],
                &[],
            )?;
            target.join("dist/rowhouse")
        }
    };
    let out = arguments.out.clone().unwrap_or_else(|| target.join("packages"));
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    let staged = Staged::new(&out)?;
    let program = Program::stripped(&binary, &staged.folder.join("rowhouse"))?;
    fs::write(staged.folder.join("THIRD-PARTY.txt"), third_party::notices(&root())?)?;
    staged.fill(&program)?;
    let packed = [staged.tarball(&out)?, wheel::write(&staged.folder, &program, &out)?];
    println!("{} before, {} stripped, glibc {}", size(&binary)?, size(&program.path)?, program.glibc);
    for path in &packed {
        println!("{} {}", size(path)?, path.display());
    }
    Ok(())
}

/// The folder that becomes the tarball. It is removed at the end.
struct Staged {
    folder: PathBuf,
    name: String,
}

impl Staged {
    fn new(out: &Path) -> Result<Self> {
        let name = format!("rowhouse-{VERSION}-{}-linux-gnu", std::env::consts::ARCH);
        let folder = out.join(&name);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        Ok(Self { folder, name })
    }

    fn fill(&self, program: &Program) -> Result<()> {
        for file in FILES {
            let name = Path::new(file).file_name().context("a file's name")?;
            fs::copy(root().join(file), self.folder.join(name)).with_context(|| (*file).to_owned())?;
        }
        let completions = self.folder.join("completions");
        fs::create_dir(&completions)?;
        for shell in SHELLS {
            let printed = program.print(&["completions", shell])?;
            fs::write(completions.join(format!("rowhouse.{shell}")), printed)?;
        }
        Ok(())
    }

    /// Reproducible: the same files always give the same tarball.
    fn tarball(&self, out: &Path) -> Result<PathBuf> {
        let path = out.join(format!("{}.tar.gz", self.name));
        let status = Command::new("tar")
            .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=go-w", "--mtime=@0"])
            .args(["--use-compress-program=gzip -9n", "-cf"])
            .arg(&path)
            .arg("-C")
            .arg(out)
            .arg(&self.name)
            .status()
            .context("tar did not start")?;
        if !status.success() {
            bail!("tar ended with {status}");
        }
        Ok(path)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn size(path: &Path) -> Result<String> {
    let bytes = fs::metadata(path).with_context(|| path.display().to_string())?.len();
    Ok(format!("{:.1} MB", bytes as f64 / 1e6))
}
