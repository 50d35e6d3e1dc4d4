//! Answers whose clients may pause (D136). Drivers of Trino read a segment from its connection while their program reads rows, so
//! a program that stops for ten minutes stalls the answer, and one that is cut off cannot be continued.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long such an answer waits for its client.
const PAUSE: Duration = Duration::from_secs(3600);
/// Number of answers of one account that wait so long at a time, each of a few MiB.
const ANSWERS: usize = 16;

/// Marks an answer, as an extension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MayPause;

/// The answers that wait, by account.
#[derive(Clone, Debug)]
pub(crate) struct PausedClients {
    pause: Duration,
    accounts: Arc<Mutex<HashMap<String, usize>>>,
}

/// The place of one answer, until it is dropped.
#[derive(Debug)]
pub(crate) struct Patience {
    clients: PausedClients,
    account: String,
}

impl Default for PausedClients {
    fn default() -> Self {
        Self::waiting(PAUSE)
    }
}

impl PausedClients {
    /// Answers wait so long.
    pub(crate) fn waiting(pause: Duration) -> Self {
        Self { pause, accounts: Arc::default() }
    }

    /// A place of an account; none if all are taken, and then the answer is like any other.
    pub(crate) fn place(&self, account: &str) -> Option<Patience> {
        let mut accounts = self.lock();
        let taken = accounts.entry(account.to_owned()).or_default();
        if *taken >= ANSWERS {
            return None;
        }
        *taken += 1;
        Some(Patience { clients: self.clone(), account: account.to_owned() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Patience {
    /// How long the answer waits for its client.
    pub(crate) fn pause(&self) -> Duration {
        self.clients.pause
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        let mut accounts = self.clients.lock();
        if let Some(taken) = accounts.get_mut(&self.account) {
            *taken -= 1;
            if *taken == 0 {
                accounts.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_some_places_and_leaves_nothing_behind() {
        let clients = PausedClients::default();
        let mut places: Vec<_> = (0..ANSWERS).map(|_| clients.place("ann").expect("a place")).collect();
        assert!(clients.place("ann").is_none() && clients.place("ben").is_some());
        places.pop();
        places.extend(clients.place("ann"));
        assert!(places.len() == ANSWERS && clients.place("ann").is_none());
        drop(places);
        assert!(clients.lock().is_empty());
    }
}
