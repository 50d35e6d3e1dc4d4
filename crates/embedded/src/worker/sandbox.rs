//! The rights that a worker drops permanently. At its start, before any job: system calls that Polars does not need
//! (seccomp), and what Landlock can restrict without knowing any file. With [`enter`], before any file of a job is
//! opened: every file that the job does not name. Both apply to the one thread that exists then, and to all threads
//! that it starts.

use rowhouse_executor::{Sandbox, SandboxMode, SandboxReport};

#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod system_calls;

/// Drops the rights that no job needs, and returns the restrictions that apply from now on.
///
/// # Errors
///
/// The message says which restrictions this kernel does not support, if the mode requires all of them.
pub(super) fn begin(mode: SandboxMode) -> Result<SandboxReport, String> {
    let report = begin_here();
    let missing = report.missing();
    if mode == SandboxMode::Require && !report.is_whole() {
        return Err(format!(
            "engine.sandbox is 'require', and this kernel cannot hold a worker to it: {}",
            missing.join("; ")
        ));
    }
    Ok(report)
}

/// Drops access to every file that the sandbox does not name.
///
/// # Errors
///
/// The message says why that failed on a kernel that supports it.
pub(super) fn enter(sandbox: &Sandbox, report: SandboxReport) -> Result<(), String> {
    if report.landlock_abi == 0 {
        return Ok(());
    }
    enter_here(sandbox)
}

#[cfg(target_os = "linux")]
fn begin_here() -> SandboxReport {
    let landlock_abi = files::begin().unwrap_or_else(|error| {
        eprintln!("rowhouse worker: Landlock failed: {error}");
        0
    });
    let seccomp = system_calls::filter()
        .inspect_err(|error| eprintln!("rowhouse worker: seccomp failed: {error}"))
        .is_ok();
    SandboxReport { landlock_abi, seccomp }
}

#[cfg(target_os = "linux")]
fn enter_here(sandbox: &Sandbox) -> Result<(), String> {
    files::enter(sandbox).map_err(|error| format!("Landlock failed: {error}"))
}

/// This system has neither Landlock nor seccomp.
#[cfg(not(target_os = "linux"))]
const fn begin_here() -> SandboxReport {
    SandboxReport { landlock_abi: 0, seccomp: false }
}

#[cfg(not(target_os = "linux"))]
const fn enter_here(_: &Sandbox) -> Result<(), String> {
    Ok(())
}

/// The restrictions that this kernel supports, determined by a thread that applies them to itself and ends.
pub fn probe() -> SandboxReport {
    std::thread::spawn(begin_here).join().unwrap_or_default()
}
