//! Tokens: creating, listing, revoking and authenticating.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rowhouse_model::{AccountId, CreateToken, CreatedToken, Timestamp, Token, TokenId};
use subtle::ConstantTimeEq;

use super::{Accounts, FIRST_ADMIN, Grants, HeldToken, Principal, secret, unauthorized};
use crate::error::{Error, ErrorKind, Result};
use crate::{names, store};

/// Default lifetime of a token (D27).
const DEFAULT_DAYS: u32 = 90;
/// How long an expired token stays listed, so that its owner can see why a program is refused.
const KEPT_EXPIRED: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Maximum number of unexpired tokens of one account.
const MAX_TOKENS: u64 = 100;
/// Maximum lifetime that can be requested; 0 means no expiry (D27).
const MAX_DAYS: u32 = 3650;

impl Accounts {
    /// The owner of a secret, whose token must not be narrowed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthorized`]: unknown, revoked or expired; the message does not say which.
    /// [`ErrorKind::PermissionDenied`]: it is narrowed.
    pub fn authenticate(&self, secret: &str) -> Result<Principal> {
        let principal = self.authenticate_reader(secret)?;
        principal.require_whole()?;
        Ok(principal)
    }

    /// The same for the endpoints that accept narrowed tokens: reads of endpoints and of views.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthorized`], as for [`authenticate`](Self::authenticate).
    pub fn authenticate_reader(&self, secret: &str) -> Result<Principal> {
        self.look_up(secret)?.principal(self.clock.now()).ok_or_else(unauthorized)
    }

    /// The owner of a token, as the token's secret would prove it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthorized`]: the token was revoked or has expired, or its account is disabled.
    pub(crate) fn owner_of(&self, token_id: &TokenId) -> Result<Principal> {
        let held = self.state.held(token_id);
        held.and_then(|held| held.principal(self.clock.now())).ok_or_else(unauthorized)
    }

    /// The token with this secret.
    pub(super) fn look_up(&self, secret: &str) -> Result<Arc<HeldToken>> {
        let digest = secret::digest(secret).ok_or_else(unauthorized)?;
        let held = self.state.tokens.get(&digest).map(|entry| Arc::clone(entry.value()));
        // The map's comparison is not constant-time; this comparison decides.
        held.filter(|held| bool::from(held.digest.ct_eq(&digest))).ok_or_else(unauthorized)
    }

    /// The caller's tokens, or all tokens for an admin; oldest first. Expired ones are included until they are removed.
    ///
    /// # Errors
    ///
    /// None today.
    pub fn tokens(&self, principal: &Principal) -> Result<Vec<Token>> {
        let mut tokens: Vec<_> = self
            .state
            .tokens
            .iter()
            .filter(|entry| may_touch(principal, &entry.value().token.account_id))
            .map(|entry| entry.value().shown())
            .collect();
        tokens.sort_by(|left, right| (left.created_at, &left.id).cmp(&(right.created_at, &right.id)));
        Ok(tokens)
    }

    /// Creates a token for the caller or, if the caller is an admin, for another account. It expires no later than the
    /// caller's own token and is revoked with it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`], [`ErrorKind::NotFound`] for an unknown account,
    /// [`ErrorKind::InvalidArguments`], also if the account has the maximum number of tokens;
    /// [`ErrorKind::Unauthorized`] if the caller's token was revoked meanwhile.
    pub async fn create_token(&self, principal: &Principal, request: CreateToken) -> Result<CreatedToken> {
        self.create_narrowed_token(principal, request, None).await
    }

    /// The same with resolved grants of its `allow`, if it has any.
    pub(crate) async fn create_narrowed_token(
        &self,
        principal: &Principal,
        request: CreateToken,
        grants: Grants,
    ) -> Result<CreatedToken> {
        principal.require_whole()?;
        let CreateToken { name, account_id, expires_in_days, allow } = request;
        // Never a token that permits more than was requested.
        if allow.as_ref().map(Vec::len) != grants.as_ref().map(Vec::len) {
            let message =
                "what 'allow' names was not looked up: narrowed tokens are made by the engine as a whole";
            return Err(Error::new(ErrorKind::NotSupported, message));
        }
        let account_id = account_id.unwrap_or_else(|| principal.account.id.clone());
        if account_id != principal.account.id {
            principal.require_admin("creating a token for another account")?;
            if self.get(&account_id).is_none() {
                return Err(Error::new(
                    ErrorKind::NotFound,
                    format!("no account has the id '{}'", rowhouse_model::excerpt(account_id.as_str())),
                ));
            }
        }
        names::check_title("name", &name)?;
        let expires_at = match expires_in_days.unwrap_or(DEFAULT_DAYS) {
            0 => None,
            days @ 1..=MAX_DAYS => Some(self.in_days(days)),
            days => {
                return Err(Error::new(
                    ErrorKind::InvalidArguments,
                    format!("'expiresInDays' must be 1 to {MAX_DAYS}, or 0 for never, found {days}"),
                ));
            }
        };
        let parent = self.state.held(&principal.token_id).map(|held| held.token.clone());
        let ends = [expires_at, parent.as_ref().and_then(|parent| parent.expires_at)];
        let expires_at = ends.into_iter().flatten().min();
        self.insert_token(account_id, name, expires_at, Some(principal.token_id.clone()), grants).await
    }

    /// Revokes a token at once, with all tokens derived from it; with `keeps_made` the derived tokens stay.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]: no such token, or not the caller's and the caller is no admin;
    /// [`ErrorKind::PermissionDenied`]: `keeps_made` without being an admin.
    pub async fn revoke_token(&self, principal: &Principal, id: &TokenId, keeps_made: bool) -> Result<()> {
        if keeps_made {
            principal.require_admin("keeping what a revoked token has made")?;
        }
        self.state.held(id).filter(|held| may_touch(principal, &held.token.account_id)).ok_or_else(|| {
            Error::new(
                ErrorKind::NotFound,
                format!("no token has the id '{}'", rowhouse_model::excerpt(id.as_str())),
            )
        })?;
        let id = id.clone();
        let state = Arc::clone(&self.state);
        let revoked = self.write_vital(
            move |transaction| store::tokens::delete(transaction, &id, keeps_made),
            move |gone: Vec<TokenId>| gone.iter().for_each(|id| state.forget(id)),
        );
        revoked.await
    }

    /// Finds or creates the account of the first start and gives it a token that does not expire (D27).
    ///
    /// Called at each start until the token has reached its file: a token that was lost in a crash before is replaced.
    pub(crate) async fn bootstrap(&self) -> Result<(Principal, CreatedToken)> {
        let mut accounts = self.state.accounts.iter().map(|entry| entry.value().now());
        let existing = accounts.find(|account| account.username == FIRST_ADMIN);
        drop(accounts);
        let account = match existing {
            Some(account) => account,
            None => self.insert(FIRST_ADMIN.to_owned(), true).await?,
        };
        let token = self.insert_token(account.id.clone(), "first token".to_owned(), None, None, None).await?;
        Ok((Principal::whole(account, token.id.clone()), token))
    }

    async fn insert_token(
        &self,
        account_id: AccountId,
        name: String,
        expires_at: Option<Timestamp>,
        parent_id: Option<TokenId>,
        grants: Grants,
    ) -> Result<CreatedToken> {
        let secret = secret::generate(&*self.ids);
        // OK because a generated secret is far shorter than the limit.
        let digest = secret::digest(&secret).expect("a generated secret can be hashed");
        let id = TokenId::new(self.ids.new_id());
        let token = Token {
            id: id.clone(),
            name: name.clone(),
            account_id,
            created_at: self.clock.now(),
            expires_at,
            parent_id,
            last_used_at: None,
            allow: grants.as_ref().map(|grants| grants.iter().map(|stored| stored.grant.clone()).collect()),
        };
        let state = Arc::clone(&self.state);
        let stored = self.store.write_then(
            move |transaction| {
                if !is_there(transaction, token.parent_id.as_ref())? {
                    return Ok(Inserted::Orphan);
                }
                let is_inserted = store::tokens::insert(transaction, &token, &grants, &digest, MAX_TOKENS)?;
                Ok(if is_inserted { Inserted::Token(token, grants) } else { Inserted::TooMany })
            },
            move |inserted| match inserted {
                Inserted::Token(token, grants) => {
                    state.hold(token, grants, digest);
                    Ok(())
                }
                Inserted::Orphan => Err(unauthorized()),
                Inserted::TooMany => Err(Error::new(
                    ErrorKind::InvalidArguments,
                    format!(
                        "the account has {MAX_TOKENS} tokens, which is as many as it may; revoke one first"
                    ),
                )),
            },
        );
        stored.await??;
        Ok(CreatedToken { id, name, token: secret, expires_at })
    }

    /// Removes tokens that expired more than a week before `now`, and stores when the others were last used.
    pub(crate) async fn sweep(&self, now: Timestamp) -> Result<()> {
        let state = Arc::clone(&self.state);
        let kept_millis = i64::try_from(KEPT_EXPIRED.as_millis()).unwrap_or(i64::MAX);
        let kept_from = Timestamp::from_millis(now.as_millis().saturating_sub(kept_millis));
        let has_expired = |held: &HeldToken| held.token.expires_at.is_some_and(|end| end <= kept_from);
        if self.state.tokens.iter().any(|entry| has_expired(entry.value())) {
            let removed = self.store.write_then(
                move |transaction| store::tokens::delete_expired(transaction, kept_from),
                move |gone: Vec<TokenId>| gone.iter().for_each(|id| state.forget(id)),
            );
            removed.await?;
        }
        self.note_use().await
    }

    /// Stores when tokens were last used, for those used since the last call.
    pub(crate) async fn note_use(&self) -> Result<()> {
        let used: Vec<_> = self.state.tokens.iter().filter_map(|entry| entry.value().unnoted()).collect();
        if used.is_empty() {
            return Ok(());
        }
        let state = Arc::clone(&self.state);
        let noted = self.store.write_then(
            move |transaction| store::tokens::set_last_used(transaction, &used).map(|()| used),
            move |used| {
                for (id, at) in used {
                    if let Some(held) = state.held(&id) {
                        held.noted.store(at.as_millis(), Ordering::Relaxed);
                    }
                }
            },
        );
        noted.await
    }

    fn in_days(&self, days: u32) -> Timestamp {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let millis = i64::try_from((DAY * days).as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_millis(self.clock.now().as_millis().saturating_add(millis))
    }
}

fn may_touch(principal: &Principal, owner: &AccountId) -> bool {
    principal.account.is_admin || principal.account.id == *owner
}

/// Result of inserting a token.
enum Inserted {
    Token(Token, Grants),
    /// The token that creates it is gone.
    Orphan,
    /// Its account has the maximum number of tokens.
    TooMany,
}

fn is_there(transaction: &rusqlite::Transaction<'_>, id: Option<&TokenId>) -> rusqlite::Result<bool> {
    let Some(id) = id else { return Ok(true) };
    transaction
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM tokens WHERE id = ?1)")?
        .query_row([id.as_str()], |row| row.get(0))
}

impl HeldToken {
    /// Its owner, and notes the use; none if it has expired or was revoked, or if its account is disabled.
    pub(super) fn principal(&self, now: Timestamp) -> Option<Principal> {
        let is_alive = self.token.expires_at.is_none_or(|end| now < end);
        if !is_alive || self.is_revoked.load(Ordering::Acquire) {
            return None;
        }
        let account = Some(self.account.now()).filter(|account| !account.is_disabled)?;
        self.last_used.store(now.as_millis(), Ordering::Relaxed);
        Some(Principal { account, token_id: self.token.id.clone(), grants: self.grants.clone() })
    }

    fn shown(&self) -> Token {
        let last_used = Some(self.last_used.load(Ordering::Relaxed)).filter(|&millis| millis != 0);
        Token { last_used_at: last_used.map(Timestamp::from_millis), ..self.token.clone() }
    }

    /// Its time of last use, if the store does not have it yet.
    fn unnoted(&self) -> Option<(TokenId, Timestamp)> {
        let last_used = self.last_used.load(Ordering::Relaxed);
        (last_used != self.noted.load(Ordering::Relaxed))
            .then(|| (self.token.id.clone(), Timestamp::from_millis(last_used)))
    }
}
