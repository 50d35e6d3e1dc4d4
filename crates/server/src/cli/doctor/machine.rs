//! The machine: the address, open files, memory, the kernel's support for confining workers, the audit log's folder.

use std::net::TcpListener;
use std::path::Path;

use rustix::fs::Access;
use rustix::process::{Resource, getrlimit};

use super::findings::Findings;
use crate::config::Config;
use crate::open_files::OWN_FILES;

pub(super) fn check(findings: &mut Findings, config: &Config, is_serving: bool) {
    check_address(findings, config, is_serving);
    let wanted = (config.limits.connections + OWN_FILES) as u64;
    // A server raises its limit to this one.
    match getrlimit(Resource::Nofile).maximum {
        Some(files) if files < wanted => findings.doubtful(
            "open files",
            format!("{files} are allowed, and limits.connections may need {wanted}"),
            "raise the limit (LimitNOFILE= of systemd, ulimit -Hn), or lower limits.connections",
        ),
        _ => findings.good("open files", "enough are allowed for limits.connections".to_owned()),
    }
    check_memory(findings, config);
    check_sandbox(findings, config);
    if let Some(audit) = &config.audit {
        let folder = audit.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let target = if audit.file.exists() { &audit.file } else { folder.unwrap_or(Path::new(".")) };
        if rustix::fs::access(target, Access::WRITE_OK).is_ok() {
            findings.good("audit.file", format!("{} can be written", audit.file.display()));
        } else {
            findings.bad(
                "audit.file",
                format!("{} cannot be written", audit.file.display()),
                "make its folder, and give it to the server's user",
            );
        }
    }
}

#[cfg(feature = "polars")]
fn check_sandbox(findings: &mut Findings, config: &Config) {
    let report = rowhouse_engine::worker::probe_sandbox();
    let state = format!("{report}; engine.sandbox is {}", config.engine.sandbox.as_str());
    if report.is_whole() {
        return findings.good("sandbox", state);
    }
    let state = format!("{state}: {}", report.missing().join("; "));
    let advice = "use Linux from 6.12 with landlock among its security modules (lsm=), and a container whose profile \
                  allows Landlock and seccomp";
    if config.engine.sandbox == rowhouse_engine::SandboxMode::Require {
        findings.bad("sandbox", state, advice);
    } else {
        findings.doubtful("sandbox", state, advice);
    }
}

#[cfg(not(feature = "polars"))]
fn check_sandbox(_: &mut Findings, _: &Config) {}

fn check_address(findings: &mut Findings, config: &Config, is_serving: bool) {
    match TcpListener::bind(config.listen) {
        Ok(_) => findings.good("listen", format!("{} is free", config.listen)),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse && is_serving => {
            findings.good("listen", format!("{} is in use, as by the server that runs", config.listen));
        }
        Err(error) => findings.bad(
            "listen",
            format!("{} cannot be taken: {error}", config.listen),
            "end what listens there, or set another address; ports below 1024 need CAP_NET_BIND_SERVICE",
        ),
    }
}

fn check_memory(findings: &mut Findings, config: &Config) {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let total =
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map(|kib| kib * 1024);
    let wanted = config.engine.memory_limit_bytes.saturating_mul(config.engine.concurrency as u64);
    let summary = |total: u64| {
        format!(
            "{} statements of {} MiB may take {} MiB; the machine has {} MiB",
            config.engine.concurrency,
            config.engine.memory_limit_bytes >> 20,
            wanted >> 20,
            total >> 20
        )
    };
    match total {
        Some(total) if wanted > total => findings.doubtful(
            "memory",
            summary(total),
            "lower engine.memory_limit or engine.concurrency, so that the kernel never has to choose whom to kill",
        ),
        Some(total) => findings.good("memory", summary(total)),
        None => {}
    }
}
