//! CPU priority of statements: one that has run for a while gets a lower priority than newer ones, so that a statement
//! of minutes, which uses all cores, does not slow down those of milliseconds.

use std::pin::Pin;
use std::time::Duration;

use rustix::process::{Pid, getpriority_pgrp, getpriority_process, setpriority_pgrp};
use tokio::time::{Sleep, sleep};

/// How long a statement keeps its initial priority: users wait for statements that end within it.
const FIRST_FOR: Duration = Duration::from_millis(500);
/// Increase of the nice value: at a tenth of the weight, slow statements get what the others leave, and at least a
/// tenth.
const NICE_INCREASE: i32 = 10;
/// The maximum nice value.
const MAX_NICE: i32 = 19;

/// The threads of a worker, all in its process group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threads(pub(super) Option<Pid>);

impl Threads {
    /// Lowers their priority below that of newer statements.
    pub(super) fn lower_priority(self) {
        let Some(group) = self.0 else { return };
        let nicer = server_priority().saturating_add(NICE_INCREASE).min(MAX_NICE);
        if let Err(error) = setpriority_pgrp(Some(group), nicer) {
            tracing::debug!(%error, "a worker's priority cannot be lowered");
        }
    }

    /// Restores their priority; false if the right to do so is missing.
    pub(super) fn restore_priority(self) -> bool {
        let server = server_priority();
        match getpriority_pgrp(self.0) {
            Ok(priority) if self.0.is_some() && priority != server => {
                setpriority_pgrp(self.0, server).is_ok()
            }
            _ => true,
        }
    }
}

/// The time for which a statement keeps its initial priority, from when it is taken.
pub(super) struct InitialPriority {
    /// None once the time is over.
    rest: Option<Pin<Box<Sleep>>>,
}

impl InitialPriority {
    pub(super) fn new() -> Self {
        Self::lasting(FIRST_FOR)
    }

    fn lasting(time: Duration) -> Self {
        Self { rest: Some(Box::pin(sleep(time))) }
    }

    /// Waits for the next reply. The first wait in which the time is over, or ends, calls `on_end`, unless
    /// its reply is there already; no later one does.
    pub(super) async fn wait<T>(&mut self, reply: impl Future<Output = T>, on_end: impl FnOnce()) -> T {
        tokio::pin!(reply);
        // Receiving a reply is not cancel safe: one future receives it in both cases.
        if let Some(rest) = &mut self.rest {
            tokio::select! {
                biased;
                reply = &mut reply => return reply,
                () = rest => {}
            }
            self.rest = None;
            on_end();
        }
        reply.await
    }
}

fn server_priority() -> i32 {
    getpriority_process(None).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::ready;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};

    use rustix::process::setpriority_process;

    use super::*;

    struct Group(Child);

    impl Drop for Group {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[test]
    fn priority_is_lowered_and_restored_if_permitted() {
        let child = Command::new("sleep").arg("60").process_group(0).spawn().expect("a process");
        let group = Group(child);
        let pid = Pid::from_raw(group.0.id().cast_signed()).expect("a number");
        let threads = Threads(Some(pid));
        assert!(threads.restore_priority(), "it has never stood back");
        threads.lower_priority();
        let priority = || getpriority_process(Some(pid)).expect("a priority");
        assert_eq!(priority(), (server_priority() + NICE_INCREASE).min(MAX_NICE));
        // Whether a priority may be raised depends on the user who runs the tests.
        let may_raise = setpriority_process(Some(pid), server_priority()).is_ok();
        threads.lower_priority();
        assert_eq!(threads.restore_priority(), may_raise);
        assert_eq!(priority() == server_priority(), may_raise);
    }

    #[tokio::test]
    async fn a_statement_stands_back_once_even_if_a_reply_comes_when_its_time_ends() {
        let times = Cell::new(0);
        let on_end = || times.set(times.get() + 1);
        let time = Duration::from_millis(1);
        let mut initial = InitialPriority::lasting(time);
        // The first wait makes the timer known to the runtime, which has fired it before the second one.
        initial.wait(ready(()), on_end).await;
        sleep(time * 20).await;
        initial.wait(ready(()), on_end).await;
        assert_eq!(times.get(), 0, "a reply that is there comes first");
        let reply = async {
            sleep(time * 20).await;
            times.get()
        };
        assert_eq!(initial.wait(reply, on_end).await, 1, "the time ends before the reply");
        initial.wait(sleep(time * 20), on_end).await;
        assert_eq!(times.get(), 1, "it stands back already");
    }
}
