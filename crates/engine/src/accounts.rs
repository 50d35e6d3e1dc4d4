//! Accounts and their personal access tokens: authentication of callers, looked up in memory, kept in the store (D6,
//! D27). [`workspaces`](crate::workspaces) decides what an account may do in a workspace.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use dashmap::DashMap;
use rowhouse_model::{Account, AccountId, CreateAccount, Timestamp, Token, TokenId, UpdateAccount};

use crate::disk::Disk;
use crate::error::{Error, ErrorKind, Result};
use crate::id_source::IdSource;
use crate::memberships::Memberships;
use crate::names;
use crate::store::{self, Store};
use rowhouse_executor::clock::Clock;

mod known_token;
mod secret;
#[cfg(test)]
mod tests;
mod tokens;

pub use known_token::KnownToken;

use store::accounts::Change;
use store::tokens::{Digest, Grants, StoredGrant};

/// Name of the account that the first start creates.
pub const FIRST_ADMIN: &str = "admin";

/// The caller of a request: the owner of its token.
#[derive(Clone, Debug)]
pub struct Principal {
    /// The account.
    pub account: Arc<Account>,
    /// The token of the request.
    pub token_id: TokenId,
    /// The only things that the token permits; none if it is not narrowed.
    pub(crate) grants: Option<Arc<[StoredGrant]>>,
}

impl Principal {
    /// Refuses callers that are not admins.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`], saying that `what` needs an admin.
    pub fn require_admin(&self, what: &str) -> Result<()> {
        self.require_whole()?;
        if self.account.is_admin {
            return Ok(());
        }
        Err(Error::new(ErrorKind::PermissionDenied, format!("{what} needs an admin's token")))
    }
}

impl Principal {
    /// An account with all its rights.
    pub(crate) fn whole(account: Arc<Account>, token_id: TokenId) -> Self {
        Self { account, token_id, grants: None }
    }

    /// Refuses narrowed tokens.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`].
    pub fn require_whole(&self) -> Result<()> {
        match self.grants {
            None => Ok(()),
            Some(_) => Err(Error::new(
                ErrorKind::PermissionDenied,
                "this token is narrowed: it reads the endpoints and views that it was made for, and nothing else",
            )),
        }
    }
}

/// All accounts and tokens.
pub struct Accounts {
    state: Arc<State>,
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    memberships: Arc<Memberships>,
    disk: Disk,
}

/// The state that requests are checked against; changed only after a commit, in the order of the commits.
struct State {
    accounts: DashMap<AccountId, Arc<HeldAccount>>,
    tokens: DashMap<Digest, Arc<HeldToken>>,
    digests: DashMap<TokenId, Digest>,
}

/// An account as it is now: its tokens share it, so that a change of it applies to their next request.
struct HeldAccount(RwLock<Arc<Account>>);

struct HeldToken {
    digest: Digest,
    token: Token,
    account: Arc<HeldAccount>,
    grants: Option<Arc<[StoredGrant]>>,
    /// Milliseconds since 1970; 0 means never.
    last_used: AtomicI64,
    /// The value of `last_used` in the store.
    noted: AtomicI64,
    is_revoked: AtomicBool,
}

impl Accounts {
    /// Loads the state from the store. Blocking.
    pub(crate) fn open(
        store: Arc<Store>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        memberships: Arc<Memberships>,
        disk: Disk,
    ) -> Result<Self> {
        let state = State { accounts: DashMap::new(), tokens: DashMap::new(), digests: DashMap::new() };
        for account in store.read(store::accounts::load)? {
            state.hold_account(Arc::new(account));
        }
        for (token, grants, digest) in store.read(store::tokens::load)? {
            state.hold(token, grants, digest);
        }
        Ok(Self { state: Arc::new(state), store, clock, ids, memberships, disk })
    }

    /// All accounts by name, for admins and for owners of a workspace (D6).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for other callers.
    pub fn list(&self, principal: &Principal) -> Result<Vec<Account>> {
        if !principal.account.is_admin && !self.memberships.owns_any(&principal.account.id) {
            return Err(Error::new(
                ErrorKind::PermissionDenied,
                "accounts are listed for admins and for owners of a workspace",
            ));
        }
        let mut accounts: Vec<_> =
            self.state.accounts.iter().map(|entry| Account::clone(&entry.value().now())).collect();
        accounts.sort_by(|left, right| left.username.cmp(&right.username));
        Ok(accounts)
    }

    /// Creates an account without tokens.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an admin, [`ErrorKind::InvalidArguments`],
    /// [`ErrorKind::AlreadyExists`]; names that differ only in letter case are the same.
    pub async fn create(&self, principal: &Principal, request: CreateAccount) -> Result<Account> {
        principal.require_admin("creating an account")?;
        let CreateAccount { username, is_admin } = request;
        self.insert(username, is_admin.unwrap_or(false)).await.map(|account| Account::clone(&account))
    }

    /// Grants or removes the admin right, disables or enables an account; effective from the next request on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an admin, [`ErrorKind::NotFound`],
    /// [`ErrorKind::InvalidArguments`] if no enabled admin would be left.
    pub async fn update(
        &self,
        principal: &Principal,
        id: &AccountId,
        change: UpdateAccount,
    ) -> Result<Account> {
        principal.require_admin("changing an account")?;
        let (wanted, state) = (id.clone(), Arc::clone(&self.state));
        let changed = self.write_vital(
            move |transaction| store::accounts::update(transaction, &wanted, change),
            move |change| {
                if let Change::Changed(account) = &change {
                    state.hold_account(Arc::new(account.clone()));
                }
                change
            },
        );
        match changed.await? {
            Change::Changed(account) => Ok(account),
            Change::Unknown => {
                let id = rowhouse_model::excerpt(id.as_str());
                Err(Error::new(ErrorKind::NotFound, format!("no account has the id '{id}'")))
            }
            Change::LastAdmin => Err(Error::new(
                ErrorKind::InvalidArguments,
                "this is the last admin who may call; make another account an admin first",
            )),
        }
    }

    /// Performs a write that must not fail because the disk is full: if it does, it frees the disk's reserve and
    /// retries.
    async fn write_vital<T: Send + 'static, U: Send + 'static>(
        &self,
        change: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<T> + Clone + Send + 'static,
        then: impl FnOnce(T) -> U + Clone + Send + 'static,
    ) -> Result<U> {
        let written = self.store.write_then(change.clone(), then.clone()).await;
        let disk = self.disk.clone();
        match written {
            Err(error) if error.kind() == ErrorKind::StorageFull => {
                let given = tokio::task::spawn_blocking(move || disk.release_reserve()).await;
                if given.is_ok_and(|is_given| is_given) {
                    return self.store.write_then(change, then).await;
                }
                Err(error)
            }
            written => written,
        }
    }

    /// The account with this id.
    pub(crate) fn get(&self, id: &AccountId) -> Option<Arc<Account>> {
        self.state.accounts.get(id).map(|entry| entry.value().now())
    }

    async fn insert(&self, username: String, is_admin: bool) -> Result<Arc<Account>> {
        names::check_username(&username)?;
        let id = AccountId::new(self.ids.new_id());
        let account = Account { id, username: username.clone(), is_admin, is_disabled: false };
        let now = self.clock.now();
        let state = Arc::clone(&self.state);
        let stored = self.store.write_then(
            move |transaction| store::accounts::insert(transaction, &account, now).map(|()| account),
            move |account| {
                let account = Arc::new(account);
                state.hold_account(Arc::clone(&account));
                account
            },
        );
        stored.await.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Error::new(ErrorKind::AlreadyExists, format!("an account '{username}' exists already"))
            }
            _ => error,
        })
    }
}

fn unauthorized() -> Error {
    Error::new(ErrorKind::Unauthorized, "the token is unknown, expired or revoked")
}

impl State {
    fn hold_account(&self, account: Arc<Account>) {
        let held = self.accounts.entry(account.id.clone());
        let held = held.or_insert_with(|| Arc::new(HeldAccount(RwLock::new(Arc::clone(&account)))));
        *held.0.write().unwrap_or_else(PoisonError::into_inner) = account;
    }

    /// Holds a token of an account that is held.
    fn hold(&self, token: Token, grants: Grants, digest: Digest) {
        let account = self.accounts.get(&token.account_id).map(|entry| Arc::clone(entry.value()));
        let Some(account) = account else {
            tracing::error!(token = %token.id, "a token's account is not in the store");
            return;
        };
        self.digests.insert(token.id.clone(), digest);
        let last_used = token.last_used_at.map_or(0, Timestamp::as_millis);
        let (last_used, noted) = (AtomicI64::new(last_used), AtomicI64::new(last_used));
        let (grants, is_revoked) = (grants.map(Into::into), AtomicBool::new(false));
        let held = HeldToken { digest, token, account, grants, last_used, noted, is_revoked };
        self.tokens.insert(digest, Arc::new(held));
    }

    fn held(&self, id: &TokenId) -> Option<Arc<HeldToken>> {
        let digest = self.digests.get(id).map(|entry| *entry.value())?;
        self.tokens.get(&digest).map(|entry| Arc::clone(entry.value()))
    }

    fn forget(&self, id: &TokenId) {
        if let Some((_, digest)) = self.digests.remove(id)
            && let Some((_, held)) = self.tokens.remove(&digest)
        {
            held.is_revoked.store(true, Ordering::Release);
        }
    }
}

impl HeldAccount {
    fn now(&self) -> Arc<Account> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Accounts {
    /// Prints numbers only: names and digests do not belong in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accounts")
            .field("accounts", &self.state.accounts.len())
            .field("tokens", &self.state.tokens.len())
            .finish_non_exhaustive()
    }
}
