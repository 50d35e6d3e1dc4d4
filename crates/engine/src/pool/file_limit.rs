//! Limits the size of each file that a worker writes, enforced by the kernel (`RLIMIT_FSIZE`). A worker counts its output
//! itself; this limit holds for a worker that fails to. The total of all files is checked elsewhere while they are written.

use std::process::ExitStatus;

use rustix::process::Pid;

/// A worker's limit, which is changed for a job with another limit.
#[derive(Debug, Default)]
pub(super) struct FileLimit {
    bytes: Option<u64>,
}

impl FileLimit {
    /// Limits the process's files to this size; `None` removes the limit.
    pub(super) fn set(&mut self, process: Option<Pid>, bytes: Option<u64>) {
        if self.bytes == bytes {
            return;
        }
        match process.map(|process| limit(process, bytes)) {
            Some(Ok(())) => self.bytes = bytes,
            Some(Err(error)) => tracing::debug!(%error, "a worker's files have no limit by the kernel"),
            None => {}
        }
    }
}

/// Sets only the soft limit, because the server must be able to raise it; the sandbox denies the call to workers.
#[cfg(target_os = "linux")]
fn limit(process: Pid, bytes: Option<u64>) -> rustix::io::Result<()> {
    use rustix::process::{Resource, Rlimit, prlimit};
    prlimit(Some(process), Resource::Fsize, Rlimit { current: bytes, maximum: None }).map(drop)
}

#[cfg(not(target_os = "linux"))]
fn limit(_: Pid, _: Option<u64>) -> rustix::io::Result<()> {
    Ok(())
}

/// Whether a process was ended because it wrote beyond its limit.
pub(super) fn is_reached(status: Option<ExitStatus>) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    let too_long = rustix::process::Signal::XFSZ.as_raw();
    status.and_then(|status| status.signal()) == Some(too_long)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_beyond_its_file_size_limit_is_ended_and_the_limit_can_be_raised() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |limits: &[Option<u64>]| {
            let path = folder.path().join("file");
            let mut command = Command::new("sh");
            // It waits until its limit is set.
            command.arg("-c").arg(format!("read x; exec head -c 100000 /dev/zero > {}", path.display()));
            let mut child = command.stdin(std::process::Stdio::piped()).spawn().expect("a process");
            let process = Pid::from_raw(child.id().cast_signed());
            let mut limit = FileLimit::default();
            limits.iter().for_each(|bytes| limit.set(process, *bytes));
            drop(child.stdin.take());
            let status = child.wait().expect("its end");
            (is_reached(Some(status)), std::fs::metadata(&path).expect("the file").len())
        };
        assert_eq!(write(&[Some(4096)]), (true, 4096));
        assert_eq!(write(&[Some(4096), Some(200_000)]), (false, 100_000));
        assert_eq!(write(&[Some(4096), None]), (false, 100_000));
        assert_eq!(write(&[]), (false, 100_000));
        assert!(!is_reached(None));
    }
}
