//! The memory of all answers, and of large request bodies: counted in bytes, and refused (503) or awaited before it is
//! allocated, because running out of memory would end the server. Accounts share it by dynamic thresholds (A. K.
//! Choudhury and E. L. Hahne, 1998): no account gets more than what is left free, so a single account has half of it,
//! and the next one finds room. The answer to a change, which is sent at any rate, counts towards its account alone if there is
//! no room for it.

use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;

use crate::encoders::Share;
use crate::error::{Error, Result};

/// The whole budget.
#[derive(Clone, Debug)]
pub(crate) struct AnswerMemory(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limit_bytes: AtomicUsize,
    /// What accounts hold of the limit.
    used_bytes: AtomicUsize,
    /// What they hold beyond it.
    excess_bytes: AtomicUsize,
    refused: AtomicU64,
    accounts: Mutex<HashMap<Share, Arc<Account>>>,
    /// Tasks that wait for memory, each once.
    waiting: Mutex<HashMap<TaskId, Waker>>,
    is_waited_for: AtomicBool,
    waiting_requests: AtomicUsize,
}

/// Maximum number of waiting requests: releasing memory wakes them all.
const MAX_WAITING_REQUESTS: usize = 1000;

/// A change whose answer has no more is made even if there is no room.
const SMALL_BYTES: usize = 64 << 10;
/// What an account may hold beyond the limit before that ends.
const MAX_EXCESS_BYTES: usize = 1 << 20;

/// Data pointer and vtable of a waker.
type TaskId = (usize, usize);

/// A waiting request; removed on drop.
struct Waiting<'m>(&'m Inner);

#[derive(Debug, Default)]
struct Account {
    used_bytes: AtomicUsize,
    /// Those of them that are beyond the limit.
    excess_bytes: AtomicUsize,
}

/// The budget of one share: an account, the links of a workspace, or all requests without a token together.
#[derive(Clone, Debug)]
pub(crate) struct Portion {
    memory: AnswerMemory,
    account: Arc<Account>,
}

/// Marks an answer, as an extension, whose bytes hold their own reservation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted;

/// Reserved memory, released on drop.
#[derive(Debug)]
pub(crate) struct Reserved {
    portion: Portion,
    bytes: usize,
    /// Those of its bytes that count towards the account alone.
    excess_bytes: usize,
}

impl AnswerMemory {
    /// With this limit.
    pub(crate) fn new(limit_bytes: usize) -> Self {
        Self(Arc::new(Inner {
            limit_bytes: AtomicUsize::new(limit_bytes),
            used_bytes: AtomicUsize::new(0),
            excess_bytes: AtomicUsize::new(0),
            refused: AtomicU64::new(0),
            accounts: Mutex::default(),
            waiting: Mutex::default(),
            is_waited_for: AtomicBool::new(false),
            waiting_requests: AtomicUsize::new(0),
        }))
    }

    /// Changes the limit; reservations stay.
    pub(crate) fn set_limit_bytes(&self, limit_bytes: usize) {
        self.0.limit_bytes.store(limit_bytes, Ordering::Relaxed);
        self.0.wake();
    }

    pub(crate) fn limit_bytes(&self) -> usize {
        self.0.limit_bytes.load(Ordering::Relaxed)
    }

    /// What is in use, within the limit and beyond it.
    pub(crate) fn used_bytes(&self) -> usize {
        self.0.used_bytes.load(Ordering::Relaxed) + self.0.excess_bytes.load(Ordering::Relaxed)
    }

    /// Number of refusals.
    pub(crate) fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }

    /// The portion of a share.
    pub(crate) fn portion(&self, share: &Share) -> Portion {
        let mut accounts = self.0.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let account = match accounts.get(share) {
            Some(account) => Arc::clone(account),
            None => Arc::clone(accounts.entry(share.clone()).or_default()),
        };
        drop(accounts);
        Portion { memory: self.clone(), account }
    }
}

impl Portion {
    /// Reserves memory, if this account may have it. A refusal changes nothing and wakes nobody.
    pub(crate) fn try_reserve(&self, bytes: usize) -> Option<Reserved> {
        let used = &self.memory.0.used_bytes;
        let mut all_bytes = used.load(Ordering::SeqCst);
        loop {
            let free_bytes = self.memory.limit_bytes().checked_sub(all_bytes)?;
            // Concurrent requests of the account may exceed its part slightly.
            let own_bytes = self.account.used_bytes.load(Ordering::Relaxed);
            if own_bytes.saturating_add(bytes) > free_bytes {
                return None;
            }
            match used.compare_exchange_weak(all_bytes, all_bytes + bytes, Ordering::SeqCst, Ordering::SeqCst)
            {
                Ok(_) => break,
                Err(changed) => all_bytes = changed,
            }
        }
        self.account.used_bytes.fetch_add(bytes, Ordering::Relaxed);
        Some(Reserved { portion: self.clone(), bytes, excess_bytes: 0 })
    }

    /// As [`try_reserve`](Self::try_reserve).
    ///
    /// # Errors
    /// `OutOfAnswerMemory`: the memory is in use; `AnswerTooLarge`: the limit is smaller than the answer.
    pub(crate) fn reserve(&self, bytes: usize) -> Result<Reserved> {
        self.check(bytes)?;
        self.try_reserve(bytes).ok_or_else(|| self.memory.0.refusal())
    }

    /// For the answer to a change, before the change is made: a small one is refused only if the account holds much beyond the
    /// limit already.
    ///
    /// # Errors
    /// As for [`reserve`](Self::reserve).
    pub(crate) fn reserve_for_change(&self, bytes: usize) -> Result<Reserved> {
        let excess_bytes = self.account.excess_bytes.load(Ordering::Relaxed);
        if bytes <= SMALL_BYTES && excess_bytes.saturating_add(bytes) <= MAX_EXCESS_BYTES {
            return Ok(self.reserve_at_any_rate(bytes));
        }
        self.reserve(bytes)
    }

    /// As [`try_reserve`](Self::try_reserve), and waits for at most `patience`, unless too many requests wait.
    ///
    /// # Errors
    /// `OutOfAnswerMemory`, `AnswerTooLarge`.
    pub(crate) async fn reserve_within(&self, bytes: usize, patience: Duration) -> Result<Reserved> {
        self.check(bytes)?;
        if let Some(reserved) = self.try_reserve(bytes) {
            return Ok(reserved);
        }
        let inner = &*self.memory.0;
        let _waiting = Waiting::begin(inner).ok_or_else(|| inner.refusal())?;
        let reserved = tokio::time::timeout(patience, poll_fn(|context| self.poll_reserve(bytes, context)));
        reserved.await.unwrap_or_else(|_| Err(inner.refusal()))
    }

    /// As [`try_reserve`](Self::try_reserve), and waits until memory is available.
    ///
    /// # Errors
    /// `AnswerTooLarge`: the limit is smaller than the answer.
    pub(crate) fn poll_reserve(&self, bytes: usize, context: &mut Context<'_>) -> Poll<Result<Reserved>> {
        if let Err(error) = self.check(bytes) {
            return Poll::Ready(Err(error));
        }
        if let Some(reserved) = self.try_reserve(bytes) {
            return Poll::Ready(Ok(reserved));
        }
        let inner = &self.memory.0;
        {
            let mut waiting = inner.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let waker = context.waker();
            let task = (waker.data().addr(), std::ptr::from_ref(waker.vtable()).addr());
            waiting.entry(task).or_insert_with(|| waker.clone());
            inner.is_waited_for.store(true, Ordering::SeqCst);
        }
        // A release in between has woken nobody.
        match self.try_reserve(bytes) {
            Some(reserved) => Poll::Ready(Ok(reserved)),
            None => Poll::Pending,
        }
    }

    /// Reserves memory that is already in use, without a limit. Without room it counts towards this account alone: others
    /// keep theirs.
    pub(crate) fn reserve_at_any_rate(&self, bytes: usize) -> Reserved {
        self.try_reserve(bytes).unwrap_or_else(|| {
            self.account.used_bytes.fetch_add(bytes, Ordering::Relaxed);
            self.account.excess_bytes.fetch_add(bytes, Ordering::Relaxed);
            self.memory.0.excess_bytes.fetch_add(bytes, Ordering::Relaxed);
            Reserved { portion: self.clone(), bytes, excess_bytes: bytes }
        })
    }

    /// Whether the limit permits this much at all.
    ///
    /// # Errors
    /// `AnswerTooLarge`.
    pub(crate) fn check(&self, bytes: usize) -> Result<()> {
        let limit_bytes = self.memory.limit_bytes();
        if bytes <= limit_bytes {
            return Ok(());
        }
        self.memory.0.refused.fetch_add(1, Ordering::Relaxed);
        Err(Error::AnswerTooLarge { bytes, limit_bytes })
    }
}

impl Reserved {
    /// The reserved bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Splits off a part, or all if it is not more.
    pub(crate) fn split(&mut self, bytes: usize) -> Self {
        let bytes = bytes.min(self.bytes);
        let excess_bytes = bytes.min(self.excess_bytes);
        self.bytes -= bytes;
        self.excess_bytes -= excess_bytes;
        Self { portion: self.portion.clone(), bytes, excess_bytes }
    }

    /// Sets the bytes in use: less is released, more is reserved without a limit.
    pub(crate) fn set(&mut self, bytes: usize) {
        if bytes > self.bytes {
            let mut more = self.portion.reserve_at_any_rate(bytes - self.bytes);
            self.bytes += std::mem::take(&mut more.bytes);
            self.excess_bytes += std::mem::take(&mut more.excess_bytes);
        } else {
            let less = self.split(self.bytes - bytes);
            drop(less);
        }
    }

    /// Bytes that give it back when the last of them has been sent.
    pub(crate) fn cover(self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(Covered { bytes, _reserved: self })
    }
}

struct Covered {
    bytes: Bytes,
    _reserved: Reserved,
}

impl AsRef<[u8]> for Covered {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.portion.account.used_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
            self.portion.account.excess_bytes.fetch_sub(self.excess_bytes, Ordering::Relaxed);
            let memory = &self.portion.memory.0;
            memory.excess_bytes.fetch_sub(self.excess_bytes, Ordering::Relaxed);
            memory.used_bytes.fetch_sub(self.bytes - self.excess_bytes, Ordering::SeqCst);
            memory.wake();
        }
    }
}

impl Inner {
    fn wake(&self) {
        if self.is_waited_for.load(Ordering::SeqCst) {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            self.is_waited_for.store(false, Ordering::SeqCst);
            let woken = std::mem::take(&mut *waiting);
            drop(waiting);
            woken.into_values().for_each(Waker::wake);
        }
    }

    fn refusal(&self) -> Error {
        self.refused.fetch_add(1, Ordering::Relaxed);
        Error::OutOfAnswerMemory
    }
}

impl<'m> Waiting<'m> {
    /// None if too many requests wait.
    fn begin(inner: &'m Inner) -> Option<Self> {
        let waiting = Self(inner);
        let before = inner.waiting_requests.fetch_add(1, Ordering::Relaxed);
        (before < MAX_WAITING_REQUESTS).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting_requests.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn portion(memory: &AnswerMemory, name: &str) -> Portion {
        memory.portion(&Share::Account(rowhouse_model::AccountId::from(name)))
    }

    #[test]
    fn a_single_account_gets_half_and_the_next_one_finds_room() {
        let memory = AnswerMemory::new(1 << 20);
        let (one, two, three) = (portion(&memory, "one"), portion(&memory, "two"), portion(&memory, "three"));
        let all_of = |portion: &Portion| -> Vec<Reserved> {
            std::iter::from_fn(|| portion.try_reserve(1024)).collect()
        };
        let held = [all_of(&one), all_of(&two), all_of(&three)];
        assert_eq!(held.each_ref().map(Vec::len), [512, 256, 128]);
        assert_eq!(memory.used_bytes(), 896 << 10);
        assert!(matches!(one.reserve(1024), Err(Error::OutOfAnswerMemory)));
        // The same account, whatever its address.
        assert!(portion(&memory, "one").try_reserve(1024).is_none());
        drop(held);
        assert_eq!(memory.used_bytes(), 0);
        assert!(one.try_reserve(1 << 20).is_some(), "all of it at once, where nobody has any");
        assert!(matches!(one.reserve((1 << 20) + 1), Err(Error::AnswerTooLarge { .. })));
        assert_eq!(memory.refused(), 2);
    }

    /// Regression: answers to changes that nobody read took the room of all other accounts.
    #[test]
    fn what_is_reserved_at_any_rate_leaves_others_their_room() {
        let memory = AnswerMemory::new(1000);
        let (one, two) = (portion(&memory, "one"), portion(&memory, "two"));
        let mut held: Vec<_> = (0..20).map(|_| one.reserve_at_any_rate(300)).collect();
        assert_eq!(memory.used_bytes(), 6000);
        assert!(one.try_reserve(1).is_none(), "the account holds more than its part");
        assert!(two.try_reserve(300).is_some());
        // A small change is made without room, up to a bound.
        let small: Vec<_> = std::iter::from_fn(|| one.reserve_for_change(SMALL_BYTES).ok()).collect();
        assert_eq!(small.len(), (MAX_EXCESS_BYTES - 6000) / SMALL_BYTES);
        assert!(two.reserve_for_change(SMALL_BYTES + 1).is_err() && two.reserve_for_change(2000).is_ok());
        drop(small);
        // What grows and what is split counts as what it was.
        held[19].set(400);
        let part = held[19].split(350);
        assert_eq!((part.excess_bytes, held[19].excess_bytes, memory.used_bytes()), (350, 50, 6100));
        drop((held, part));
        assert_eq!((memory.used_bytes(), memory.0.excess_bytes.load(Ordering::Relaxed)), (0, 0));
        assert!(one.try_reserve(1000).is_some());
    }

    #[tokio::test]
    async fn released_memory_goes_to_waiting_requests() {
        let memory = AnswerMemory::new(1000);
        let one = portion(&memory, "one");
        let held = one.reserve(900).expect("room");
        let waiting = {
            let two = portion(&memory, "two");
            tokio::spawn(async move {
                poll_fn(|context| two.poll_reserve(400, context)).await.map(|reserved| reserved.bytes())
            })
        };
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(held);
        assert_eq!(waiting.await.expect("no panic").expect("room"), 400);
        assert_eq!(memory.used_bytes(), 0);
        let two = portion(&memory, "two");
        let never = poll_fn(|context| two.poll_reserve(1001, context)).await;
        assert!(matches!(never, Err(Error::AnswerTooLarge { bytes: 1001, limit_bytes: 1000 })));
    }

    #[tokio::test]
    async fn waiting_requests_are_limited_in_number_and_time() {
        let memory = AnswerMemory::new(1000);
        let held = portion(&memory, "one").reserve(900).expect("room");
        let waits_for = |patience| {
            let two = portion(&memory, "two");
            tokio::spawn(async move { two.reserve_within(400, patience).await.map(drop) })
        };
        let waits = || waits_for(Duration::from_secs(600));
        let mut waiting: Vec<_> = (0..MAX_WAITING_REQUESTS).map(|_| waits()).collect();
        tokio::task::yield_now().await;
        assert!(waiting.iter().all(|task| !task.is_finished()));
        let one_more = waits().await.expect("no panic");
        assert!(matches!(one_more, Err(Error::OutOfAnswerMemory)));
        // A dropped request no longer counts as waiting.
        waiting.remove(0).abort();
        tokio::task::yield_now().await;
        waiting.push(waits());
        drop(held);
        for task in waiting {
            task.await.expect("no panic").expect("one after the other");
        }
        let held = portion(&memory, "one").reserve(900).expect("room");
        let timed_out = waits_for(Duration::from_millis(1)).await.expect("no panic");
        assert!(matches!(timed_out, Err(Error::OutOfAnswerMemory)));
        assert_eq!(memory.refused(), 2);
        drop(held);
        assert_eq!((memory.used_bytes(), memory.0.waiting_requests.load(Ordering::Relaxed)), (0, 0));
    }

    proptest! {
        /// Whatever is reserved, changed and released, the count equals what is held.
        #[test]
        fn reserved_bytes_equal_the_bytes_held(
            steps in proptest::collection::vec((0_usize..4, 0_usize..3, 0_usize..600), 0..60),
        ) {
            let memory = AnswerMemory::new(1000);
            let portions = ["a", "b", "c"].map(|name| portion(&memory, name));
            let mut held: Vec<Reserved> = Vec::new();
            for (step, which, bytes) in steps {
                match step {
                    0 => {
                        let excess: usize = held.iter().map(|reserved| reserved.excess_bytes).sum();
                        let free = 1000_usize.checked_sub(memory.used_bytes() - excess);
                        let own: usize = portions[which].account.used_bytes.load(Ordering::Relaxed);
                        let reserved = portions[which].try_reserve(bytes);
                        prop_assert_eq!(reserved.is_some(), free.is_some_and(|free| own + bytes <= free));
                        held.extend(reserved);
                    }
                    1 => drop(held.pop()),
                    2 => {
                        let part = held.last_mut().map(|reserved| reserved.split(bytes));
                        held.extend(part);
                    }
                    _ => {
                        if let Some(reserved) = held.last_mut() {
                            reserved.set(bytes);
                        }
                    }
                }
                prop_assert_eq!(memory.used_bytes(), held.iter().map(Reserved::bytes).sum::<usize>());
            }
            drop(held);
            prop_assert_eq!(memory.used_bytes(), 0);
        }
    }
}
