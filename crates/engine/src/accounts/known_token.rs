//! The token of a connection's last request. Clients keep their connections and send the same token again: it is compared
//! with the last one in constant time instead of being hashed and looked up.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use subtle::ConstantTimeEq;

use super::{Accounts, HeldToken, Principal, unauthorized};
use crate::error::Result;

/// The last token of one connection to one server. A token's expiry, its revocation and a change of its account apply to
/// the next request, as if it were looked up.
#[derive(Default)]
pub struct KnownToken(Mutex<Option<Known>>);

struct Known {
    secret: Box<str>,
    held: Arc<HeldToken>,
}

impl Accounts {
    /// As [`authenticate_reader`](Self::authenticate_reader), for a request of the connection whose last token is `known`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthorized`](crate::ErrorKind::Unauthorized): unknown, revoked or expired.
    pub fn authenticate_reader_again(&self, secret: &str, known: &KnownToken) -> Result<Principal> {
        let mut last = known.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*last
            && bool::from(known.secret.as_bytes().ct_eq(secret.as_bytes()))
        {
            return known.held.principal(self.clock.now()).ok_or_else(unauthorized);
        }
        let held = self.look_up(secret)?;
        let principal = held.principal(self.clock.now()).ok_or_else(unauthorized)?;
        *last = Some(Known { secret: secret.into(), held });
        Ok(principal)
    }
}

impl fmt::Debug for KnownToken {
    /// Does not print the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownToken").finish_non_exhaustive()
    }
}
