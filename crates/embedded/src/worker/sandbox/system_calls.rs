//! System calls by seccomp: those that are needed to read files, to compute with threads and to write files, and no
//! others. All others fail with EPERM. Without `clone` except for threads there is never a second process; without
//! `setpgid` and `setsid` the process stays in the process group that is killed; without sockets, `ptrace` and
//! namespaces it cannot communicate with other processes.

use std::collections::BTreeMap;
use std::error::Error;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

/// System calls that are allowed with any arguments.
const ALLOWED: &[i64] = &[
    // open files
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_pwritev2,
    libc::SYS_close,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_getdents64,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    // files by name, which Landlock confines
    libc::SYS_openat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_mkdirat,
    // memory
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_mincore,
    libc::SYS_membarrier,
    // threads
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_set_tid_address,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getcpu,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // The other filter, which takes precedence, returns ENOSYS for it: its flags are in memory, which filters cannot
    // read.
    libc::SYS_clone3,
    // own signals
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // time, random numbers, the machine
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrusage,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    // waiting, as tokio does inside Polars
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_ppoll,
    libc::SYS_recvfrom,
    // further restrictions
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

/// Older system calls with the same effect, which only this architecture has.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[
    libc::SYS_open,
    libc::SYS_dup2,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_mkdir,
    libc::SYS_getrlimit,
    libc::SYS_time,
    libc::SYS_poll,
    libc::SYS_epoll_wait,
];

#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[];

/// Commands of `fcntl` that change only the descriptor.
const FCNTL: &[i32] =
    &[libc::F_DUPFD, libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_SETFL];

/// Requests of `ioctl` that the standard library makes.
const IOCTL: &[libc::c_ulong] = &[libc::FIOCLEX, libc::FIONBIO, libc::TCGETS];

/// Options of `prctl`: names of threads and of memory, and the requirement of Landlock.
const PRCTL: &[i32] = &[libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA, libc::PR_SET_NO_NEW_PRIVS];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Filters the system calls of this thread and of the threads that it starts, permanently.
pub(super) fn filter() -> Result<()> {
    // The C library then creates threads with `clone`, whose flags filters can read.
    let missing = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    let without_clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    apply_filter(&compiled(without_clone3, SeccompAction::Allow, missing)?)?;
    let refused = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    apply_filter(&compiled(allowed()?, refused, SeccompAction::Allow)?)?;
    Ok(())
}

fn compiled(rules: Rules, otherwise: SeccompAction, where_one_fits: SeccompAction) -> Result<BpfProgram> {
    let filter = SeccompFilter::new(rules, otherwise, where_one_fits, std::env::consts::ARCH.try_into()?)?;
    Ok(filter.try_into()?)
}

fn allowed() -> Result<Rules> {
    let mut rules: Rules = ALLOWED.iter().chain(OLDER).map(|&call| (call, Vec::new())).collect();
    // Only threads: no processes, no namespaces.
    let namespaces = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_PTRACE;
    let flags = u64::from((libc::CLONE_THREAD | namespaces).cast_unsigned());
    rules.insert(libc::SYS_clone, vec![masked(0, flags, libc::CLONE_THREAD)?]);
    // No new code can be executed.
    let executable = u64::from(libc::PROT_EXEC.cast_unsigned());
    rules.insert(libc::SYS_mmap, vec![masked(2, executable, 0)?]);
    rules.insert(libc::SYS_mprotect, vec![masked(2, executable, 0)?]);
    // Only signals to its own threads, which abort() sends.
    rules.insert(libc::SYS_tgkill, vec![equal(0, rustix::process::getpid().as_raw_nonzero().get())?]);
    // Limits can only be read.
    let none = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![none])?]);
    // A pair of connected sockets in this process, with which tokio wakes itself. A datagram socket could send to other
    // processes.
    let stream = SeccompCmpOp::MaskedEq(0xf);
    let pair = vec![
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, number(libc::AF_UNIX))?,
        SeccompCondition::new(1, SeccompCmpArgLen::Dword, stream, number(libc::SOCK_STREAM))?,
    ];
    rules.insert(libc::SYS_socketpair, vec![SeccompRule::new(pair)?]);
    rules.insert(libc::SYS_fcntl, FCNTL.iter().map(|&command| equal(1, command)).collect::<Result<_>>()?);
    rules.insert(libc::SYS_prctl, PRCTL.iter().map(|&option| equal(0, option)).collect::<Result<_>>()?);
    let requests = IOCTL.iter().map(|&request| {
        let condition = SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, request)?;
        Ok(SeccompRule::new(vec![condition])?)
    });
    rules.insert(libc::SYS_ioctl, requests.collect::<Result<_>>()?);
    Ok(rules)
}

/// The rule that an argument equals a number.
fn equal(argument: u8, value: i32) -> Result<SeccompRule> {
    let condition =
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, number(value))?;
    Ok(SeccompRule::new(vec![condition])?)
}

/// The rule that an argument has these bits under a mask.
fn masked(argument: u8, mask: u64, value: i32) -> Result<SeccompRule> {
    let operation = SeccompCmpOp::MaskedEq(mask);
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operation, number(value))?;
    Ok(SeccompRule::new(vec![condition])?)
}

fn number(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_calls_that_leave_the_process_are_denied() {
        let rules = allowed().expect("the rules");
        for call in [
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_execve,
            libc::SYS_execveat,
            libc::SYS_unshare,
            libc::SYS_setns,
            libc::SYS_socket,
            libc::SYS_connect,
            libc::SYS_bind,
            libc::SYS_sendto,
            libc::SYS_sendmsg,
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
            libc::SYS_pidfd_send_signal,
            libc::SYS_pidfd_getfd,
            libc::SYS_setpgid,
            libc::SYS_setsid,
            libc::SYS_mount,
            libc::SYS_move_mount,
            libc::SYS_pivot_root,
            libc::SYS_chroot,
            libc::SYS_bpf,
            libc::SYS_perf_event_open,
            libc::SYS_keyctl,
            libc::SYS_add_key,
            libc::SYS_io_uring_setup,
            libc::SYS_userfaultfd,
            libc::SYS_fchmodat,
            libc::SYS_fchownat,
            libc::SYS_utimensat,
            libc::SYS_setxattr,
            libc::SYS_linkat,
            libc::SYS_symlinkat,
            libc::SYS_setuid,
            libc::SYS_seccomp,
        ] {
            assert!(!rules.contains_key(&call), "system call {call}");
        }
        // Each of these has at least one condition: an empty list would allow any arguments.
        for call in [libc::SYS_clone, libc::SYS_mmap, libc::SYS_prctl, libc::SYS_tgkill, libc::SYS_socketpair]
        {
            assert!(!rules[&call].is_empty(), "system call {call}");
        }
    }
}
