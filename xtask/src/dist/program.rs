//! The program that is distributed: stripped, and its requirements on a system.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// The shared libraries that a wheel tagged `manylinux` may expect of a system (PEP 600's policy), as far as a Rust
/// program needs them.
const EXPECTED_LIBRARIES: &[&str] =
    &["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1"];

/// A stripped program.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// The oldest glibc that has everything that the program calls: `2.35`.
    pub(super) glibc: GlibcVersion,
}

/// Major and minor number.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct GlibcVersion {
    pub(super) major: u32,
    pub(super) minor: u32,
}

impl std::fmt::Display for GlibcVersion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

impl Program {
    /// Writes `binary` without symbols to `path`.
    ///
    /// # Errors
    /// If binutils are missing, or if the program needs a library that not every system has.
    pub(super) fn stripped(binary: &Path, path: &Path) -> Result<Self> {
        output("strip", &[OsStr::new("--strip-all"), "-o".as_ref(), path.as_ref(), binary.as_ref()])?;
        let headers = output("objdump", &["-p".as_ref(), path.as_os_str()])?;
        let needed = headers.lines().filter_map(|line| line.trim().strip_prefix("NEEDED"));
        let is_expected =
            |library: &str| EXPECTED_LIBRARIES.contains(&library) || library.starts_with("ld-linux");
        if let Some(library) = needed.map(str::trim).find(|library| !is_expected(library)) {
            bail!("{} needs {library}, which not every Linux has", binary.display());
        }
        let symbols = output("objdump", &["-T".as_ref(), path.as_os_str()])?;
        let glibc = newest_glibc(&symbols).context("the program calls no glibc: is it linked statically?")?;
        Ok(Self { path: path.to_owned(), glibc })
    }

    /// The program's output with these arguments.
    pub(super) fn print(&self, arguments: &[&str]) -> Result<String> {
        output(&self.path, &arguments.iter().map(AsRef::as_ref).collect::<Vec<_>>())
    }
}

/// The highest version of glibc among the dynamic symbols that `objdump -T` lists.
fn newest_glibc(symbols: &str) -> Option<GlibcVersion> {
    let versions = symbols.split("(GLIBC_").skip(1).filter_map(|rest| {
        let mut numbers = rest.split(')').next()?.split('.');
        let major = numbers.next()?.parse().ok()?;
        Some(GlibcVersion { major, minor: numbers.next()?.parse().ok()? })
    });
    versions.max()
}

fn output(program: impl AsRef<OsStr>, arguments: &[&OsStr]) -> Result<String> {
    let shown = program.as_ref().to_string_lossy().into_owned();
    let output =
        Command::new(program).args(arguments).env("LC_ALL", "C").output().with_context(|| {
            format!("{shown} did not start; strip and objdump are in the package binutils")
        })?;
    if !output.status.success() {
        bail!("{shown}: {}", String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).with_context(|| shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_numerically() {
        let symbols = "\
            0000  DF *UND*  0000 (GLIBC_2.2.5) memcpy\n\
            0000  DF *UND*  0000 (GLIBC_2.34) __libc_start_main\n\
            0000  DF *UND*  0000 (GLIBC_2.4) __stack_chk_fail\n\
            0000  DF *UND*  0000 (GCC_3.0) _Unwind_Resume\n";
        assert_eq!(newest_glibc(symbols), Some(GlibcVersion { major: 2, minor: 34 }));
        assert_eq!(newest_glibc("0000  w   D  *UND*  0000 statx\n"), None);
    }
}
