//! Converts a worker's exit status into the statement's error.

use std::process::ExitStatus;

use rowhouse_model::{ErrorCode, QueryError};

use rowhouse_executor::{heap, memory_limit_exceeded};
use rustix::process::Signal;

#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;

/// Why a process ended before its statement.
pub(super) fn error_of_exit(status: Option<ExitStatus>, memory_limit_bytes: u64) -> QueryError {
    if status.and_then(|status| status.code()) == Some(i32::from(heap::USED_UP_STATUS)) {
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
    fn want_of_memory_is_told_from_a_crash() {
        let check = |raw_status: i32, expected: ErrorCode, part: &str| {
            let error = error_of_exit(Some(ExitStatus::from_raw(raw_status)), 64 << 20);
            assert_eq!(error.code(), Some(expected), "{raw_status}");
            assert!(error.message.contains(part), "{}", error.message);
        };
        check(i32::from(heap::USED_UP_STATUS) << 8, ErrorCode::ExceededMemoryLimit, "64 MiB");
        check(6, ErrorCode::GenericInternalError, "signal 6 (SIGABRT)");
        check(9, ErrorCode::GenericInternalError, "signal 9 (SIGKILL)");
        check(Signal::BUS.as_raw(), ErrorCode::External, "a file is cut off");
        check(11, ErrorCode::GenericInternalError, "SIGSEGV");
        check(101 << 8, ErrorCode::GenericInternalError, "status 101");
        check(3 << 8, ErrorCode::GenericInternalError, "status 3");
    }
}
