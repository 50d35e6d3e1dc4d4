//! Converts a worker's exit status and its last output into the statement's error.

use std::process::ExitStatus;

use rowhouse_model::{ErrorCode, QueryError};

use rowhouse_executor::memory_limit_exceeded;
use rustix::process::Signal;

#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;

/// Last output, in lower case, of a process that requested more memory than it may have: Rust's allocation error, the
/// system's error 12, error 11 of a thread that gets no stack, and the C++ and Polars spellings.
const OUT_OF_MEMORY: &[&str] = &[
    "memory allocation of",
    "out of memory",
    "cannot allocate memory",
    "os error 12",
    "resource temporarily unavailable",
    "capacity overflow",
];

/// Why a process ended before its statement.
pub(super) fn error_of_exit(
    status: Option<ExitStatus>,
    last_output: &str,
    memory_limit_bytes: u64,
) -> QueryError {
    let lower_case = last_output.to_lowercase();
    if OUT_OF_MEMORY.iter().any(|words| lower_case.contains(words)) {
        return QueryError::new(ErrorCode::ExceededMemoryLimit, memory_limit_exceeded(memory_limit_bytes));
    }
    let how = match status {
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => format!("exited with status {code}"),
            (None, Some(signal)) => format!("was ended by signal {signal}{}", name_of_signal(signal)),
            (None, None) => "ended".to_owned(),
        },
        None => "could not be followed to its end".to_owned(),
    };
    if status.and_then(|status| status.signal()) == Some(Signal::BUS.as_raw()) {
        let message = format!(
            "cannot read the table's files: the worker process of this statement {how}, as it is when a file is cut off \
             while it is read, or the disk does not give it; other statements are not affected"
        );
        return QueryError::new(ErrorCode::External, message);
    }
    QueryError::new(
        ErrorCode::GenericInternalError,
        format!("the worker process of this statement {how}; other statements are not affected"),
    )
}

fn name_of_signal(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        15 => " (SIGTERM)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_output_distinguishes_out_of_memory_from_a_crash() {
        let check = |raw_status: i32, last_output: &str, expected: ErrorCode, part: &str| {
            let error = error_of_exit(Some(ExitStatus::from_raw(raw_status)), last_output, 64 << 20);
            assert_eq!(error.code(), Some(expected), "{last_output}");
            assert!(error.message.contains(part), "{}", error.message);
        };
        let memory = ErrorCode::ExceededMemoryLimit;
        check(6, "memory allocation of 4294967296 bytes failed\n", memory, "64 MiB");
        check(101 << 8, "thread 'x' panicked: Cannot allocate memory (os error 12)", memory, "64 MiB");
        let no_stack = "Os { code: 11, kind: WouldBlock, message: \"Resource temporarily unavailable\" }";
        check(101 << 8, no_stack, memory, "64 MiB");
        check(9, "", ErrorCode::GenericInternalError, "signal 9 (SIGKILL)");
        check(Signal::BUS.as_raw(), "", ErrorCode::External, "a file is cut off");
        check(11, "thread 'main' has overflowed its stack", ErrorCode::GenericInternalError, "SIGSEGV");
        check(3 << 8, "", ErrorCode::GenericInternalError, "status 3");
    }
}
