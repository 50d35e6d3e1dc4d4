//! Tokens: made, listed, revoked and recognized.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{AccountId, CreateToken, CreatedToken, Timestamp, Token, TokenId};
use subtle::ConstantTimeEq;

use super::{Accounts, FIRST_ADMIN, Principal, secret};
use crate::error::{Error, ErrorKind, Result};
use crate::{names, store};

/// Life of a token for which nothing was asked (D27).
const DEFAULT_DAYS: u32 = 90;
/// The longest life that can be asked for; 0 is for ever (D27).
const MAX_DAYS: u32 = 3650;

impl Accounts {
    /// Whose secret this is.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthorized`]: unknown, revoked or expired; the message does not say which.
    pub fn authenticate(&self, secret: &str) -> Result<Principal> {
        let unauthorized = || Error::new(ErrorKind::Unauthorized, "the token is unknown, expired or revoked");
        let digest = secret::digest(secret).ok_or_else(unauthorized)?;
        let held = self.state.tokens.get(&digest).map(|entry| Arc::clone(entry.value()));
        let held = held.ok_or_else(unauthorized)?;
        // The map compares as far as the digests agree; what counts is this comparison.
        let is_same = bool::from(held.digest.ct_eq(&digest));
        let is_alive = held.token.expires_at.is_none_or(|end| self.clock.now() < end);
        if !is_same || !is_alive {
            return Err(unauthorized());
        }
        Ok(Principal { account: Arc::clone(&held.account), token_id: held.token.id.clone() })
    }

    /// The caller's tokens, an admin's are everyone's; oldest first, expired ones among them.
    ///
    /// # Errors
    ///
    /// None today.
    pub fn tokens(&self, principal: &Principal) -> Result<Vec<Token>> {
        let mut tokens: Vec<_> = self
            .state
            .tokens
            .iter()
            .map(|entry| entry.value().token.clone())
            .filter(|token| may_touch(principal, &token.account_id))
            .collect();
        tokens.sort_by(|left, right| (left.created_at, &left.id).cmp(&(right.created_at, &right.id)));
        Ok(tokens)
    }

    /// Makes a token for the caller or, if an admin asks, for another account.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`], [`ErrorKind::NotFound`] for an unknown account,
    /// [`ErrorKind::InvalidArguments`].
    pub async fn create_token(&self, principal: &Principal, request: CreateToken) -> Result<CreatedToken> {
        let CreateToken { name, account_id, expires_in_days } = request;
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
        self.insert_token(account_id, name, expires_at).await
    }

    /// Ends a token at once.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]: no such token, or not the caller's and the caller is no admin.
    pub async fn revoke_token(&self, principal: &Principal, id: &TokenId) -> Result<()> {
        let digest = self.state.digests.get(id).map(|entry| *entry.value());
        let held = digest.and_then(|digest| self.state.tokens.get(&digest).map(|entry| Arc::clone(&entry)));
        held.filter(|held| may_touch(principal, &held.token.account_id)).ok_or_else(|| {
            Error::new(
                ErrorKind::NotFound,
                format!("no token has the id '{}'", rowhouse_model::excerpt(id.as_str())),
            )
        })?;
        let id = id.clone();
        let state = Arc::clone(&self.state);
        let revoked = self.store.write_then(
            move |transaction| store::tokens::delete(transaction, &id).map(|()| id),
            move |id| state.forget(&id),
        );
        revoked.await
    }

    /// Finds or makes the account of the first start and gives it a token that does not expire (D27).
    ///
    /// To be called until the token is known to have reached its file: a token that a crash took away
    /// before is replaced by the next.
    pub(crate) async fn bootstrap(&self) -> Result<(Principal, CreatedToken)> {
        let existing = self.state.accounts.iter().find(|entry| entry.username == FIRST_ADMIN);
        let existing = existing.map(|entry| Arc::clone(entry.value()));
        let account = match existing {
            Some(account) => account,
            None => self.insert(FIRST_ADMIN.to_owned(), true).await?,
        };
        let token = self.insert_token(account.id.clone(), "first token".to_owned(), None).await?;
        Ok((Principal { account, token_id: token.id.clone() }, token))
    }

    async fn insert_token(
        &self,
        account_id: AccountId,
        name: String,
        expires_at: Option<Timestamp>,
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
        };
        let state = Arc::clone(&self.state);
        let stored = self.store.write_then(
            move |transaction| store::tokens::insert(transaction, &token, &digest).map(|()| token),
            move |token| state.hold(token, digest),
        );
        stored.await?;
        Ok(CreatedToken { id, name, token: secret, expires_at })
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
