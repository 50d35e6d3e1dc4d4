//! Metrics of the server's process, named as in Prometheus' own clients. Values that the system does not provide are
//! omitted.

use std::sync::OnceLock;

use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::metrics::{Exposition, Kind};

/// Ticks per second of the times in `/proc`: the kernel's USER_HZ, which is 100 whatever its own clock's rate.
const USER_HZ: f64 = 100.0;

pub(super) fn write(exposition: &mut Exposition) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for (figure, factor, name, help) in [
        (
            "VmSize",
            1024,
            "process_virtual_memory_bytes",
            "Virtual memory of the server, without its workers.",
        ),
        (
            "VmRSS",
            1024,
            "process_resident_memory_bytes",
            "Resident memory of the server, without its workers; mapped results count while they are read.",
        ),
        ("Threads", 1, "process_threads", "Threads of the server."),
    ] {
        if let Some(value) = status_figure(&status, figure) {
            exposition.single(name, Kind::Gauge, help, value * factor);
        }
    }
    let cpu = clock_gettime(ClockId::ProcessCPUTime);
    exposition.single(
        "process_cpu_seconds_total",
        Kind::Counter,
        "User and system time of the server, without its workers.",
        cpu.tv_sec as f64 + cpu.tv_nsec as f64 / 1e9,
    );
    if let Some(files) = open_files() {
        exposition.single("process_open_fds", Kind::Gauge, "Open file descriptors.", files);
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        exposition.single("process_max_fds", Kind::Gauge, "Most open file descriptors.", most);
    }
    static STARTED: OnceLock<Option<f64>> = OnceLock::new();
    if let Some(started) = STARTED.get_or_init(started_seconds) {
        exposition.single(
            "process_start_time_seconds",
            Kind::Gauge,
            "Start of the process, in seconds since 1970.",
            started,
        );
    }
}

/// The first number of a line of `/proc/self/status`.
fn status_figure(status: &str, figure: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Since Linux 6.2 the folder's size is the number of files; before, it is 0, and counting thousands takes too long.
fn open_files() -> Option<u64> {
    std::fs::metadata("/proc/self/fd").ok().map(|folder| folder.len()).filter(|&count| count > 0)
}

fn started_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let booted: u64 = stat.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    let ticks = start_ticks(&std::fs::read_to_string("/proc/self/stat").ok()?)?;
    Some(booted as f64 + ticks as f64 / USER_HZ)
}

/// Field 22 of proc_pid_stat(5): the name is in parentheses and may contain anything, so the fields are counted from
/// its end, where the third begins.
fn start_ticks(stat: &str) -> Option<u64> {
    stat[stat.rfind(')')? + 1..].split_ascii_whitespace().nth(22 - 3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_files_are_parsed() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194304 9 0 0 0 250 50 0 0 20 0 12 0 4711 1000 25 99";
        assert_eq!(start_ticks(stat), Some(4711));
        assert_eq!(start_ticks("7 (a) S 1"), None);
        assert_eq!(start_ticks(""), None);
        let status = "Name:\tx\nVmRSSX:\t1 kB\nVmRSS:\t  812 kB\nThreads:\t12\n";
        assert_eq!(status_figure(status, "VmRSS"), Some(812));
        assert_eq!(status_figure(status, "Threads"), Some(12));
        assert_eq!(status_figure(status, "VmSize"), None);
    }
}
