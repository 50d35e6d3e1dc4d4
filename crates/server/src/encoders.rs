//! The threads that encode rows: as many as the machine has cores, and permanent. tokio's blocking threads would work,
//! but they come and go, and each keeps its own allocator pages: streams of large results would cost megabytes per
//! thread. Work is done in turns of some milliseconds (D61).

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rowhouse_engine::{Budget, Clock, Progress};
use tokio::sync::oneshot;

use crate::error::{Error, Result};

mod share;
mod turn_queue;

pub(crate) use share::Share;
use turn_queue::TurnQueue;

/// Steps between two checks of the clock and of whether the work is still wanted: a quarter of a millisecond.
const PIECE_STEPS: u64 = 256 << 10;
/// Pieces per turn.
const TURN_PIECES: u32 = 16;
/// Time limit of a turn: steps take longer if pages must be read from a disk.
const TURN_TIME: Duration = Duration::from_millis(4);
/// Work that takes more memory is large: little of it runs concurrently.
const LARGE_BYTES: usize = 4 << 20;

/// Runs CPU work and file reads off the reactor, in fair turns. The threads end with the last clone.
#[derive(Clone)]
pub(crate) struct Encoders {
    threads: usize,
    queue: Arc<Closing>,
}

/// Work that waits for its turn or is running. Dropping it ends the work: at once if it waits, after the current piece
/// if it runs.
#[derive(Debug)]
pub(crate) struct Turn<T>(oneshot::Receiver<std::thread::Result<Result<T>>>);

/// Continues until its budget is spent.
type Job = Box<dyn FnMut(&mut Budget) -> Progress<()> + Send>;

struct Threads {
    jobs: Mutex<Jobs>,
    added: Condvar,
}

struct Jobs {
    waiting: TurnQueue<Job>,
    is_closed: bool,
}

struct Closing(Arc<Threads>);

impl Encoders {
    /// Starts the threads.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start(clock: &Arc<dyn Clock>) -> std::io::Result<Self> {
        const LEAST_THREADS: usize = 2;
        let cores = std::thread::available_parallelism().map_or(LEAST_THREADS, std::num::NonZero::get);
        Self::start_threads(cores.max(LEAST_THREADS), clock)
    }

    fn start_threads(threads: usize, clock: &Arc<dyn Clock>) -> std::io::Result<Self> {
        let jobs = Jobs { waiting: TurnQueue::new(threads), is_closed: false };
        let queue = Arc::new(Threads { jobs: Mutex::new(jobs), added: Condvar::new() });
        let closing = Closing(Arc::clone(&queue));
        for _ in 0..threads {
            let (queue, clock) = (Arc::clone(&queue), Arc::clone(clock));
            std::thread::Builder::new().name("encoder".to_owned()).spawn(move || queue.work(&*clock))?;
        }
        Ok(Self { threads, queue: Arc::new(closing) })
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Number of holders of the threads: the server, and each answer being streamed.
    pub(crate) fn holders(&self) -> usize {
        Arc::strong_count(&self.queue)
    }

    /// Queues work. `bytes` is its maximum memory, without that of its result. It is called with one budget after the
    /// other until it is done. A panic in it is an error of its turn.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        share: Share,
        memory_bytes: usize,
        work: impl FnMut(&mut Budget) -> Result<Progress<T>> + Send + 'static,
    ) -> Turn<T> {
        let (sender, receiver) = oneshot::channel();
        let mut left = Some((work, sender));
        let job = move |budget: &mut Budget| {
            // The receiver is gone, or the work is done.
            let Some((work, _)) = left.as_mut().filter(|(_, sender)| !sender.is_closed()) else {
                return Progress::Done(());
            };
            let made = match catch_unwind(AssertUnwindSafe(|| work(budget))) {
                Ok(Ok(Progress::Paused)) => return Progress::Paused,
                Ok(Ok(Progress::Done(made))) => Ok(Ok(made)),
                Ok(Err(error)) => Ok(Err(error)),
                Err(panic) => Err(panic),
            };
            if let Some((work, sender)) = left.take() {
                // The memory that the work holds is free before its result is seen.
                drop(work);
                let _ = sender.send(made);
            }
            Progress::Done(())
        };
        let threads = &self.queue.0;
        threads.jobs().waiting.add(share, Box::new(job), memory_bytes > LARGE_BYTES);
        threads.added.notify_one();
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

impl Threads {
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, clock: &dyn Clock) {
        let mut jobs = self.jobs();
        loop {
            if let Some(turn_queue::Turn { mut job, ticket }) = jobs.waiting.take() {
                drop(jobs);
                if turn(&mut job, clock) == Progress::Paused {
                    jobs = self.jobs();
                    jobs.waiting.put_back(job, ticket);
                } else {
                    // Dropping what it holds may take a while.
                    drop(job);
                    jobs = self.jobs();
                    jobs.waiting.finish(&ticket);
                }
                // Its place is free, and this thread may take other work: another thread may be idle although work is
                // waiting.
                if jobs.waiting.len() > 1 {
                    self.added.notify_one();
                }
            } else if jobs.is_closed {
                return;
            } else {
                jobs = self.added.wait(jobs).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// One turn of work.
fn turn(job: &mut Job, clock: &dyn Clock) -> Progress<()> {
    let begun = clock.monotonic();
    for _ in 0..TURN_PIECES {
        if job(&mut Budget::new(PIECE_STEPS)) == Progress::Done(()) {
            return Progress::Done(());
        }
        if clock.monotonic().saturating_sub(begun) >= TURN_TIME {
            break;
        }
    }
    Progress::Paused
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rowhouse_engine::SystemClock;

    use super::*;

    fn start(threads: usize) -> Encoders {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        Encoders::start_threads(threads, &clock).expect("threads")
    }

    fn account(name: &str) -> Share {
        Share::Account(rowhouse_model::AccountId::from(name))
    }

    /// Work that is done in its first piece.
    fn done<T: Send + 'static>(made: T) -> impl FnMut(&mut Budget) -> Result<Progress<T>> + Send {
        let mut made = Some(made);
        move |_| Ok(Progress::Done(made.take().expect("asked once")))
    }

    #[tokio::test]
    async fn work_completes_and_a_panic_is_an_error() {
        let encoders = start(2);
        let turns: Vec<_> = (0..100).map(|number| encoders.submit(Share::Nobody, 0, done(number))).collect();
        for (number, turn) in turns.into_iter().enumerate() {
            assert_eq!(turn.await.expect("done"), number);
        }
        let failing = encoders.submit(Share::Nobody, 0, |_| -> Result<Progress<()>> { panic!("planned") });
        assert_eq!(failing.await.expect_err("a panic").to_string(), "panic: planned");
        assert_eq!(encoders.submit(Share::Nobody, 0, done(7)).await.expect("the thread lives on"), 7);
    }

    #[tokio::test]
    async fn dropped_work_does_not_run() {
        let encoders = start(2);
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let busy: Vec<_> = (0..2)
            .map(|_| {
                let gate = Arc::clone(&gate);
                encoders.submit(Share::Nobody, 0, move |_| {
                    // Ends when the other side is dropped.
                    let _ = gate.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    Ok(Progress::Done(()))
                })
            })
            .collect();
        let taken = Arc::new(Mutex::new(false));
        let flag = Arc::clone(&taken);
        drop(encoders.submit(Share::Nobody, 0, move |_| {
            *flag.lock().unwrap_or_else(PoisonError::into_inner) = true;
            Ok(Progress::Done(()))
        }));
        drop(open);
        for turn in busy {
            turn.await.expect("done");
        }
        encoders.submit(Share::Nobody, 0, done(())).await.expect("done");
        assert!(!*taken.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Regression: two scans that found nothing held both threads until they were through, even after their clients had
    /// disconnected: nobody else got rows for minutes.
    #[tokio::test]
    async fn endless_work_yields_to_others_and_ends_when_dropped() {
        let encoders = start(2);
        let pieces = Arc::new(AtomicUsize::new(0));
        let endless = || {
            let pieces = Arc::clone(&pieces);
            encoders.submit(account("a"), 0, move |budget| -> Result<Progress<()>> {
                pieces.fetch_add(1, Ordering::Relaxed);
                budget.spend(PIECE_STEPS);
                Ok(Progress::Paused)
            })
        };
        let scans: Vec<_> = (0..64).map(|_| endless()).collect();
        // Including the scans' own account.
        for share in [account("b"), Share::Nobody, account("a")] {
            for number in 0..100 {
                let turn = encoders.submit(share.clone(), 0, done(number));
                assert_eq!(turn.await.expect("done"), number);
            }
        }
        assert!(pieces.load(Ordering::Relaxed) > 0, "they have had turns meanwhile");
        drop(scans);
        while encoders.queue.0.jobs().waiting.len() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // The turn in progress has ended.
        encoders.submit(Share::Nobody, 0, done(())).await.expect("done");
        tokio::time::sleep(Duration::from_millis(20)).await;
        let ended_at = pieces.load(Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(pieces.load(Ordering::Relaxed), ended_at, "nobody wants them, nobody goes on with them");
    }
}
