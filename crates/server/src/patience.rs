//! Answers whose clients may pause (D136). Drivers of Trino read a segment from its connection while their program reads rows, so
//! a program that stops for ten minutes stalls the answer, and one that is cut off cannot be continued.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long such an answer waits for its client.
const PAUSE: Duration = Duration::from_secs(3600);
/// Number of answers of one account that wait so long at a time.
const OF_AN_ACCOUNT: usize = 8;
/// Number of all of them: some 10 MiB each, while they are made and sent, are well below `limits.answer_memory`.
const OF_ALL: usize = 16;

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
        let taken = accounts.get(account).copied().unwrap_or_default();
        if taken >= OF_AN_ACCOUNT || accounts.values().sum::<usize>() >= OF_ALL {
            return None;
        }
        accounts.insert(account.to_owned(), taken + 1);
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
        let mut places: Vec<_> = (0..OF_AN_ACCOUNT).map(|_| clients.place("ann").expect("a place")).collect();
        assert!(clients.place("ann").is_none());
        places.extend(std::iter::repeat_with(|| clients.place("ben")).map_while(|place| place));
        assert!(places.len() == OF_ALL && clients.place("cid").is_none());
        places.pop();
        places.push(clients.place("cid").expect("the place that was given back"));
        drop(places);
        assert!(clients.lock().is_empty());
    }
}
