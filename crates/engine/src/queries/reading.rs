//! Parses the texts of statements before anything else, on a few threads of its own. Neither a dropped request nor the
//! server's shutdown waits for these threads. Waiting and parsing have time limits, and the memory of all waiting texts
//! is limited; parsing itself is linear in the text (`sql::prepare`).

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{ErrorCode, QueryError, WorkspaceId};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::error::{Error, ErrorKind, Result};
use crate::fair_budget::{FairBudget, Portion};
use crate::fair_semaphore::{FairPermit, FairSemaphore};
use crate::limits::Limits;
use rowhouse_sql::{Abandonment, on_detached_deep_stack};

/// Minimum and maximum number of texts that are parsed concurrently.
const READERS: (usize, usize) = (2, 4);
/// Maximum bytes of all texts that wait or are being parsed.
const MAX_BYTES: usize = 32 << 20;
/// Maximum wait of a text for a reader.
const WAITING_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit of parsing a text.
const READING_TIMEOUT: Duration = Duration::from_secs(10);
/// The nesting of a text up to this length needs only a small part of a deep stack.
const SHORT_TEXT_BYTES: usize = 4 << 10;

/// The readers of one server.
#[derive(Debug)]
pub(super) struct Readers {
    permits: FairSemaphore,
    count: usize,
    bytes: FairBudget,
    limits: Arc<Limits>,
    waiting_timeout: Duration,
    reading_timeout: Duration,
}

/// The right to parse one text.
#[derive(Debug)]
pub(super) struct Reader {
    _permit: FairPermit,
    _place: Portion,
    bytes: usize,
    timeout: Duration,
}

impl Readers {
    pub(super) fn new(limits: Arc<Limits>) -> Self {
        let cores = std::thread::available_parallelism().map_or(READERS.0, std::num::NonZero::get);
        let count = cores.clamp(READERS.0, READERS.1);
        Self {
            permits: FairSemaphore::new(count),
            count,
            bytes: FairBudget::default(),
            limits,
            waiting_timeout: WAITING_TIMEOUT,
            reading_timeout: READING_TIMEOUT,
        }
    }

    /// Waits for a reader, in the workspace's turn. Dropping the future leaves the queue.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::QueryQueueFull`]: too many texts wait already, or the wait was too long.
    pub(super) async fn reader(&self, workspace_id: &WorkspaceId, bytes: usize) -> Result<Reader> {
        let bounds = self.limits.bounds(MAX_BYTES, None);
        let place = self.bytes.take(workspace_id, bytes, bounds).map_err(|_| is_busy())?;
        let most = self.limits.most_of(self.count);
        let permit = timeout(self.waiting_timeout, self.permits.acquire(workspace_id, most)).await;
        let permit = permit.map_err(|_| is_busy())?;
        Ok(Reader { _permit: permit, _place: place, bytes, timeout: self.reading_timeout })
    }
}

impl Reader {
    /// Parses on a thread with a deep stack. Dropping the future abandons the parsing; while it continues, it keeps its
    /// reader.
    ///
    /// # Errors
    ///
    /// Those of `work`; `EXCEEDED_TIME_LIMIT`.
    pub(super) async fn read<T: Send + 'static>(
        self,
        work: impl FnOnce(&Abandonment) -> Result<T, QueryError> + Send + 'static,
    ) -> Result<T, QueryError> {
        let reading_timeout = self.timeout;
        let is_shallow = self.bytes <= SHORT_TEXT_BYTES;
        let abandonment = Abandonment::default();
        let _abandons = AbandonsOnDrop(abandonment.clone());
        let (sender, outcome) = oneshot::channel();
        let done = move |outcome| {
            drop(self);
            // OK to ignore: the caller no longer waits.
            let _ = sender.send(outcome);
        };
        on_detached_deep_stack(is_shallow, move || work(&abandonment), done)?;
        match timeout(reading_timeout, outcome).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => {
                Err(QueryError::new(ErrorCode::GenericInternalError, "the statement could not be read"))
            }
            Err(_) => {
                let message = format!("reading the statement's text took longer than {reading_timeout:?}");
                Err(QueryError::new(ErrorCode::ExceededTimeLimit, message))
            }
        }
    }
}

fn is_busy() -> Error {
    Error::new(ErrorKind::QueryQueueFull, "too many statements wait to be read; try again later")
}

struct AbandonsOnDrop(Abandonment);

impl Drop for AbandonsOnDrop {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn one() -> WorkspaceId {
        WorkspaceId::from("one")
    }

    fn readers(count: usize) -> Readers {
        let short = Duration::from_millis(100);
        Readers {
            permits: FairSemaphore::new(count),
            count,
            bytes: FairBudget::default(),
            limits: Arc::default(),
            waiting_timeout: short,
            reading_timeout: short,
        }
    }

    /// Regression: texts whose parsing did not end held all threads forever, and no other statement was parsed.
    #[tokio::test]
    async fn parsing_has_a_time_limit_and_so_has_waiting_for_it() {
        let readers = readers(1);
        let (end, may_end) = mpsc::channel::<()>();
        let stuck = readers.reader(&one(), 1).await.expect("a reader");
        let stuck = stuck.read(move |abandonment| {
            let _ = may_end.recv();
            Ok(abandonment.is_abandoned())
        });
        let workspace_id = one();
        let (stuck, waiting) = tokio::join!(stuck, readers.reader(&workspace_id, 1));
        assert_eq!(stuck.expect_err("given up").code(), Some(ErrorCode::ExceededTimeLimit));
        assert_eq!(waiting.expect_err("no reader is free").kind(), ErrorKind::QueryQueueFull);
        drop(end);
        while readers.permits.free() == 0 {
            tokio::task::yield_now().await;
        }
        let reader = readers.reader(&one(), 1).await.expect("the thread has ended");
        assert_eq!(reader.read(|_| Ok(7)).await.expect("read"), 7);
    }

    #[tokio::test]
    async fn a_dropped_caller_leaves_the_queue_and_abandons_the_parsing() {
        let readers = readers(1);
        let (seen, was_seen) = mpsc::channel();
        let (begun, has_begun) = oneshot::channel();
        let reader = readers.reader(&one(), 10).await.expect("a reader");
        let reading = reader.read(move |abandonment| {
            let _ = begun.send(());
            while !abandonment.is_abandoned() {
                std::thread::yield_now();
            }
            let _ = seen.send(());
            Ok(())
        });
        tokio::select! {
            _ = reading => panic!("it ends when it is abandoned"),
            begun = has_begun => begun.expect("begun"),
        }
        was_seen.recv().expect("the reading ends");
        drop(readers.reader(&one(), 10));
        drop(readers.reader(&one(), 10).await.expect("a reader"));
        // The thread that has parsed is about to end.
        while readers.bytes.taken(&one()).0 > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn the_memory_of_waiting_texts_is_limited() {
        let readers = readers(1);
        let first = readers.reader(&one(), MAX_BYTES - 1).await.expect("a reader");
        let refused = readers.reader(&one(), 2).await.expect_err("too much");
        assert_eq!(refused.kind(), ErrorKind::QueryQueueFull);
        drop(first);
        drop(readers.reader(&one(), 2).await.expect("a reader"));
    }

    #[tokio::test]
    async fn a_panic_is_an_error() {
        let reader = Readers::new(Arc::default()).reader(&one(), 1).await.expect("a reader");
        let failed = reader.read::<()>(|_| panic!("planned")).await.expect_err("no outcome");
        assert_eq!(failed.code(), Some(ErrorCode::GenericInternalError));
    }

    /// Regression: SIGTERM did not end a server that was parsing such a text.
    #[test]
    fn a_runtime_shuts_down_while_a_text_is_parsed() {
        let (end, may_end) = mpsc::channel::<()>();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let reader = readers(1).reader(&one(), 1).await.expect("a reader");
            let reading = reader.read(move |_| {
                let _ = may_end.recv();
                Ok(())
            });
            let _ = timeout(Duration::from_millis(1), reading).await;
        });
        drop(runtime);
        drop(end);
    }
}
