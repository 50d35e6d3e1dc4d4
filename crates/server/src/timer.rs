//! Timers of connections, which are set with every request and nearly never go off.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep};

/// A timer that is created when it is first needed. Every request moves its deadline, nearly always to a later time.
/// Moving a sleep in the runtime's timer wheel is expensive, so a sleep that would end too early is not moved, but
/// restarted for the remaining time when it ends.
#[derive(Debug, Default)]
pub(crate) struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
    deadline: Option<Instant>,
}

impl Timer {
    /// There is no deadline any more.
    pub(crate) fn clear(&mut self) {
        self.deadline = None;
    }

    /// The deadline of the last poll.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Ready at the deadline, which may differ from call to call.
    pub(crate) fn poll(&mut self, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
        self.deadline = Some(deadline);
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if deadline < sleep.deadline() {
            sleep.as_mut().reset(deadline);
        }
        loop {
            ready!(sleep.as_mut().poll(context));
            if sleep.deadline() >= deadline {
                return Poll::Ready(());
            }
            sleep.as_mut().reset(deadline);
        }
    }
}
