//! Open files of the process: how many are allowed, and how many of them connections may take.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that the server needs besides those of connections: database, results, uploads, workers.
pub(crate) const OWN_FILES: usize = 200;

/// Raises the limit of open files to the greatest that the system allows the process, and returns it; none if there is
/// no limit.
pub(crate) fn raise_limit() -> Option<usize> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::warn!(%error, "the limit of open files cannot be raised");
    }
    getrlimit(Resource::Nofile).current.map(|files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// The connections that may be open at a time, of `configured` ones, within a limit of open files: the rest of the files
/// is the server's own.
pub(crate) fn connections_within(files: Option<usize>, configured: usize) -> usize {
    let Some(files) = files else { return configured };
    // With a very low limit, half.
    let most = files.saturating_sub(OWN_FILES.min(files / 2)).max(1);
    if most < configured {
        tracing::warn!(
            files,
            connections = most,
            "fewer connections than limits.connections can be open, because of the limit of open files"
        );
    }
    most.min(configured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_to_the_server() {
        let check = |files, configured, expected| {
            assert_eq!(connections_within(files, configured), expected, "{files:?} {configured}");
        };
        check(None, 10_000, 10_000);
        check(Some(1_048_576), 10_000, 10_000);
        check(Some(10_200), 10_000, 10_000);
        check(Some(1024), 10_000, 824);
        check(Some(1024), 100, 100);
        check(Some(256), 10_000, 128);
        check(Some(0), 10_000, 1);
    }

    #[test]
    fn the_limit_is_the_greatest_that_the_system_allows() {
        let limit = raise_limit();
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        assert_eq!((current, current.map(|files| files as usize)), (maximum, limit));
    }
}
