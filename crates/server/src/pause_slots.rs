//! Slots of responses whose clients may pause (D136). Trino's drivers read a segment from its connection while their program
//! reads rows: a program that stops for ten minutes stalls the response, and a response that was cut off cannot be continued.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::task::AtomicWaker;

/// How long such a response waits for its client.
const PAUSE: Duration = Duration::from_secs(3600);
/// Maximum number of slots of one account.
const OF_AN_ACCOUNT: usize = 8;
/// Maximum number of slots: responses of some 10 MiB each, while they are made and sent, are well below `limits.answer_memory`.
const OF_ALL: usize = 16;

/// Marks a response, as an extension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MayPause;

/// The slots in use.
#[derive(Clone, Debug)]
pub(crate) struct PauseSlots {
    pause: Duration,
    slots: Arc<Mutex<Slots>>,
}

#[derive(Debug, Default)]
struct Slots {
    taken: Vec<Slot>,
    /// Counts slots, and the moments at which connections became idle.
    next: u64,
}

#[derive(Debug)]
struct Slot {
    id: u64,
    account: String,
    idle: Option<Idle>,
    is_evicted: Arc<AtomicBool>,
}

/// An HTTP/1.1 connection whose answer has been passed to the system.
#[derive(Debug)]
struct Idle {
    since: u64,
    connection: Arc<AtomicWaker>,
}

/// The slot of one response, until it is dropped, or evicted while its connection is idle.
#[derive(Debug)]
pub(crate) struct PauseSlot {
    clients: PauseSlots,
    id: u64,
    is_evicted: Arc<AtomicBool>,
}

impl Default for PauseSlots {
    fn default() -> Self {
        Self::with_pause(PAUSE)
    }
}

impl PauseSlots {
    /// With this wait of an answer that has a slot.
    pub(crate) fn with_pause(pause: Duration) -> Self {
        Self { pause, slots: Arc::default() }
    }

    /// A slot of an account. If all are taken, the connection that has been idle longest loses its slot: one of this
    /// account, or of an account that has more slots. None if there is no such connection, and then the answer is like any
    /// other.
    pub(crate) fn acquire(&self, account: &str) -> Option<PauseSlot> {
        let mut slots = self.lock();
        let own = slots.count(account);
        if own >= OF_AN_ACCOUNT {
            slots.evict_idle(|of| of == account)?;
        } else if slots.taken.len() >= OF_ALL {
            let larger: Vec<String> = slots.taken.iter().map(|taken| taken.account.clone()).collect();
            let larger = |of: &str| larger.iter().filter(|account| *account == of).count() > own;
            slots.evict_idle(|of| of == account || larger(of))?;
        }
        let (id, is_evicted) = (slots.next(), Arc::<AtomicBool>::default());
        let account = account.to_owned();
        slots.taken.push(Slot { id, account, idle: None, is_evicted: Arc::clone(&is_evicted) });
        Some(PauseSlot { clients: self.clone(), id, is_evicted })
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    fn next(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn count(&self, account: &str) -> usize {
        self.taken.iter().filter(|taken| taken.account == account).count()
    }

    /// Takes its slot from the connection that has been idle longest, among these accounts; none if there is none.
    fn evict_idle(&mut self, is_eligible: impl Fn(&str) -> bool) -> Option<()> {
        let idle = self.taken.iter().enumerate().filter(|(_, taken)| is_eligible(&taken.account));
        let idle = idle.filter_map(|(slot, taken)| Some((taken.idle.as_ref()?.since, slot)));
        let (_, slot) = idle.min()?;
        let evicted = self.taken.remove(slot);
        evicted.is_evicted.store(true, Ordering::Relaxed);
        if let Some(idle) = evicted.idle {
            // From now on it is closed like any other idle connection.
            idle.connection.wake();
        }
        Some(())
    }
}

impl PauseSlot {
    /// How long the answer waits for its client; zero if it has lost its slot.
    pub(crate) fn pause(&self) -> Duration {
        if self.is_evicted.load(Ordering::Relaxed) { Duration::ZERO } else { self.clients.pause }
    }

    /// All of the answer was passed to the system: nothing of it is in memory, and the slot may be taken by another answer,
    /// of which `connection` is woken.
    pub(crate) fn be_idle(&self, connection: &Arc<AtomicWaker>) {
        let mut slots = self.clients.lock();
        let since = slots.next();
        if let Some(taken) = slots.taken.iter_mut().find(|taken| taken.id == self.id) {
            taken.idle.get_or_insert_with(|| Idle { since, connection: Arc::clone(connection) });
        }
    }
}

impl Drop for PauseSlot {
    fn drop(&mut self) {
        self.clients.lock().taken.retain(|taken| taken.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_per_account_are_limited_and_released() {
        let clients = PauseSlots::default();
        let mut slots: Vec<_> = (0..OF_AN_ACCOUNT).map(|_| clients.acquire("ann").expect("a slot")).collect();
        assert!(clients.acquire("ann").is_none());
        slots.extend(std::iter::repeat_with(|| clients.acquire("ben")).map_while(|slot| slot));
        assert!(slots.len() == OF_ALL && clients.acquire("cid").is_none());
        slots.pop();
        slots.push(clients.acquire("cid").expect("the slot that was given back"));
        drop(slots);
        assert!(clients.lock().taken.is_empty());
    }

    /// Regression: an idle connection kept its slot for an hour, or until its next request.
    #[test]
    fn the_longest_idle_connection_loses_its_slot() {
        let clients = PauseSlots::default();
        let waker = Arc::new(AtomicWaker::new());
        let ann: Vec<_> = (0..OF_AN_ACCOUNT).map(|_| clients.acquire("ann").expect("a slot")).collect();
        let ben: Vec<_> = (0..OF_ALL - ann.len()).map(|_| clients.acquire("ben").expect("a slot")).collect();
        for slot in [&ben[1], &ann[3], &ann[2], &ann[3]] {
            slot.be_idle(&waker);
        }
        let has_lost = |slot: &PauseSlot| slot.pause().is_zero();
        // An account that has all of its slots takes one of its own.
        let more = clients.acquire("ann").expect("the third of ann's was idle first");
        assert!(has_lost(&ann[3]) && !has_lost(&ann[2]) && !has_lost(&ben[1]));
        let cid = clients.acquire("cid").expect("the one that has been idle longest");
        assert!(has_lost(&ben[1]) && !has_lost(&ann[2]));
        cid.be_idle(&waker);
        // An account with fewer slots does not lose them to one with more.
        let other = clients.acquire("ben").expect("of ann, who has more");
        assert!(has_lost(&ann[2]) && !has_lost(&cid));
        assert!(clients.acquire("ben").is_none());
        drop((ann, ben, more, cid, other));
        assert!(clients.lock().taken.is_empty());
    }
}
