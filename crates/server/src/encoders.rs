//! The threads that make rows: as many as the machine has cores, and always the same ones. tokio's blocking
//! threads would do, but they come and go, and each keeps an allocator's pages of its own: streams of large
//! results then cost megabytes a thread.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::sync::oneshot;

use crate::error::{Error, Result};

/// Does CPU work and file reads off the reactor, first come, first served. The threads end with the last clone.
#[derive(Clone)]
pub(crate) struct Encoders {
    threads: usize,
    queue: Arc<Closing>,
}

/// Work that waits for its turn or is being done; dropping it takes back what has not begun.
#[derive(Debug)]
pub(crate) struct Turn<T>(oneshot::Receiver<std::thread::Result<Result<T>>>);

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    jobs: Mutex<Jobs>,
    added: Condvar,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    is_closed: bool,
}

struct Closing(Arc<Queue>);

impl Encoders {
    /// Starts the threads.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(crate) fn start() -> std::io::Result<Self> {
        const LEAST_THREADS: usize = 2;
        let cores = std::thread::available_parallelism().map_or(LEAST_THREADS, std::num::NonZero::get);
        let queue = Arc::new(Queue::default());
        let closing = Closing(Arc::clone(&queue));
        let threads = cores.max(LEAST_THREADS);
        for _ in 0..threads {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new().name("encoder".to_owned()).spawn(move || queue.work())?;
        }
        Ok(Self { threads, queue: Arc::new(closing) })
    }

    /// How many there are.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// How many hold the threads: the server, and each answer that is being streamed.
    pub(crate) fn holders(&self) -> usize {
        Arc::strong_count(&self.queue)
    }

    /// Puts work into the queue. A panic in it is an error of its turn.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Turn<T> {
        let (sender, receiver) = oneshot::channel();
        let job = move || {
            if !sender.is_closed() {
                // Nobody can be told who has gone away meanwhile.
                let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
            }
        };
        let queue = &self.queue.0;
        queue.jobs().waiting.push_back(Box::new(job));
        queue.added.notify_one();
        Turn(receiver)
    }
}

impl<T> Future for Turn<T> {
    type Output = Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        let done = ready!(Pin::new(&mut self.get_mut().0).poll(context));
        Poll::Ready(match done {
            Ok(Ok(made)) => made,
            Ok(Err(panic)) => Err(Error::panicked(&*panic)),
            Err(_) => Err(Error::ShuttingDown),
        })
    }
}

impl Queue {
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let mut jobs = self.jobs();
        loop {
            if let Some(job) = jobs.waiting.pop_front() {
                drop(jobs);
                job();
                jobs = self.jobs();
            } else if jobs.is_closed {
                return;
            } else {
                jobs = self.added.wait(jobs).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.jobs().is_closed = true;
        self.0.added.notify_all();
    }
}

impl fmt::Debug for Encoders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoders").field("waiting", &self.queue.0.jobs().waiting.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_and_a_panic_is_an_error() {
        let encoders = Encoders::start().expect("threads");
        let turns: Vec<_> = (0..100).map(|number| encoders.submit(move || Ok(number))).collect();
        for (number, turn) in turns.into_iter().enumerate() {
            assert_eq!(turn.await.expect("done"), number);
        }
        let failing = encoders.submit(|| -> Result<()> { panic!("planned") });
        assert_eq!(failing.await.expect_err("a panic").to_string(), "panic: planned");
        assert_eq!(encoders.submit(|| Ok(7)).await.expect("the thread lives on"), 7);
    }

    #[tokio::test]
    async fn a_turn_that_was_dropped_is_not_taken() {
        let encoders = Encoders::start().expect("threads");
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).max(2);
        let busy: Vec<_> = (0..threads)
            .map(|_| {
                let gate = Arc::clone(&gate);
                encoders.submit(move || {
                    // Ends when the other side is dropped.
                    let _ = gate.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    Ok(())
                })
            })
            .collect();
        let taken = Arc::new(Mutex::new(false));
        let flag = Arc::clone(&taken);
        drop(encoders.submit(move || {
            *flag.lock().unwrap_or_else(PoisonError::into_inner) = true;
            Ok(())
        }));
        drop(open);
        for turn in busy {
            turn.await.expect("done");
        }
        encoders.submit(|| Ok(())).await.expect("done");
        assert!(!*taken.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
