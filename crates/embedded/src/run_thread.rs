//! The thread that drives Polars while the statement's own thread takes the rows. It is kept from statement to
//! statement: starting one, with its stack and its part of the allocator, takes longer than a small statement.

use std::io;
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Mutex, PoisonError};

type Job = Box<dyn FnOnce() + Send>;

/// The sender to a thread that waits for a job.
static IDLE: Mutex<Option<SyncSender<Job>>> = Mutex::new(None);

/// Runs a job on a thread of its own. A job that panics ends its thread.
///
/// # Errors
///
/// If no thread can be started.
pub(crate) fn start(job: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut job: Job = Box::new(job);
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(idle) = idle {
        match idle.send(job) {
            Ok(()) => return Ok(()),
            Err(unsent) => job = unsent.0,
        }
    }
    std::thread::Builder::new().name("rowhouse-run".to_owned()).spawn(move || run(job))?;
    Ok(())
}

/// Runs a job and then further ones, unless another thread waits for them.
fn run(first: Job) {
    let (sender, jobs) = mpsc::sync_channel(1);
    let mut job = first;
    loop {
        job();
        {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.is_some() {
                return;
            }
            *idle = Some(sender.clone());
        }
        let Ok(next) = jobs.recv() else { return };
        job = next;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn jobs_run_side_by_side_and_after_a_panic() {
        let (sender, answers) = channel();
        let (release, released) = channel::<()>();
        let waiting = sender.clone();
        start(move || {
            released.recv().expect("released");
            waiting.send(1).expect("heard");
        })
        .expect("a thread");
        let other = sender.clone();
        start(move || other.send(2).expect("heard")).expect("another thread");
        assert_eq!(answers.recv(), Ok(2));
        release.send(()).expect("it waits");
        assert_eq!(answers.recv(), Ok(1));
        start(|| panic!("planned")).expect("a thread");
        for number in 3..10 {
            let sender = sender.clone();
            start(move || sender.send(number).expect("heard")).expect("a thread");
            assert_eq!(answers.recv(), Ok(number));
        }
    }
}
