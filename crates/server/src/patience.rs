//! Answers whose clients may pause (D136). Drivers of Trino read a segment from its connection while their program reads rows, so
//! a program that stops for ten minutes stalls the answer, and one that is cut off cannot be continued.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::task::AtomicWaker;

/// How long such an answer waits for its client.
const PAUSE: Duration = Duration::from_secs(3600);
/// Number of answers of one account that wait so long at a time.
const OF_AN_ACCOUNT: usize = 8;
/// Number of all of them: some 10 MiB each, while they are made and sent, are well below `limits.answer_memory`.
const OF_ALL: usize = 16;

/// Marks an answer, as an extension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MayPause;

/// The answers that wait, and the connections that wait behind one.
#[derive(Clone, Debug)]
pub(crate) struct PausedClients {
    pause: Duration,
    places: Arc<Mutex<Places>>,
}

#[derive(Debug, Default)]
struct Places {
    taken: Vec<Taken>,
    /// Counts places, and the moments at which connections became idle.
    next: u64,
}

#[derive(Debug)]
struct Taken {
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

/// The place of one answer, until it is dropped, or evicted while its connection is idle.
#[derive(Debug)]
pub(crate) struct Patience {
    clients: PausedClients,
    id: u64,
    is_evicted: Arc<AtomicBool>,
}

impl Default for PausedClients {
    fn default() -> Self {
        Self::waiting(PAUSE)
    }
}

impl PausedClients {
    /// Answers wait so long.
    pub(crate) fn waiting(pause: Duration) -> Self {
        Self { pause, places: Arc::default() }
    }

    /// A place of an account. If all are taken, the connection that has been idle longest loses its place: one of this
    /// account, or of an account that has more places. None if there is no such connection, and then the answer is like any
    /// other.
    pub(crate) fn place(&self, account: &str) -> Option<Patience> {
        let mut places = self.lock();
        let own = places.count(account);
        if own >= OF_AN_ACCOUNT {
            places.evict_idle(|of| of == account)?;
        } else if places.taken.len() >= OF_ALL {
            let larger: Vec<String> = places.taken.iter().map(|taken| taken.account.clone()).collect();
            let larger = |of: &str| larger.iter().filter(|account| *account == of).count() > own;
            places.evict_idle(|of| of == account || larger(of))?;
        }
        let (id, is_evicted) = (places.next(), Arc::<AtomicBool>::default());
        let account = account.to_owned();
        places.taken.push(Taken { id, account, idle: None, is_evicted: Arc::clone(&is_evicted) });
        Some(Patience { clients: self.clone(), id, is_evicted })
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    fn next(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn count(&self, account: &str) -> usize {
        self.taken.iter().filter(|taken| taken.account == account).count()
    }

    /// Takes its place from the connection that has been idle longest, among these accounts; none if there is none.
    fn evict_idle(&mut self, is_eligible: impl Fn(&str) -> bool) -> Option<()> {
        let idle = self.taken.iter().enumerate().filter(|(_, taken)| is_eligible(&taken.account));
        let idle = idle.filter_map(|(place, taken)| Some((taken.idle.as_ref()?.since, place)));
        let (_, place) = idle.min()?;
        let evicted = self.taken.remove(place);
        evicted.is_evicted.store(true, Ordering::Relaxed);
        if let Some(idle) = evicted.idle {
            // From now on it is closed like any other idle connection.
            idle.connection.wake();
        }
        Some(())
    }
}

impl Patience {
    /// How long the answer waits for its client; zero if it has lost its place.
    pub(crate) fn pause(&self) -> Duration {
        if self.is_evicted.load(Ordering::Relaxed) { Duration::ZERO } else { self.clients.pause }
    }

    /// All of the answer was passed to the system: nothing of it is in memory, and the place may be taken by another answer,
    /// of which `connection` is woken.
    pub(crate) fn be_idle(&self, connection: &Arc<AtomicWaker>) {
        let mut places = self.clients.lock();
        let since = places.next();
        if let Some(taken) = places.taken.iter_mut().find(|taken| taken.id == self.id) {
            taken.idle.get_or_insert_with(|| Idle { since, connection: Arc::clone(connection) });
        }
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        self.clients.lock().taken.retain(|taken| taken.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_some_places_and_leaves_nothing_behind() {
        let clients = PausedClients::default();
        let mut places: Vec<_> = (0..OF_AN_ACCOUNT).map(|_| clients.place("ann").expect("a place")).collect();
        assert!(clients.place("ann").is_none());
        places.extend(std::iter::repeat_with(|| clients.place("ben")).map_while(|place| place));
        assert!(places.len() == OF_ALL && clients.place("cid").is_none());
        places.pop();
        places.push(clients.place("cid").expect("the place that was given back"));
        drop(places);
        assert!(clients.lock().taken.is_empty());
    }

    /// Regression: an idle connection kept its place for an hour, or until its next request.
    #[test]
    fn the_connection_that_has_been_idle_longest_makes_room() {
        let clients = PausedClients::default();
        let waker = Arc::new(AtomicWaker::new());
        let ann: Vec<_> = (0..OF_AN_ACCOUNT).map(|_| clients.place("ann").expect("a place")).collect();
        let ben: Vec<_> = (0..OF_ALL - ann.len()).map(|_| clients.place("ben").expect("a place")).collect();
        for place in [&ben[1], &ann[3], &ann[2], &ann[3]] {
            place.be_idle(&waker);
        }
        let has_lost = |place: &Patience| place.pause().is_zero();
        // An account that has all of its places takes one of its own.
        let more = clients.place("ann").expect("the third of ann's was idle first");
        assert!(has_lost(&ann[3]) && !has_lost(&ann[2]) && !has_lost(&ben[1]));
        let cid = clients.place("cid").expect("the one that has been idle longest");
        assert!(has_lost(&ben[1]) && !has_lost(&ann[2]));
        cid.be_idle(&waker);
        // An account with fewer places does not lose them to one with more.
        let other = clients.place("ben").expect("of ann, who has more");
        assert!(has_lost(&ann[2]) && !has_lost(&cid));
        assert!(clients.place("ben").is_none());
        drop((ann, ben, more, cid, other));
        assert!(clients.lock().taken.is_empty());
    }
}
