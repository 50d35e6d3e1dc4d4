//! Idempotent submits: a caller whose answer was lost repeats the request with the same key, and gets the query that
//! the first one created.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rowhouse_model::{AccountId, Role, Timestamp};
use sha2::{Digest as _, Sha256};
use tokio::sync::OwnedMutexGuard;

use super::{Queries, QueryRecord, Submission};
use crate::error::{Error, ErrorKind, Result};
use crate::store::idempotency_keys::{self, StoredSubmit};
use crate::workspaces::Access;

/// How long a submit may be repeated.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum length of a key.
const MAX_KEY_BYTES: usize = 255;

/// A caller's key for one submit, and the digest of its request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    name: String,
    digest: [u8; 32],
}

impl IdempotencyKey {
    /// A key of 1 to 255 visible ASCII characters, and the texts of the request.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidArguments`]: the key is invalid.
    pub fn new<'a>(name: &[u8], request: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let is_good = (1..=MAX_KEY_BYTES).contains(&name.len()) && name.iter().all(u8::is_ascii_graphic);
        let name = std::str::from_utf8(name).ok().filter(|_| is_good);
        let wrong = || {
            let message =
                format!("Idempotency-Key has 1 to {MAX_KEY_BYTES} visible ASCII characters, as a UUID has");
            Error::new(ErrorKind::InvalidArguments, message)
        };
        let name = name.ok_or_else(wrong)?.to_owned();
        let mut digest = Sha256::new();
        for text in request {
            // With the lengths, different texts cannot have the same concatenation.
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        Ok(Self { name, digest: digest.finalize().into() })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn digest(&self) -> &[u8] {
        &self.digest
    }
}

/// Locks by account and key.
type ByName = HashMap<(AccountId, String), Arc<tokio::sync::Mutex<()>>>;

/// Keys whose submits are in progress: each is accepted once the one before it is durable or refused.
#[derive(Debug, Default)]
pub(super) struct Turns {
    by_name: Arc<Mutex<ByName>>,
}

/// The turn of one submit.
struct Turn {
    turns: Turns,
    key: (AccountId, String),
    guard: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    async fn of(&self, account_id: &AccountId, name: &str) -> Turn {
        let key = (account_id.clone(), name.to_owned());
        let turn = Arc::clone(self.lock().entry(key.clone()).or_default());
        let turns = Self { by_name: Arc::clone(&self.by_name) };
        let mut waiting = Turn { turns, key, guard: None };
        waiting.guard = Some(turn.lock_owned().await);
        waiting
    }

    fn lock(&self) -> MutexGuard<'_, ByName> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.guard = None;
        let mut turns = self.turns.lock();
        // Waiters hold a reference, too.
        if turns.get(&self.key).is_some_and(|turn| Arc::strong_count(turn) == 1) {
            turns.remove(&self.key);
        }
    }
}

impl Queries {
    /// As [`submit_shared`](Self::submit_shared) if nothing was submitted with this key within the last 24 hours; else
    /// the record of the earlier submit, and true. Key and record are durable together.
    ///
    /// # Errors
    ///
    /// As for [`submit`](Self::submit); [`ErrorKind::AlreadyExists`]: another request had the key;
    /// [`ErrorKind::NotFound`]: its record is no longer stored.
    pub async fn submit_once(
        &self,
        access: &Access,
        submission: Submission,
        key: IdempotencyKey,
    ) -> Result<(QueryRecord, bool)> {
        access.require(Role::Analyst)?;
        let turn = self.shared.turns.of(access.account_id(), key.name()).await;
        let (account_id, name) = (access.account_id().clone(), key.name().to_owned());
        let kept_for = i64::try_from(KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
        let since = Timestamp::from_millis(self.shared.clock.now().as_millis().saturating_sub(kept_for));
        let kept = self
            .shared
            .store
            .read_async(move |connection| idempotency_keys::get(connection, &account_id, &name, since))
            .await?;
        if let Some(kept) = kept {
            return self.sent_again(access, &key, kept).await;
        }
        // A separate task: a caller that disconnects must not give up its turn before the record is durable.
        let (queries, access) = (Self { shared: Arc::clone(&self.shared) }, access.clone());
        let accepted = tokio::spawn(async move {
            let accepted = queries.accept(&access, submission, Some(key)).await;
            drop(turn);
            accepted
        });
        let accepted =
            accepted.await.unwrap_or_else(|error| Err(Error::internal("accepting a statement", error)));
        accepted.map(|record| (record, false))
    }

    async fn sent_again(
        &self,
        access: &Access,
        key: &IdempotencyKey,
        kept: StoredSubmit,
    ) -> Result<(QueryRecord, bool)> {
        if kept.digest != key.digest() || kept.workspace_id != access.workspace.id {
            let message = format!(
                "the Idempotency-Key '{}' was sent with another request within the last 24 hours: each request has a key of \
                 its own",
                rowhouse_model::excerpt(key.name())
            );
            return Err(Error::new(ErrorKind::AlreadyExists, message));
        }
        let record = self.shared.look_up(&kept.workspace_id, &kept.query_id).await?;
        let gone = || {
            let message = "the query that this Idempotency-Key has made is not kept any more";
            Error::new(ErrorKind::NotFound, message)
        };
        let record = record.map(|record| self.shared.shown_to(&access.principal, record));
        record.map(|record| (record, true)).ok_or_else(gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idempotency_keys_are_visible_ascii() {
        let check = |name: &str, is_good: bool| {
            let key = IdempotencyKey::new(name.as_bytes(), []);
            assert_eq!(key.is_ok(), is_good, "{name}");
        };
        check("8e03978e-40d5-43dd-bc93-6894a57f9324", true);
        check("\"quoted\"", true);
        check("", false);
        check("a b", false);
        check("é", false);
        check(&"x".repeat(255), true);
        check(&"x".repeat(256), false);
    }

    #[tokio::test]
    async fn submits_with_one_key_are_sequential_and_leave_no_lock() {
        let turns = Turns::default();
        let (one, other) = (AccountId::from("one"), AccountId::from("other"));
        let first = turns.of(&one, "a").await;
        drop(turns.of(&other, "a").await);
        drop(turns.of(&one, "b").await);
        {
            let second = turns.of(&one, "a");
            tokio::pin!(second);
            tokio::select! {
                biased;
                _ = &mut second => panic!("it is the first one's turn"),
                () = tokio::task::yield_now() => {}
            }
            drop(first);
            drop(second.await);
        }
        assert!(turns.lock().is_empty());
    }
}
