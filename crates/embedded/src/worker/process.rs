//! Settings of the worker's own process before its first job: memory limit, death with its parent, priority for the OOM
//! killer, and a standard output that contains only frames.

use std::fs::File;
use std::io;

use rowhouse_executor::heap;
use rowhouse_sql::STACK_BYTES;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The value of `--memory-limit-bytes`.
pub(super) fn memory_limit_argument(arguments: impl Iterator<Item = String>) -> Option<u64> {
    argument(arguments, "--memory-limit-bytes")?.parse().ok()
}

/// The value of a flag: the next argument, or the text after `=`.
pub(super) fn argument(arguments: impl Iterator<Item = String>, flag: &str) -> Option<String> {
    let mut arguments = arguments.skip_while(|argument| !argument.starts_with(flag));
    match arguments.next()?.strip_prefix(flag)?.strip_prefix('=') {
        Some(value) => Some(value.to_owned()),
        None => arguments.next(),
    }
}

/// Limits the process's data, makes it end with its parent, and enables huge pages.
pub(super) fn confine(memory_limit_bytes: Option<u64>) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // If the machine has no memory left, the kernel kills a worker before the server and other processes: only its
    // statement fails. OK to ignore: without the setting the kernel chooses by size, and a worker is mostly the
    // largest.
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    // A server with many connections disables them, and child processes inherit that. OK to ignore: without them, the
    // worker is slower.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(false);
    if let Some(limit) = memory_limit_bytes {
        // The stack of the thread that plans and runs statements counts as data, whether it is used or not.
        let limit = limit.saturating_add(STACK_BYTES as u64);
        heap::reserve(STACK_BYTES as u64);
        let hard = getrlimit(Resource::Data).maximum;
        let limit = hard.map_or(limit, |hard| limit.min(hard));
        setrlimit(Resource::Data, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    // Spilling needs many open files. OK to ignore: without the setting there are fewer.
    let most = getrlimit(Resource::Nofile).maximum;
    let _ = setrlimit(Resource::Nofile, Rlimit { current: most, maximum: most });
    heap::exit_with_status_when_used_up()?;
    // A crash is reported by its signal; a core dump of gigabytes is not useful.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    Ok(())
}

/// Returns standard output as a separate file, and redirects standard output to standard error.
pub(super) fn take_standard_output() -> io::Result<File> {
    let output = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(File::from(output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_read_in_both_forms() {
        let check = |line: &str, expected| {
            let arguments = line.split(' ').map(str::to_owned);
            assert_eq!(memory_limit_argument(arguments), expected, "{line}");
        };
        check("rowhouse worker --memory-limit-bytes 4096", Some(4096));
        check("rowhouse worker --memory-limit-bytes=4096", Some(4096));
        check("rowhouse worker", None);
        check("rowhouse worker --memory-limit-bytes many", None);
    }
}
