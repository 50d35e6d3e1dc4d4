//! Destination of rows: standard output, or a file that gets its name only when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::failure::Failure;

/// An open destination. An incomplete file is removed.
#[derive(Debug)]
pub(super) struct Destination {
    target: Target,
}

#[derive(Debug)]
enum Target {
    StandardOutput(io::Stdout),
    /// A device or a pipe, written directly.
    Special(File, PathBuf),
    Regular {
        file: File,
        partial: PathBuf,
        path: PathBuf,
        is_finished: bool,
    },
}

impl Destination {
    /// Standard output if there is no path.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self { target: Target::StandardOutput(io::stdout()) });
        };
        let is_special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let target = if is_special {
            File::options().write(true).open(path).map(|file| Target::Special(file, path.to_owned()))
        } else {
            let mut partial = path.as_os_str().to_owned();
            partial.push(".partial");
            let partial = PathBuf::from(partial);
            File::create(&partial).map(|file| Target::Regular {
                file,
                partial,
                path: path.to_owned(),
                is_finished: false,
            })
        };
        target.map(|target| Self { target }).map_err(|error| at(path, &error))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match &mut self.target {
            Target::StandardOutput(output) => Ok(output.write_all(bytes)?),
            Target::Special(file, path) | Target::Regular { file, path, .. } => {
                file.write_all(bytes).map_err(|error| at(path, &error))
            }
        }
    }

    /// Everything was written: the file gets its name.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        match &mut self.target {
            Target::StandardOutput(output) => Ok(output.flush()?),
            Target::Special(..) => Ok(()),
            Target::Regular { partial, path, is_finished, .. } => {
                fs::rename(&*partial, &*path).map_err(|error| at(path, &error))?;
                *is_finished = true;
                Ok(())
            }
        }
    }
}

impl Drop for Destination {
    fn drop(&mut self) {
        if let Target::Regular { partial, is_finished: false, .. } = &self.target {
            // If the file cannot be removed, its name shows that it is incomplete.
            let _ = fs::remove_file(partial);
        }
    }
}

fn at(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Failure::Refused(format!("{}: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::Destination;

    #[test]
    fn a_file_appears_only_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.csv");
        let names = || fs::read_dir(folder.path()).expect("a folder").count();

        let mut destination = Destination::open(Some(&path)).expect("opens");
        destination.write(b"a\n").expect("writes");
        drop(destination);
        assert_eq!(names(), 0, "what is not finished leaves nothing");

        let mut destination = Destination::open(Some(&path)).expect("opens");
        destination.write(b"a\n1\n").expect("writes");
        destination.finish().expect("finishes");
        assert_eq!(fs::read(&path).expect("the file"), b"a\n1\n");
        assert_eq!(names(), 1);
    }

    #[test]
    fn a_device_is_written_directly() {
        let mut destination = Destination::open(Some(Path::new("/dev/null"))).expect("opens");
        destination.write(b"a\n").expect("writes");
        destination.finish().expect("finishes");
        assert!(fs::metadata("/dev/null").is_ok_and(|metadata| !metadata.is_file()));
    }
}
